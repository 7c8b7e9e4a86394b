// SPDX-License-Identifier: Apache-2.0

import Credentials
package import Endpoints
import EventLoops
import Glibc
import Logging
import NIOCore
import Platform
import Registry
import Remoting

/// Opening adapters, and their end.
extension ConnectionBroker {
    /// Opens an adapter, logging in first where a login is used.
    package func open(_ endpoint: Endpoint, _ order: AdapterOrder) async throws -> Adapter {
        try beginOpening()
        defer { opening -= 1 }
        let login = order.isAnonymous ? nil : try await chooseLogin(order.login, for: endpoint)
        try check(.use, of: endpoint, for: login, agreed: order.agreed)
        if order.hasOwnSession { try await checkRefusals(of: login) }
        let seat = try takeSeat(at: endpoint, login: login, isOwn: order.hasOwnSession)
        do {
            try await seat.session.open()
            try Task.checkCancellation()
            let adapter = try await listen(order, seat, login: login)
            await connector.registry.remember(endpoint.id)
            return adapter
        } catch {
            leave(seat)
            throw error
        }
    }

    package func close(_ id: String, because reason: AdapterEnd = .closed) throws(BrokerError) {
        guard let open = adapters[id], open.grant == nil else { throw .adapterNotFound(id) }
        end(id, reason)
    }

    /// Returns when the adapter has ended, and why; immediately if there is none.
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

    /// Counts one that is being opened; the caller counts it off again.
    func beginOpening() throws(BrokerError) {
        guard !isStopping else { throw .closed }
        guard adapters.count + opening < limits.adapters else { throw .tooManyAdapters(limit: limits.adapters) }
        opening += 1
    }

    private func place(of form: AdapterForm, for id: String) throws(PlatformError) -> AdapterListener.Place {
        switch form {
        case .socket: .socket(path: "\(directory)/\(id).sock")
        case .loopback: .loopback(port: 0, path: try LoopbackGate.makePath())
        case .session: preconditionFailure("a session that is handed out has no place to listen at")
        }
    }

    /// Becomes a user of the session that calls of a login go to.
    ///
    /// - Parameters:
    ///   - isOwn: makes one that no other adapter uses.
    ///   - clientID: of that session, where its caller has chosen it.
    /// - Throws: what `checkUnchanged` throws.
    func takeSeat(
        at endpoint: Endpoint,
        login: Login?,
        isOwn: Bool = false,
        clientID: ClientID? = nil
    ) throws -> Seat {
        if let login { try checkUnchanged(login) }
        let shared = login.map(\.sessionKey) ?? SharedSessions<ServerSession>.Key.anonymous(endpoint.id)
        var key = shared
        if isOwn {
            ownSessions += 1
            key = .own(ownSessions, shared.login)
        }
        let session = sessions.take(key) {
            ServerSession(
                endpoint: endpoint.id,
                login: login,
                clientID: clientID,
                connector: connector,
                store: store
            )
        }
        return Seat(at: endpoint, login: login, key: key, sharedKey: shared, session: session)
    }

    /// - Parameter isAgreed: whether the user has just agreed to it.
    func check(_ scope: MethodScope, of endpoint: Endpoint, isAgreed: Bool) throws(BrokerError) {
        let access = Access(
            peer: nil,
            user: geteuid(),
            route: .main,
            action: .method(scope),
            vault: store.stateNow,
            constraints: endpoint.constraints,
            isAgreed: isAgreed
        )
        if let refusal = access.refusal { throw .refused(refusal) }
    }

    /// A login that the server has refused is not tried again in another session.
    func checkRefusals(of login: Login?) async throws {
        guard let login, let shared = sessions.current(login.sessionKey), isHeldBack(shared) else { return }
        try await shared.open()
    }

    private func listen(_ order: AdapterOrder, _ seat: Seat, login: Login?) async throws -> Adapter {
        var id = ""
        repeat { id = HexText.encode(try SystemRandom().bytes(4)) } while adapters[id] != nil
        let listener = try await listener(at: try place(of: order.form, for: id), adapter: id)
        // While the socket was made the vault may have been locked, or the daemon stopped.
        guard sessions.isCurrent(seat.session, for: seat.key), !isStopping else {
            listener.close()
            throw BrokerError.closed
        }
        let adapter = Adapter(
            id: id,
            address: listener.address,
            login: login?.name,
            target: seat.target,
            lifetime: order.lifetime.bounded(by: limits.longest),
            hasOwnSession: order.hasOwnSession,
            peer: AuditPeer.caller,
            created: Int64(time(nil))
        )
        enter(adapter, listener, seat)
        store.audit?.note(
            AuditEntry(.adapterOpened, endpoint: seat.target.endpoint, login: login?.id, strength: login?.pin.strength)
        )
        logger.info(
            "adapter opened",
            metadata: ["adapter": "\(id)", "endpoint": "\(Printable(seat.target.endpointName))"]
        )
        return adapter
    }

    /// Counts an adapter that has a session among those that are open.
    func enter(_ adapter: Adapter, _ listener: AdapterListener?, _ seat: Seat) {
        adapters[adapter.id] = OpenAdapter(adapter, listener: listener, seat: seat, loop: connector.loop)
        use(seat.target.endpoint)
        scheduleEnd(of: adapter.id)
        tell(.opened(adapter))
    }

