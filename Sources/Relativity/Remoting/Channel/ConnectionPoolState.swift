// SPDX-License-Identifier: Apache-2.0

/// Assigns connections to calls: at most `capacity` connections, and a bounded FIFO queue of waiting calls. A call
/// that must not wait gets a connection beyond the capacity if necessary.
///
/// A connection counts towards the capacity from the decision to open it until it is lost or has been set aside by
/// `stepAside`.
struct ConnectionPoolState {
    typealias ConnectionID = Int
    typealias CallID = Int

    enum Grant: Equatable {
        case use(ConnectionID)
        case open
        /// Close this idle connection and open a new one, which takes over its slot.
        case replace(ConnectionID)
        case wait
        case refuse
    }

    enum Handover: Equatable {
        case nobody
        case lend(ConnectionID, to: CallID)
        /// The waiting call may open a connection of its own.
        case letOpen(CallID)
        /// Close the connection: the capacity is used up.
        case close(ConnectionID)
    }

    private let capacity: Int
    private let waitingLimit: Int
    private var count = 0
    /// Connections in use that no longer count towards the capacity, because their reply takes long.
    private var aside: Set<ConnectionID> = []
    private var asideLimit: Int { 4 * capacity }
    /// Idle connections, the most recently used one last: it is the least likely to be closed by the server.
    private var idle: [ConnectionID] = []
    private var waiting: [CallID] = []

    init(capacity: Int, waitingLimit: Int) {
        self.capacity = capacity
        self.waitingLimit = waitingLimit
    }

    /// - Parameters:
    ///   - fresh: the call must not get a connection that was used before.
    ///   - waits: false for a call that must be neither queued nor refused.
    mutating func request(_ call: CallID, fresh: Bool, waits: Bool = true) -> Grant {
        if !fresh, let connection = idle.popLast() { return .use(connection) }
        if count < capacity {
            count += 1
            return .open
        }
        if fresh, !idle.isEmpty {
            count += 1
            return .replace(idle.removeFirst())
        }
        guard waits else {
            count += 1
            return .open
        }
        guard waiting.count < waitingLimit else { return .refuse }
        waiting.append(call)
        return .wait
    }

    /// Takes back a reusable connection after its call has finished.
    mutating func returned(_ connection: ConnectionID) -> Handover {
        if aside.contains(connection) {
            guard count < capacity else { return .close(connection) }
            aside.remove(connection)
            count += 1
        }
        guard !waiting.isEmpty else {
            idle.append(connection)
            return .nobody
        }
        return .lend(connection, to: waiting.removeFirst())
    }

    /// Forgets a connection that was closed or could not be opened.
    mutating func lost(_ connection: ConnectionID?) -> Handover {
        if let connection, aside.remove(connection) != nil { return .nobody }
        idle.removeAll { $0 == connection }
        return leavePlace()
    }

    /// Stops counting a connection whose reply takes long: its duration depends on the consumer, and other calls must
    /// not wait for that.
    ///
    /// - Returns: nil if four times the capacity is already set aside; try again later.
    mutating func stepAside(_ connection: ConnectionID) -> Handover? {
        guard !aside.contains(connection) else { return .nobody }
        guard aside.count < asideLimit else { return nil }
        aside.insert(connection)
        return leavePlace()
    }

    /// Whether calls wait and no connection can be set aside for them.
    var isExhausted: Bool { !waiting.isEmpty && aside.count >= asideLimit }

    private mutating func leavePlace() -> Handover {
        count -= 1
        guard count < capacity, !waiting.isEmpty else { return .nobody }
        count += 1
        return .letOpen(waiting.removeFirst())
    }

    /// Removes a call from the queue.
    mutating func abandoned(_ call: CallID) {
        waiting.removeAll { $0 == call }
    }
}
