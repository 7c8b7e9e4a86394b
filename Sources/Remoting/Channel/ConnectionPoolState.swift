// SPDX-License-Identifier: Apache-2.0

/// Which connection serves which call: at most `capacity` connections, and a bounded queue of calls that wait. A call that
/// may not wait gets a connection beyond the capacity if need be.
///
/// A connection counts from the decision to open it until it is lost, or until what it carries has taken long.
struct ConnectionPoolState {
    typealias ConnectionID = Int
    typealias CallID = Int

    enum Grant: Equatable {
        case use(ConnectionID)
        case open
        /// Close this unused connection; a place is free for a new one.
        case replace(ConnectionID)
        case wait
        case refuse
    }

    enum Handover: Equatable {
        case nobody
        case lend(ConnectionID, to: CallID)
        /// The call may open a connection of its own.
        case letOpen(CallID)
        /// There is no place for it any more.
        case close(ConnectionID)
    }

    private let capacity: Int
    private let waitingLimit: Int
    private var count = 0
    /// In use, and not counted: each has given its place to others.
    private var aside: Set<ConnectionID> = []
    private var asideLimit: Int { 4 * capacity }
    /// The one used last stands last: it is the least likely to be closed by the server.
    private var idle: [ConnectionID] = []
    private var waiting: [CallID] = []

    init(capacity: Int, waitingLimit: Int) {
        self.capacity = capacity
        self.waitingLimit = waitingLimit
    }

    /// - Parameters:
    ///   - fresh: the call must not get a connection that was used before.
    ///   - waits: false for a call that is neither queued nor refused.
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

    /// A call is done with a connection that may be used again.
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

    /// A connection closed, or could not be opened.
    mutating func lost(_ connection: ConnectionID?) -> Handover {
        if let connection, aside.remove(connection) != nil { return .nobody }
        idle.removeAll { $0 == connection }
        return leavePlace()
    }

    /// A connection is in use for long: whoever takes its reply decides for how long, so others do not wait for it.
    ///
    /// - Returns: nil while too many have given their place; ask again later.
    mutating func stepAside(_ connection: ConnectionID) -> Handover? {
        guard !aside.contains(connection) else { return .nobody }
        guard aside.count < asideLimit else { return nil }
        aside.insert(connection)
        return leavePlace()
    }

    private mutating func leavePlace() -> Handover {
        count -= 1
        guard count < capacity, !waiting.isEmpty else { return .nobody }
        count += 1
        return .letOpen(waiting.removeFirst())
    }

    /// A call waits no longer.
    mutating func abandoned(_ call: CallID) {
        waiting.removeAll { $0 == call }
    }
}
