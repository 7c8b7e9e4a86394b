// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// The sessions with their expiry times and logins. Every call of a session extends it.
struct SessionTable {
    /// The maximum number of sessions. A new session then evicts the one that would expire first.
    static let capacity = 10_000

    private let timeout: TimeAmount
    private var sessions: [ClientID: (end: NIODeadline, login: SessionLogin)] = [:]

    init(timeout: Duration) {
        self.timeout = TimeAmount(timeout)
    }

    var count: Int { sessions.count }

    var clients: Set<ClientID> { Set(sessions.keys) }

    mutating func begin(_ client: ClientID, as login: SessionLogin, now: NIODeadline) {
        for (client, session) in sessions where session.end <= now { end(client) }
        if sessions.count >= Self.capacity, let first = sessions.min(by: { $0.value.end < $1.value.end }) {
            end(first.key)
        }
        sessions[client] = (now + timeout, login)
    }

    /// Changes the tables whose changes a session is notified of.
    mutating func changeNotifications(of client: ClientID, _ body: (inout Set<TableName>) -> Void) {
        guard var session = sessions[client] else { return }
        body(&session.login.notified)
        sessions[client] = session
    }

    /// The sessions that are notified of changes of a table.
    func clients(notifiedOf table: TableName) -> [ClientID] {
        sessions.filter { $0.value.login.notified.contains(table) }.map(\.key)
    }

    /// Extends a session and returns its login; nil if the client has no session or it has expired.
    mutating func use(_ client: ClientID, now: NIODeadline) -> SessionLogin? {
        guard let session = sessions[client], session.end > now else {
            end(client)
            return nil
        }
        sessions[client] = (now + timeout, session.login)
        return session.login
    }

    mutating func end(_ client: ClientID) { sessions[client] = nil }
}

/// The account and the schema of a session.
struct SessionLogin: Sendable {
    let account: ServedAccount
    let domain: String
    /// The schema of the service `DataService`.
    let schema: String
    /// The tables whose changes it is notified of.
    var notified: Set<TableName> = []
}
