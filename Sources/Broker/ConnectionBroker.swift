// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Glibc
package import Logging
import NIOCore
import Platform
import Registry
import Remoting

/// Hands out configured, logged-in adapters: chooses the login, shares sessions, and keeps the leases.
package actor ConnectionBroker {
    let connector: ServerConnector
    let store: CredentialStore
    private let directory: String
    private let limits: AdapterLimits
    private let logger: Logger
    private let budget: RequestBudget
    var sessions = SharedSessions<ServerSession>()
    private(set) var adapters: [String: OpenAdapter] = [:]
    /// Adapters that are being opened count towards the limit.
    private var opening = 0
    private var isStopping = false
    /// Sessions to log out, which may take seconds: `run` does it, and `stop` does what `run` left.
    private var retired: [ObjectIdentifier: ServerSession] = [:]
    private let ended: (stream: AsyncStream<ServerSession>, continuation: AsyncStream<ServerSession>.Continuation)

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        connector.loop.executor.asUnownedSerialExecutor()
    }

    /// - Parameter directory: where adapters' sockets are made: ours, mode 0700, and short enough for a socket's path.
    package init(
        connector: ServerConnector,
        store: CredentialStore,
        directory: String,
        limits: AdapterLimits = AdapterLimits(),
        logger: Logger
    ) {
        self.connector = connector
        self.store = store
        self.directory = directory
        self.limits = limits
        self.logger = logger
        budget = RequestBudget(bytes: limits.totalRequestBytes, loop: connector.loop)
        ended = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Ends what used a login whenever the vault locks, and logs out sessions that nobody uses any more, until the task is
    /// cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await state in await self.store.states() where state != .unlocked { await self.vaultLocked() }
            }
            for await session in ended.stream {
                group.addTask { await self.logOut(session) }
            }
        }
    }

    /// Closes every adapter, logs out every session, and opens no more.
    package func stop() async {
        isStopping = true
        for session in sessions.removeAll(where: { _ in true }) { retire(session) }
        end(.stopping) { _ in true }
        ended.continuation.finish()
        await withDiscardingTaskGroup { group in
            for session in retired.values { group.addTask { await self.logOut(session) } }
        }
    }

    /// Whether an adapter or a session depends on the vault still: false once a lock has ended them all and servers have
    /// been told, or had their time.
    package var usesVault: Bool { !retired.isEmpty || adapters.values.contains { $0.key.needsVault } }

    private func vaultLocked() {
        // That a server refused a login is remembered: unlocking is no reason to send the password again.
        for session in sessions.removeUsed(where: \.needsVault) { retire(session) }
        end(.vaultLocked) { $0.needsVault }
    }

    func retire(_ session: ServerSession) {
        retired[ObjectIdentifier(session)] = session
        ended.continuation.yield(session)
    }

    private func logOut(_ session: ServerSession) async {
        await session.close()
        retired[ObjectIdentifier(session)] = nil
    }

    // MARK: Adapters

    package var openAdapters: [Adapter] {
        adapters.values.map(\.adapter).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    package var sessionCount: Int { sessions.usedCount }

    /// Opens an adapter, logging in first where a login is used.
    ///
    /// - Parameters:
    ///   - login: a login's name; nil takes the only login of the endpoint.
    ///   - anonymous: opens without a login, for servers that ask for none.
    package func open(
        _ endpoint: Endpoint,
        login name: String?,
        anonymous: Bool,
        lifetime: AdapterLifetime
    ) async throws -> Adapter {
        guard !isStopping else { throw BrokerError.closed }
        guard adapters.count + opening < limits.adapters else {
            throw BrokerError.tooManyAdapters(limit: limits.adapters)
        }
        opening += 1
        defer { opening -= 1 }
        let login = anonymous ? nil : try await chooseLogin(name, for: endpoint)
        let key = login.map(\.sessionKey) ?? SharedSessions<ServerSession>.Key.anonymous(endpoint.id)
        let session = sessions.take(key) {
            ServerSession(endpoint: endpoint.id, login: login, connector: connector, store: store)
        }
        do {
            try await session.open()
            try Task.checkCancellation()
            let adapter = try await listen(endpoint, login: login, key: key, session: session, lifetime: lifetime)
            await connector.registry.remember(endpoint.id)
            return adapter
        } catch {
            release(session, for: key)
            throw error
        }
    }

    package func close(_ id: String) throws(BrokerError) {
        guard adapters[id] != nil else { throw .adapterNotFound(id) }
        end(id, .closed)
    }

    /// Returns when the adapter has ended, and why; at once where there is none.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func waitForEnd(of id: String) async throws -> AdapterEnd {
        guard adapters[id] != nil else { return .closed }
        let ended = connector.loop.makePromise(of: AdapterEnd.self)
        adapters[id]?.waiters.append(ended)
        return try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            ended.fail(CancellationError())
        }
    }

    // MARK: Leases

    private func listen(
        _ endpoint: Endpoint,
        login: Login?,
        key: SharedSessions<ServerSession>.Key,
        session: ServerSession,
        lifetime: AdapterLifetime
    ) async throws -> Adapter {
        let id = HexText.encode(try SystemRandom().bytes(4))
        let adapter = Adapter(
            id: id,
            socketPath: "\(directory)/\(id).sock",
            endpoint: endpoint.id,
            endpointName: endpoint.name,
            login: login?.name,
            domain: login.flatMap { $0.domain.isEmpty ? nil : $0.domain },
            schema: login.flatMap { $0.schema.isEmpty ? nil : $0.schema },
            services: endpoint.services,
            lifetime: lifetime.bounded(by: limits.longest),
            created: Int64(time(nil))
        )
        let listener = try await AdapterListener.open(
            at: adapter.socketPath,
            limits: limits,
            budget: budget,
            loop: connector.loop
        ) { [weak self] request in
            await self?.answer(request, adapter: id) ?? AdapterReply(BrokerError.closed, to: request)
        }
        // While the socket was made the vault may have locked or the daemon been told to stop.
        guard sessions.isCurrent(session, for: key), !isStopping else {
            listener.close()
            throw BrokerError.closed
        }
        adapters[id] = OpenAdapter(
            adapter: adapter,
            key: key,
            session: session,
            listener: listener,
            opened: .now(),
            used: .now()
        )
        use(endpoint.id)
        scheduleEnd(of: id)
        store.audit?.note(
            AuditEntry(.adapterOpened, endpoint: endpoint.id, login: login?.id, tier: login?.pin.tier)
        )
        logger.info("adapter opened", metadata: ["adapter": "\(id)", "endpoint": "\(Printable(endpoint.name))"])
        return adapter
    }

    private func answer(_ request: ByteBuffer, adapter id: String) async -> AdapterReply {
        guard let open = adapters[id] else { return AdapterReply(BrokerError.closed, to: request) }
        adapters[id]?.used = .now()
        defer { adapters[id]?.used = .now() }
        do {
            let loginService = open.adapter.services.login
            let parsed = try await connector.offLoop(whenLarge: request) {
                try ToolRequest(request, loginService: loginService)
            }
            switch parsed {
            case .answer(let reply):
                return AdapterReply(reply)
            case .forward(let message, let tool):
                // A tool at work keeps the vault open up to its absolute limit.
                if open.key.needsVault { await store.touch() }
                return AdapterReply(try await open.session.call(message, tool: tool))
            }
        } catch {
            return AdapterReply(error, to: request)
        }
    }

    /// One timer for each adapter that is not held: it looks when idle or lifetime would end next.
    private func scheduleEnd(of id: String) {
        guard let deadline = adapters[id]?.deadline(idle: limits.idle) else { return }
        adapters[id]?.timer = connector.loop.scheduleTask(deadline: deadline) { [weak self] in
            self?.assumeIsolated { $0.endIfDue(id) }
        }
    }

    private func endIfDue(_ id: String) {
        guard let deadline = adapters[id]?.deadline(idle: limits.idle) else { return }
        if .now() >= deadline { end(id, .expired) } else { scheduleEnd(of: id) }
    }

    /// The registry lives on the same loop, so that nothing comes between a lease and what it is told of it.
    private func use(_ endpoint: EndpointID) {
        connector.registry.assumeIsolated { $0.beginUse(of: endpoint) }
    }

    private func end(_ id: String, _ reason: AdapterEnd) {
        guard let open = adapters.removeValue(forKey: id) else { return }
        open.end(reason)
        connector.registry.assumeIsolated { $0.endUse(of: open.adapter.endpoint) }
        store.audit?.note(AuditEntry(.adapterEnded, endpoint: open.adapter.endpoint, login: open.key.login))
        logger.info("adapter ended", metadata: ["adapter": "\(id)", "reason": "\(reason)"])
        release(open.session, for: open.key)
    }

    func end(_ reason: AdapterEnd, where isIncluded: (SharedSessions<ServerSession>.Key) -> Bool) {
        for id in adapters.filter({ isIncluded($0.value.key) }).keys { end(id, reason) }
    }

    private func release(_ session: ServerSession, for key: SharedSessions<ServerSession>.Key) {
        let unused = sessions.release(session, for: key, isKept: holdsBackPassword)
        if let unused { retire(unused) }
    }

    /// A session in which the password is held back outlives its users, so that the next one does not send it after all.
    private func holdsBackPassword(_ session: ServerSession) -> Bool {
        // Both actors live on the one loop.
        session.assumeIsolated { $0.holdsBackPassword }
    }
}
