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
    ///   - isOwn: makes one that nobody else uses.
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

    /// - Parameter isAgreed: whether a person has just agreed to it.
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
        // While the socket was made the vault may have locked or the daemon been told to stop.
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

    /// Gives up the session of an adapter, which is not told to anybody.
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
