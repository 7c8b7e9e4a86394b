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
    private enum SessionKey: Hashable {
        case login(LoginID)
        case anonymous(EndpointID)
    }

    private struct OpenAdapter {
        let adapter: Adapter
        let session: SessionKey
        let listener: AdapterListener
        let opened: NIODeadline
        var used: NIODeadline
        var timer: Scheduled<Void>?
        /// Who waits for the end of the adapter: its own call, while it is held.
        var ended: EventLoopPromise<Void>?
    }

    private let connector: ServerConnector
    private let store: CredentialStore
    private let directory: String
    private let limits: AdapterLimits
    private let logger: Logger
    private var sessions: [SessionKey: ServerSession] = [:]
    private var adapters: [String: OpenAdapter] = [:]
    /// Ids of adapters whose time may be over; at most one timer each, so it is as bounded as they are.
    private let expiries: (stream: AsyncStream<String>, continuation: AsyncStream<String>.Continuation)

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
        expiries = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Ends what used a login whenever the vault locks, and adapters whose time is over, until the task is cancelled.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await state in await self.store.states() where state == .locked { await self.vaultLocked() }
            }
            group.addTask {
                for await id in self.expiries.stream { await self.endIfDue(id) }
            }
        }
    }

    private func vaultLocked() async {
        await endAll { $0 != nil }
        for case .login(let login) in Array(sessions.keys) { await forget(login) }
    }

    // MARK: Adapters

    package var openAdapters: [Adapter] {
        adapters.values.map(\.adapter).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    package var sessionCount: Int { sessions.count }

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
        guard adapters.count < limits.adapters else { throw BrokerError.tooManyAdapters(limit: limits.adapters) }
        let login = anonymous ? nil : try await chooseLogin(name, for: endpoint)
        let key = login.map { SessionKey.login($0.id) } ?? .anonymous(endpoint.id)
        let session = session(key, endpoint: endpoint.id, login: login)
        do {
            try await session.open()
            await connector.registry.note(.reached, for: endpoint.id)
            return try await listen(endpoint, login: login, key: key, session: session, lifetime: lifetime)
        } catch {
            if case BrokerError.unreachable(let reason) = error {
                await connector.registry.note(.failed(reason: reason), for: endpoint.id)
            }
            await endSessionIfUnused(key)
            throw error
        }
    }

    package func close(_ id: String) async throws(BrokerError) {
        guard adapters[id] != nil else { throw .adapterNotFound(id) }
        await end(id)
    }

    /// Returns when the adapter has ended.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func waitForEnd(of id: String) async throws {
        guard adapters[id] != nil else { return }
        let ended = adapters[id]?.ended ?? connector.loop.makePromise(of: Void.self)
        adapters[id]?.ended = ended
        try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            ended.fail(CancellationError())
        }
    }

    /// Closes every adapter and logs out every session.
    package func stop() async {
        await endAll { _ in true }
        expiries.continuation.finish()
    }

    /// Forgets that a server refused a login, because the user has acted, and ends what used it.
    package func forget(_ login: LoginID) async {
        for (id, open) in adapters where open.session == .login(login) { await end(id) }
        await sessions.removeValue(forKey: .login(login))?.close()
    }

    // MARK: Logins

    /// The identity of an endpoint as it is now.
    package func identity(of endpoint: Endpoint) async throws -> ServerIdentity {
        try await connector.identity(of: endpoint)
    }

    /// Tries a stored login, also one that the server refused before.
    package func test(_ login: Login) async throws -> [LoginStep] {
        await forgetRefusal(of: login.id)
        guard let endpoint = await connector.registry.endpoint(login.endpoint) else {
            throw BrokerError.unreachable(reason: "its endpoint is not in the list now")
        }
        return await connector.tryLogin(to: endpoint, binding: login.binding, named: login.name) { [store] clientID in
            try await store.withPassword(of: login.id, pin: login.pin) { password in
                try login.request(to: endpoint.services.login, password: password, for: clientID)
            }
        }
    }

    private func chooseLogin(_ name: String?, for endpoint: Endpoint) async throws -> Login {
        let logins = try await store.logins()
        if let name {
            guard let login = logins.first(where: { $0.name == name }) else {
                throw CredentialError.noSuchLogin(name)
            }
            guard login.endpoint == endpoint.id else {
                throw BrokerError.loginElsewhere(login: name, endpoint: login.endpoint)
            }
            return login
        }
        let fitting = logins.filter { $0.endpoint == endpoint.id }
        guard let login = fitting.first else { throw BrokerError.loginNeeded(endpoint: endpoint.name) }
        guard fitting.count == 1 else {
            throw BrokerError.loginAmbiguous(endpoint: endpoint.name, candidates: fitting.map(\.name))
        }
        return login
    }

    // MARK: Sessions

    private func session(_ key: SessionKey, endpoint: EndpointID, login: Login?) -> ServerSession {
        if let session = sessions[key] { return session }
        let session = ServerSession(endpoint: endpoint, login: login, connector: connector, store: store)
        sessions[key] = session
        return session
    }

    /// A session whose login was refused is kept, so that the next caller does not send the password again.
    private func endSessionIfUnused(_ key: SessionKey) async {
        guard !adapters.values.contains(where: { $0.session == key }), let session = sessions[key] else { return }
        if await session.isRefused { return }
        guard !adapters.values.contains(where: { $0.session == key }) else { return }
        sessions[key] = nil
        await session.close()
    }

    private func forgetRefusal(of login: LoginID) async {
        guard let session = sessions[.login(login)], await session.isRefused else { return }
        sessions[.login(login)] = nil
        await session.close()
    }

    // MARK: Leases

    private func listen(
        _ endpoint: Endpoint,
        login: Login?,
        key: SessionKey,
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
            lifetime: lifetime,
            created: Int64(time(nil))
        )
        let loginService = endpoint.services.login
        let listener = try await AdapterListener.open(
            at: adapter.socketPath,
            limits: limits,
            loop: connector.loop
        ) { [weak self] request in
            await self?.answer(request, through: session, adapter: id, loginService: loginService)
                ?? AdapterReply(BrokerError.closed, to: request)
        }
        // While the socket was made the vault may have locked or the session ended.
        guard sessions[key] === session else {
            listener.close()
            throw BrokerError.closed
        }
        adapters[id] = OpenAdapter(adapter: adapter, session: key, listener: listener, opened: .now(), used: .now())
        scheduleEnd(of: id)
        return adapter
    }

    private func answer(
        _ request: ByteBuffer,
        through session: ServerSession,
        adapter id: String,
        loginService: String
    ) async -> AdapterReply {
        adapters[id]?.used = .now()
        do {
            switch try ToolRequest(request, loginService: loginService) {
            case .answer(let reply):
                return AdapterReply(reply)
            case .forward(let message, let tool):
                if adapters[id]?.adapter.login != nil { await store.touch() }
                return AdapterReply(try await session.call(message, tool: tool))
            }
        } catch {
            return AdapterReply(error, to: request)
        }
    }

    /// One timer for each adapter that is not held: it looks when idle or lifetime would end next.
    private func scheduleEnd(of id: String) {
        guard let open = adapters[id], case .atMost(let longest) = open.adapter.lifetime else { return }
        let end = min(open.used + TimeAmount(limits.idle), open.opened + TimeAmount(longest))
        let expiries = expiries.continuation
        adapters[id]?.timer = connector.loop.scheduleTask(deadline: end) { expiries.yield(id) }
    }

    private func endIfDue(_ id: String) async {
        guard let open = adapters[id], case .atMost(let longest) = open.adapter.lifetime else { return }
        if .now() >= min(open.used + TimeAmount(limits.idle), open.opened + TimeAmount(longest)) {
            await end(id)
        } else {
            scheduleEnd(of: id)
        }
    }

    private func end(_ id: String) async {
        guard let open = adapters.removeValue(forKey: id) else { return }
        open.timer?.cancel()
        open.ended?.succeed()
        open.listener.close()
        await endSessionIfUnused(open.session)
    }

    private func endAll(where isIncluded: (_ login: String?) -> Bool) async {
        let ids = adapters.values.filter { isIncluded($0.adapter.login) }.map(\.adapter.id)
        for id in ids { await end(id) }
    }
}
