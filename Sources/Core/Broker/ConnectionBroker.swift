// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import EventLoops
package import Logging
import NIOCore
import Platform
package import Registry
import Remoting

/// Opens configured, logged-in adapters: chooses the login, shares sessions, and keeps the leases.
package actor ConnectionBroker {
    /// Finds logins, and decides whether they may be used.
    let access: LoginAccess
    private let connector: ServerConnector
    let store: CredentialStore
    let sockets: AdapterSockets
    let parser: ToolRequestParser
    private let limits: AdapterLimits
    private let logger: Logger
    private var sessions = SharedSessions<ServerSession>()
    /// Sessions to log out. `run` logs them out, and `stop` logs out the rest.
    private var retired = RetiredSessions()
    var adapters: OpenAdapters
    private var watchers = AdapterWatchers()
    /// One line of the audit log for a grant whose program goes on with calls that it does not permit.
    var refusalLines = RepeatLimit<String>(interval: .seconds(60), keys: 256)

    /// The event loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        connector.loop.executor.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - directory: the directory of adapters' sockets: owned by the user, mode 0700, and short enough for a socket's
    ///     path.
    ///   - grantsDirectory: the directory of grants' directories, with the same conditions.
    ///   - paths: the file for the paths of configured adapters; nil keeps none.
    ///   - state: the state directory, with the default login; nil for no default.
    package init(
        connector: ServerConnector,
        store: CredentialStore,
        directory: String,
        grantsDirectory: String,
        paths: LoopbackPaths? = nil,
        state: String? = nil,
        limits: AdapterLimits = AdapterLimits(),
        logger: Logger
    ) {
        self.connector = connector
        self.store = store
        self.limits = limits
        self.logger = logger
        access = LoginAccess(store: store, registry: connector.registry, state: state, pool: connector.pool)
        sockets = AdapterSockets(
            directory: directory,
            grantsDirectory: grantsDirectory,
            paths: paths,
            limits: limits,
            audit: store.audit,
            loop: connector.loop
        )
        parser = ToolRequestParser(width: limits.parsers, loop: connector.loop, pool: connector.pool)
        adapters = OpenAdapters(limit: limits.adapters)
    }

    /// Adds and changes logins with the servers that this broker reaches.
    package nonisolated var enrolment: Enrolment { Enrolment(broker: self, store: store, connector: connector) }

    /// The alternate addresses at which servers were last reached.
    package nonisolated var inUse: PlacesInUse { connector.inUse }

    nonisolated var audit: AuditLog? { store.audit }

    // MARK: The run

    /// Until cancelled: ends all uses of logins when the vault locks, and logs out sessions that are no longer used.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                // By number, because a lock counts also if the vault is open again before this task runs.
                var known: UInt64 = 0
                for await count in await self.store.lockCounts() where count != known {
                    known = count
                    await self.vaultLocked()
                }
            }
            for await session in retired.stream {
                group.addTask { await self.logOut(session) }
            }
        }
    }

    /// Closes every adapter, logs out every session, and opens no further ones.
    package func stop() async {
        adapters.stop()
        for session in sessions.removeAll(where: { _ in true }) { retired.add(session) }
        for id in adapters.ids { end(id, .stopping) }
        retired.finish()
        await withDiscardingTaskGroup { group in
            for session in retired.remaining { group.addTask { await self.logOut(session) } }
        }
    }

    /// Whether an adapter or a session still needs the vault. False after a lock, once every logout was answered or
    /// timed out.
    package var usesVault: Bool { !retired.isEmpty || adapters.usesVault }

    private func vaultLocked() {
        // A refusal of a login by the server stays recorded. Unlocking is no reason to send the password again.
        for session in sessions.removeUsed(where: \.needsVault) { retired.add(session) }
        end(.vaultLocked) { $0.needsVault }
    }

    private func logOut(_ session: ServerSession) async {
        let left = await session.close()
        if left > 0 {
            logger.info("the server was not notified that its session has ended", metadata: ["sessions": "\(left)"])
        }
        retired.remove(session)
    }

    // MARK: Sessions

    /// The number of sessions in use.
    package var sessionCount: Int { sessions.usedCount }

    /// Returns a lease on the session for calls of a login.
    ///
    /// - Parameter isOwn: makes a session that no other lease shares.
    /// - Throws: the errors of `LoginAccess.checkUnchanged`.
    func acquireSession(
        at endpoint: Endpoint,
        login: Login?,
        isOwn: Bool = false
    ) throws -> SessionLease {
        if let login { try access.checkUnchanged(login) }
        let shared = login.map(\.sessionKey) ?? SharedSessions<ServerSession>.Key.anonymous(endpoint.id)
        let key = isOwn ? sessions.ownKey(for: shared.login) : shared
        let session = sessions.take(key) {
            let alternates = login?.origin == .vault ? store.readableAlternatesNow(of: endpoint.id) : []
            return ServerSession(
                endpoint: endpoint.id,
                login: login,
                alternates: alternates,
                connector: connector,
                store: store
            )
        }
        return SessionLease(at: endpoint, login: login, key: key, sharedKey: shared, session: session)
    }

    /// Returns the session for a call through an adapter. A permanent adapter acquires one now if it has none.
    func acquireSession(of id: String) async throws -> SessionLease {
        guard let open = adapters[id] else { throw BrokerError.closed }
        if open.isOver(at: .now) { throw open.grant == nil ? BrokerError.closed : .refused(.grantIsOver) }
        if let lease = open.lease { return lease }
        let login = try await access.login(of: open)
        let endpoint = try await access.endpoint(of: login)
        // Another call may have acquired a session meanwhile, or the adapter may have ended.
        guard let now = adapters[id], !adapters.isStopping else { throw BrokerError.closed }
        if let lease = now.lease { return lease }
        // The user cannot approve each login of a permanent adapter. The rules of a grant judge each of its calls.
        if open.grant == nil, open.adapter.lifetime.isPermanent {
            try access.check(.use, of: endpoint, isAgreed: false)
        }
        let lease = try acquireSession(at: endpoint, login: login)
        adapters.setLease(lease, of: id)
        connector.registry.beginUseNow(of: endpoint.id)
        audit?.note(
            AuditEntry(
                .adapterOpened,
                endpoint: endpoint.id,
                login: login.id,
                strength: lease.session.strengthNow,
                peer: nil
            )
        )
        scheduleEnd(of: id)
        return lease
    }

    /// Checks that the session is still valid. Meanwhile the vault may have locked, or the daemon may be stopping.
    ///
    /// - Throws: `BrokerError.closed`
    func checkCurrent(_ lease: SessionLease?) throws(BrokerError) {
        guard !adapters.isStopping else { throw .closed }
        if let lease, !sessions.isCurrent(lease.session, for: lease.key) { throw .closed }
    }

    /// Checks that the server has not refused the login in another session.
    func checkRefusals(of login: Login?) async throws {
        guard let login, let shared = sessions.current(login.sessionKey), shared.withholdsPasswordNow else { return }
        try await shared.open()
    }

    func release(_ lease: SessionLease) {
        let isKept = !lease.key.isOwn
        // A session that withholds its password outlives its users, so that the next one does not send it.
        let session = sessions.release(lease.session, for: lease.key) { isKept && $0.withholdsPasswordNow }
        guard var unused = session else { return }
        if lease.key.isOwn, unused.withholdsPasswordNow {
            // The next session of the login must know of a refusal in an own session.
            guard let surplus = sessions.keep(unused, as: lease.sharedKey) else { return }
            unused = surplus
        }
        retired.add(unused)
    }

    // MARK: Adapters

    /// The open adapters without grants, the oldest first.
    package var openAdapters: [Adapter] { adapters.adapters }

    /// The grants, the oldest first.
    package var grants: [Grant] { adapters.grants }

    /// Opens an adapter. If it uses a login, logs in first.
    package func open(_ request: AdapterRequest) async throws -> Adapter {
        try adapters.beginOpening()
        defer { adapters.endOpening() }
        let chosen = try await access.choose(request.use)
        let (endpoint, login) = (chosen.endpoint, chosen.login)
        try access.check(.use, of: endpoint, for: login, agreed: request.agreed)
        if request.hasOwnSession { try await checkRefusals(of: login) }
        let lease = try acquireSession(at: endpoint, login: login, isOwn: request.hasOwnSession)
        do {
            try await lease.session.open()
            try Task.checkCancellation()
            let id = try adapters.unusedID()
            let listener = try await listener(at: try sockets.place(of: request.form, for: id), adapter: id, in: lease)
            let lifetime = request.lifetime.bounded(by: limits.longest)
            let adapter = Adapter(id: id, listener.address, lease, chosen, lifetime)
            insert(adapter, listener, lease)
            audit?.note(
                AuditEntry(
                    .adapterOpened,
                    endpoint: lease.target.endpoint,
                    login: login?.id,
                    strength: lease.session.strengthNow
                )
            )
            await connector.registry.remember(endpoint.id)
            return adapter
        } catch {
            release(lease)
            throw error
        }
    }

    /// Opens the adapters of the configuration. No server is contacted.
    ///
    /// - Returns: the names of those that could not be opened, each with a reason that is safe to show.
    package func open(_ configured: [ConfiguredAdapter]) async -> [(name: String, reason: String)] {
        var problems: [(name: String, reason: String)] = []
        for adapter in configured {
            do {
                try await open(adapter)
            } catch {
                problems.append((adapter.name, "\(error)"))
                logger.warning("adapter not opened", metadata: ["adapter": "\(adapter.name)", "error": "\(error)"])
            }
        }
        return problems
    }

    private func open(_ configured: ConfiguredAdapter) async throws {
        try adapters.beginOpening()
        defer { adapters.endOpening() }
        guard adapters[configured.name] == nil else { throw BrokerError.adapterSocket(reason: "the name is taken") }
        let listener = try await listener(at: try await sockets.place(of: configured), adapter: configured.name)
        insert(Adapter(configured, listener.address), listener)
    }

    /// Listens for calls of an adapter.
    ///
    /// - Parameter lease: the adapter's session; nil if it has none yet.
    /// - Throws: the errors of `checkCurrent`. The socket is closed again then.
    func listener(
        at place: AdapterListener.Place,
        adapter id: String,
        in lease: SessionLease? = nil
    ) async throws -> AdapterListener {
        let listener = try await sockets.listener(at: place) { [weak self] request, share in
            await self?.answer(request, adapter: id, share) ?? AdapterReply(BrokerError.closed, to: request.bytes)
        }
        do {
            try checkCurrent(lease)
            return listener
        } catch {
            listener.close()
            throw error
        }
    }

    /// Adds an adapter or a grant.
    func insert(_ adapter: Adapter, _ listener: AdapterListener, _ lease: SessionLease? = nil, grant: Grant? = nil) {
        let open = OpenAdapter(adapter, listener: listener, lease: lease, grant: grant, loop: connector.loop)
        adapters.insert(open)
        if let lease { connector.registry.beginUseNow(of: lease.target.endpoint) }
        scheduleEnd(of: adapter.id)
        if grant == nil { publish(.opened(adapter)) }
        logger.info(open.openingMessage, metadata: open.logMetadata)
    }

    /// Closes an adapter. Throws `adapterNotFound` also for the ID of a grant.
    package func close(_ id: String, because reason: AdapterCloseReason = .closed) throws(BrokerError) {
        guard let open = adapters[id], open.grant == nil else { throw .adapterNotFound(id) }
        end(id, reason)
    }

    /// Waits until the adapter has ended, and returns the reason. Returns immediately if there is no such adapter.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func waitForEnd(of id: String) async throws -> AdapterCloseReason {
        guard adapters[id] != nil else { return .closed }
        let ended = connector.loop.makePromise(of: AdapterCloseReason.self)
        adapters.addWaiter(ended, to: id)
        return try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            ended.fail(CancellationError())
        }
    }

    /// Starts the adapter's timer, which fires when its idle timeout or its lifetime may be over next.
    private func scheduleEnd(of id: String) {
        let timer = adapters[id]?.deadline(idle: limits.idle).map { deadline in
            connector.loop.scheduleTask(in: TimeAmount(deadline - .now), for: self) { $0.endIfDue(id) }
        }
        adapters.setTimer(timer, of: id)
    }

    private func endIfDue(_ id: String) {
        switch adapters[id]?.timerStep(idle: limits.idle, at: .now) {
        case nil: break
        case .wait: scheduleEnd(of: id)
        case .releaseSession:
            releaseSession(of: id)
            scheduleEnd(of: id)
        case .close: end(id, .expired)
        }
    }

    /// Releases the session of an adapter. Watchers are not notified.
    func releaseSession(of id: String) {
        guard let lease = adapters.removeLease(of: id) else { return }
        connector.registry.endUseNow(of: lease.target.endpoint)
        audit?.note(AuditEntry(.adapterEnded, endpoint: lease.target.endpoint, login: lease.key.login))
        release(lease)
    }

    func end(_ id: String, _ reason: AdapterCloseReason) {
        releaseSession(of: id)
        guard let open = adapters.remove(id) else { return }
        open.end(reason)
        if open.grant == nil { publish(.ended(open.adapter, reason)) }
        logger.info("adapter ended", metadata: ["adapter": "\(id)", "reason": "\(reason)"])
    }

    /// Ends the adapters whose session has ended. Permanent adapters acquire a new session at their next use.
    private func end(_ reason: AdapterCloseReason, where isIncluded: (SharedSessions<ServerSession>.Key) -> Bool) {
        for id in adapters.ids(whereKey: isIncluded) {
            if adapters[id]?.adapter.lifetime.isPermanent == true { releaseSession(of: id) } else { end(id, reason) }
        }
    }

    /// The rules of the adapter's address, with the endpoint's settings.
    func rules(of id: String, in lease: SessionLease) -> AdapterRules {
        var rules = lease.rules
        // A setting that was changed after the adapter was opened counts too.
        let endpoint = lease.target.endpoint
        rules.constraints = connector.registry.constraintsNow(of: endpoint)
        rules.isOtherDatabase = lease.session.hasOtherDatabaseNow
        if let grant = adapters[id]?.grant {
            rules.route = .grant(grant.filter, isOver: adapters[id]?.isOver(at: .now) ?? true)
        }
        return rules
    }

    /// The number of bytes that are free for the requests and replies of all adapters.
    var freeRequestBytes: Int { sockets.freeRequestBytes }

    // MARK: Logins and servers

    /// Returns the current identity of an endpoint. An answer of the server does not end a conflict.
    ///
    /// - Parameter wanted: how the server is identified; nil uses the administrator's entry, then the pin, then the
    ///   key.
    package func identity(of endpoint: Endpoint, by wanted: ServerTrust? = nil) async throws -> ServerIdentity {
        try await connector.currentIdentity(of: endpoint, by: wanted, pinned: await store.readablePin(of: endpoint.id))
    }

    /// Tests a stored login, also one that the server refused before. Once it is accepted, adapters use it again.
    package func test(_ login: Login) async throws -> LoginTrial {
        let trial = try await connector.tryStored(login, at: try await access.endpoint(of: login), in: store)
        let isAccepted = trial.steps.contains { $0.name == "login" && $0.isOK }
        if isAccepted, let session = sessions.current(login.sessionKey) {
            await session.resume()
            if let unused = sessions.removeIfUnused(login.sessionKey) { retired.add(unused) }
        }
        return trial
    }

    /// Ends the adapters, grants and sessions of a login that was changed or removed.
    package func forget(_ login: LoginID) {
        connector.gate.forget(login)
        for session in sessions.removeAll(where: { $0.login == login }) { retired.add(session) }
        end(.loginForgotten) { $0.login == login }
        // A grant permits the login as it was.
        for id in adapters.grants(of: login) { end(id, .loginForgotten) }
    }

    /// Makes the exchanges of a report on a server.
    ///
    /// - Throws: the errors of `open`; the errors of `CaptureRun.exchanges`.
    package func capture(
        _ use: NamedUse,
        triesWrongPassword: Bool,
        agreed: ShownUse? = nil
    ) async throws -> [CapturedExchange] {
        // First the checks that an approval by the user cannot change.
        try access.check(.use, of: try await access.place(of: use), isAgreed: true)
        let locks = await store.locks
        let chosen = try await access.choose(use)
        try access.check(.use, of: chosen.endpoint, for: chosen.login, agreed: agreed)
        return try await CaptureRun(connector: connector, store: store).exchanges(
            with: chosen.endpoint,
            login: chosen.login,
            since: locks,
            triesWrongPassword: triesWrongPassword
        )
    }

    // MARK: Watchers

    /// Returns the open adapters, and a stream of later events, which ends if the watcher is too slow.
    ///
    /// - Throws: `BrokerError.tooManyWatchers`
    package func watch() throws(BrokerError) -> (adapters: [Adapter], events: AsyncStream<AdapterEvent>) {
        let events = try watchers.add { [weak self, loop = connector.loop] number in
            guard let self else { return }
            loop.execute(for: self) { $0.watchers.remove(number) }
        }
        return (openAdapters, events)
    }

    var watcherCount: Int { watchers.count }

    func publish(_ event: AdapterEvent) { watchers.send(event) }
}
