// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// The sessions with their expiry times and logins. Every call of a session extends it.
struct SessionTable {
    /// The maximum number of sessions. A new session then evicts the one that would expire first.
    static let capacity = 10_000

    private let timeout: TimeAmount
    private var ends: [ClientID: NIODeadline] = [:]
    private var logins: [ClientID: SessionLogin] = [:]

    init(timeout: Duration) {
        self.timeout = TimeAmount(timeout)
    }

    var count: Int { ends.count }

    var clients: Set<ClientID> { Set(ends.keys) }

    mutating func begin(_ client: ClientID, as login: SessionLogin? = nil, now: NIODeadline) {
        for (client, end) in ends where end <= now { self.end(client) }
        if ends.count >= Self.capacity, let first = ends.min(by: { $0.value < $1.value }) { end(first.key) }
        ends[client] = now + timeout
        logins[client] = login
    }

    /// The login of a session, expired or not.
    func login(of client: ClientID) -> SessionLogin? { logins[client] }

    /// Changes the tables whose changes a session is notified of.
    mutating func changeNotifications(of client: ClientID, _ body: (inout Set<TableName>) -> Void) {
        guard var login = logins[client] else { return }
        body(&login.notified)
        logins[client] = login
    }

    /// The sessions that are notified of changes of a table.
    func clients(notifiedOf table: TableName) -> [ClientID] {
        logins.filter { $0.value.notified.contains(table) }.map(\.key)
    }

    /// Extends a session. Returns false if the client has no session or it has expired.
    mutating func use(_ client: ClientID, now: NIODeadline) -> Bool {
        guard let end = ends[client], end > now else {
            self.end(client)
            return false
        }
        ends[client] = now + timeout
        return true
    }

    mutating func end(_ client: ClientID) {
        ends[client] = nil
        logins[client] = nil
    }
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
