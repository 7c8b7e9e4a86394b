// SPDX-License-Identifier: Apache-2.0

/// Admits a few long requests of each process at a time. The others wait in the kernel, so a process with many
/// connections needs little memory for requests that it has not finished.
struct LongRequests<Connection: Hashable> {
    private struct Process {
        var admitted: Set<Connection> = []
        /// In the order of their arrival.
        var waiting: [Connection] = []
    }

    private var processes: [Int32: Process] = [:]
    private let limit: Int

    /// - Parameter limit: the number of requests of one process.
    init(limit: Int) {
        self.limit = limit
    }

    /// Asks for the admission of a connection. It is asked for until `leave`, also if it waits.
    ///
    /// - Returns: whether the connection is admitted.
    mutating func enter(_ connection: Connection, of process: Int32) -> Bool {
        var state = processes[process] ?? Process()
        defer { processes[process] = state }
        if state.admitted.contains(connection) { return true }
        guard state.admitted.count < limit else {
            if !state.waiting.contains(connection) { state.waiting.append(connection) }
            return false
        }
        state.admitted.insert(connection)
        return true
    }

    /// Ends the admission of a connection, or its wait.
    ///
    /// - Returns: a waiting connection that is admitted instead.
    mutating func leave(_ connection: Connection, of process: Int32) -> Connection? {
        guard var state = processes[process] else { return nil }
        defer { processes[process] = state.admitted.isEmpty ? nil : state }
        guard state.admitted.remove(connection) != nil else {
            state.waiting.removeAll { $0 == connection }
            return nil
        }
        guard !state.waiting.isEmpty else { return nil }
        let next = state.waiting.removeFirst()
        state.admitted.insert(next)
        return next
    }
}