    func listener(at place: AdapterListener.Place, adapter id: String) async throws -> AdapterListener {
        try await AdapterListener.open(
            at: place,
            limits: limits,
            budget: budget,
            loop: connector.loop
        ) { [weak self] request, share in
            await self?.answer(request, adapter: id, share) ?? AdapterReply(BrokerError.closed, to: request)
        }
    }

    // MARK: Ends

    /// One timer for each adapter that time may end: it looks when idle or lifetime would end next.
    func scheduleEnd(of id: String) {
        adapters[id]?.timer?.cancel()
        guard let deadline = adapters[id]?.deadline(idle: limits.idle) else { return }
        adapters[id]?.timer = connector.loop.scheduleTask(deadline: deadline, for: self) { $0.endIfDue(id) }
    }

    private func endIfDue(_ id: String) {
        guard let open = adapters[id], let deadline = open.deadline(idle: limits.idle) else { return }
        guard .now() >= deadline else { return scheduleEnd(of: id) }
        guard open.adapter.lifetime.isStanding, !open.isOver(at: .now()) else { return end(id, .expired) }
        leaveSeat(of: id)
        scheduleEnd(of: id)
    }

    func use(_ endpoint: EndpointID) { connector.registry.beginUseNow(of: endpoint) }

    /// Releases the session of an adapter, without an event for watchers.
    func leaveSeat(of id: String) {
        guard let seat = adapters[id]?.seat else { return }
        adapters[id]?.seat = nil
        connector.registry.endUseNow(of: seat.target.endpoint)
        store.audit?.note(AuditEntry(.adapterEnded, endpoint: seat.target.endpoint, login: seat.key.login))
        leave(seat)
    }

    func end(_ id: String, _ reason: AdapterEnd) {
        leaveSeat(of: id)
        guard let open = adapters.removeValue(forKey: id) else { return }
        open.end(reason)
        if open.grant == nil { tell(.ended(open.adapter, reason)) }
        logger.info("adapter ended", metadata: ["adapter": "\(id)", "reason": "\(reason)"])
    }

    /// Ends the adapters whose session is gone; standing ones take a new one when they are used next.
    func end(_ reason: AdapterEnd, where isIncluded: (SharedSessions<ServerSession>.Key) -> Bool) {
        for (id, open) in adapters {
            guard let seat = open.seat, isIncluded(seat.key) else { continue }
            if open.adapter.lifetime.isStanding { leaveSeat(of: id) } else { end(id, reason) }
        }
    }
}

/// Adapters that stand while the daemon runs, and log in when they are used.
extension ConnectionBroker {
    /// Opens the adapters of the configuration. No server is contacted.
    ///
    /// - Returns: the names of those that could not be opened, each with a reason that is safe to show.
    package func open(_ standing: [StandingAdapter]) async -> [(name: String, reason: String)] {
        var problems: [(name: String, reason: String)] = []
        for adapter in standing {
            do {
                try await open(adapter)
            } catch {
                problems.append((adapter.name, "\(error)"))
                logger.warning("adapter not opened", metadata: ["adapter": "\(adapter.name)", "error": "\(error)"])
            }
        }
        return problems
    }

    private func open(_ standing: StandingAdapter) async throws {
        try beginOpening()
        defer { opening -= 1 }
        guard adapters[standing.name] == nil else { throw BrokerError.adapterSocket(reason: "the name is taken") }
        let listener = try await listener(at: try await place(of: standing), adapter: standing.name)
        guard !isStopping else {
            listener.close()
            throw BrokerError.closed
        }
        let adapter = Adapter(
            id: standing.name,
            address: listener.address,
            login: standing.login,
            target: nil,
            lifetime: .standing,
            hasOwnSession: false,
            peer: nil,
            created: Int64(time(nil))
        )
        adapters[standing.name] = OpenAdapter(adapter, listener: listener, seat: nil, loop: connector.loop)
        tell(.opened(adapter))
        logger.info("adapter opened", metadata: ["adapter": "\(standing.name)"])
    }

    private func place(of standing: StandingAdapter) async throws -> AdapterListener.Place {
        switch standing.place {
        case .socket: return .socket(path: "\(directory)/\(standing.name).sock")
        case .loopback(let port, let path?): return .loopback(port: port, path: path)
        case .loopback(let port, nil):
            let kept = try await paths?.path(of: standing.name)
            return .loopback(port: port, path: try kept ?? LoopbackGate.makePath())
        }
    }

    /// The session that a call through an adapter goes to. A standing one takes it now where it has none.
    func takeSeat(of id: String) async throws -> Seat {
        guard let open = adapters[id] else { throw BrokerError.closed }
        if let seat = open.seat { return seat }
        let login = try await login(of: open)
        let endpoint = try await endpoint(of: login)
        // Another call may have done the same meanwhile, or the adapter ended.
        guard let now = adapters[id], !isStopping else { throw BrokerError.closed }
        if let seat = now.seat { return seat }
        // The user cannot be asked about each login of a permanent adapter.
        if open.adapter.lifetime.isStanding { try check(.use, of: endpoint, isAgreed: false) }
        let seat = try takeSeat(at: endpoint, login: login)
        adapters[id]?.seat = seat
        adapters[id]?.adapter.target = seat.target
        use(endpoint.id)
        store.audit?.note(
            AuditEntry(.adapterOpened, endpoint: endpoint.id, login: login.id, strength: login.pin.strength, peer: nil)
        )
        scheduleEnd(of: id)
        return seat
    }
}
