// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Platform

/// The open adapters by ID, and the number of those that are being opened.
struct OpenAdapters {
    private let limit: Int
    private var entries: [String: OpenAdapter] = [:]
    /// Adapters that are being opened. They count towards the limit.
    private var opening = 0
    /// Whether opening adapters is no longer permitted.
    private(set) var isStopping = false

    /// - Parameter limit: the maximum number of adapters that are open or being opened.
    init(limit: Int) {
        self.limit = limit
    }

    subscript(id: String) -> OpenAdapter? { entries[id] }

    /// The IDs of all open adapters, in no order.
    var ids: [String] { Array(entries.keys) }

    /// The open adapters without grants, the oldest first.
    var adapters: [Adapter] {
        entries.values.filter { $0.grant == nil }.map(\.adapter).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// The grants, the oldest first.
    var grants: [Grant] {
        entries.values.compactMap(\.grant).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// Whether an adapter has a session that needs the vault.
    var usesVault: Bool { entries.values.contains { $0.lease?.key.needsVault == true } }

    /// Returns the adapters that have a session with a matching key.
    func ids(whereKey isIncluded: (SharedSessions<ServerSession>.Key) -> Bool) -> [String] {
        entries.filter { $0.value.lease.map { isIncluded($0.key) } ?? false }.map(\.key)
    }

    /// Returns the IDs of the grants of a login.
    func grants(of login: LoginID) -> [String] {
        entries.filter { $0.value.grant?.login == login }.map(\.key)
    }

    /// Returns a random ID that no open adapter has.
    func unusedID() throws -> String {
        while true {
            let id = HexText.encode(try SystemRandom().bytes(4))
            if entries[id] == nil { return id }
        }
    }

    // MARK: Opening

    /// Counts an adapter that is being opened. `endOpening` must follow.
    ///
    /// - Throws: `BrokerError.closed`, `.tooManyAdapters`
    mutating func beginOpening() throws(BrokerError) {
        guard !isStopping else { throw .closed }
        guard entries.count + opening < limit else { throw .tooManyAdapters(limit: limit) }
        opening += 1
    }

    mutating func endOpening() { opening -= 1 }

    /// Rejects adapters that are opened from now on.
    mutating func stop() { isStopping = true }

    mutating func insert(_ open: OpenAdapter) { entries[open.adapter.id] = open }

    mutating func remove(_ id: String) -> OpenAdapter? { entries.removeValue(forKey: id) }

    // MARK: An adapter

    /// Gives an adapter the session that its calls go to.
    mutating func setLease(_ lease: SessionLease, of id: String) {
        entries[id]?.lease = lease
        entries[id]?.adapter.target = lease.target
    }

    /// - Returns: the adapter's session; nil if it has none.
    mutating func removeLease(of id: String) -> SessionLease? {
        guard let lease = entries[id]?.lease else { return nil }
        entries[id]?.lease = nil
        return lease
    }

    /// Replaces the adapter's timer, and cancels the previous one.
    mutating func setTimer(_ timer: Scheduled<Void>?, of id: String) {
        entries[id]?.timer?.cancel()
        entries[id]?.timer = timer
    }

    /// - Parameter id: the ID of an open adapter.
    mutating func addWaiter(_ waiter: EventLoopPromise<AdapterCloseReason>, to id: String) {
        entries[id]?.waiters.append(waiter)
    }
}

extension LoginAccess {
    /// Returns the login of an adapter. A grant has the login that it was made for, even if that was renamed. A
    /// configured adapter has the login that has the configured name now.
    func login(of open: OpenAdapter) async throws -> Login {
        guard let name = open.adapter.login else { throw BrokerError.closed }
        guard let grant = open.grant else { return try await login(named: name) }
        let (logins, missing) = await store.loginsInReach()
        guard let login = logins.first(where: { $0.id == grant.login }) else { throw missing ?? .noSuchLogin(name) }
        return login
    }
}
