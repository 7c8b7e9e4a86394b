// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import Platform
import Registry
import Remoting
import Services

/// A logged-in session on one server, shared by all adapters of the same login. Its ClientID does not leave the actor.
actor ServerSession {
    /// The time limit of one call as a whole.
    static let callDeadline = Duration.seconds(60)

    private let endpointID: EndpointID
    private let login: Login?
    /// The other addresses of the endpoint. When they change, the sessions of its logins end.
    private let alternates: [PinnedEndpoint]
    private let connector: ServerConnector
    private let store: CredentialStore
    private let loop: any EventLoop

    private var state: SessionState
    private var random = SystemRandomNumberGenerator()
    /// The session of the last login. It stays during a new login, because calls in progress still end over its
    /// channel.
    private var live: LiveSession?
    /// Sessions that may exist on the server although they are not used, because the reply to their login was lost.
    private var abandoned: [LiveSession] = []
    /// The address of the first login. Later ones stay with its database.
    private var home: ServerPlace?
    /// The session that the login in progress makes. `logIn` makes it live or discards it, also if this actor is closed
    /// meanwhile.
    private var loggingIn: LiveSession?
    /// Whether the server showed another identity to the last call.
    private var isOther = false
    private static let mostAbandoned = 8
    /// The end of the login in progress; nil if no caller waits for it.
    private var loginEnd: EventLoopPromise<Void>?
    /// The position in the queue of sessions that want to send the same login.
    private var ticket: LoginGate.Ticket?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - login: nil for a session without a login.
    ///   - alternates: the other addresses of the endpoint, for a login of the vault.
    init(
        endpoint: EndpointID,
        login: Login?,
        alternates: [PinnedEndpoint] = [],
        connector: ServerConnector,
        store: CredentialStore
    ) {
        endpointID = endpoint
        self.login = login
        self.alternates = alternates
        self.connector = connector
        self.store = store
        loop = connector.loop
        let pins = [login?.pin].compactMap(\.self) + alternates.map(\.pin)
        let isOnTrust = pins.contains { $0.strength == .address }
        state = SessionState(isOnTrust ? .onTrust : .proved, isRenewed: login != nil)
    }

    /// The strength of the pin of the address in use; nil if that depends on which address answers.
    var strength: PinStrength? {
        if let live { return live.place.pinned?.pin.strength }
        return alternates.isEmpty ? login?.pin.strength : nil
    }

    /// The server said no, or asks too often, and another session would send the password again.
    var withholdsPassword: Bool { state.withholdsPassword(at: .now()) }

    /// Permits to send the password again, because the user has seen that the server accepts it.
    func resume() {
        state.resume()
        connector.relogins[endpointID] = []
    }

    /// Logs in, unless the session is open.
    ///
    /// - Throws: `BrokerError`, or a `CredentialError` if the password cannot be read; `BrokerError.identityConflict` also
    ///   if the server of the open session has another identity now.
    func open() async throws {
        let live = try await perform { state.wanted(at: .now(), isSending: false) }
        guard isOther else { return }
        // Each call would fail. The server may be the right one again.
        do {
            try await connector.recordingContact(endpointID, isContact: false) {
                try await connector.tryConnecting(to: live.channel.target, live.place)
            }
            isOther = false
        } catch BrokerError.identityConflict(let reason) {
            throw BrokerError.identityConflict(reason)
        } catch {}
    }

    /// Sends a tool's request inside the session and returns the server's reply with every trace of the session
    /// replaced by the tool's own ClientID.
    ///
    /// If the server has lost the session, logs in again and repeats the request once. An exception reports the loss,
    /// so exceptions are kept in memory. A normal reply is passed on as it arrives and is never requested again.
    ///
    /// - Parameters:
    ///   - isRepeatable: as in `RemotingChannel.begin`.
    ///   - share: provides the memory for replies that are kept.
    /// - Throws: `BrokerError`, or a `CredentialError` if the password cannot be read.
    func call(
        _ request: ByteBuffer,
        tool: ClientID,
        isRepeatable: Bool,
        _ share: RequestShare
    ) async throws -> PassingReply {
        let call = (bytes: request, tool: tool, isRepeatable: isRepeatable)
        let deadline = NIODeadline.now() + TimeAmount(Self.callDeadline)
        do {
            let first = try await perform { state.wanted(at: .now()) }
            let (reply, isLost) = try await reply(to: call, in: first, share, before: deadline)
            guard login != nil, isLost else { return reply }
            let second = try await perform { state.lost(first.generation, at: .now()) }
            // The request may have taken effect at the first address, whatever that server says.
            guard second.place.alternate == first.place.alternate else { throw BrokerError.closed }
            return try await self.reply(to: call, in: second, share, before: deadline).reply
        } catch let error as RemotingError {
            throw BrokerError(error)
        }
    }

    /// Requests a path of the server, such as that of the description of its services, outside of the session.
    ///
    /// - Throws: the errors of `ServerConnector.page`; `BrokerError.protocolFailure` for a page with the session's
    ///   ClientID.
    func page(at path: ServerPath = .own) async throws -> ServerPage {
        let page = try await connector.page(of: endpointID, for: login?.pinned, at: path, of: live?.place)
        guard let clientID = live?.clientID else { return page }
        let isEcho = try await connector.pool.perform {
            ClientIDEcho.isFound(clientID, in: page.body, limit: ServerConnector.pageBytes)
        }
        guard !isEcho else { throw BrokerError.protocolFailure(reason: "a page that contains the session's ClientID") }
        return page
    }

    /// Ends the session and logs it out on the server, within a time limit. A login whose password was already sent is
    /// not awaited: it logs out on its own when it ends. A login whose password was not sent yet does not send it.
    ///
    /// - Returns: the number of sessions that may stay on the server until they time out there.
    func close() async -> Int {
        let wasOpen = state.isOpen
        state.close()
        if let ticket { connector.gate.leaveWaiting(ticket, BrokerError.closed) }
        loginEnd.take()?.fail(BrokerError.closed)
        let ending = abandoned + (wasOpen ? [live] : []).compactMap { $0 }
        let under = loggingIn?.channel
        let channels = (abandoned.map(\.channel) + [live?.channel].compactMap { $0 }).filter { $0 !== under }
        abandoned = []
        live = nil
        await under?.endCalls()
        // Waiting calls must neither be sent now nor delay the logout.
        for channel in channels { await channel.endCalls() }
        let left = await logOut(of: ending)
        for channel in channels { await channel.close() }
        return left
    }

    // MARK: One call

    private func reply(
        to call: (bytes: ByteBuffer, tool: ClientID, isRepeatable: Bool),
        in live: LiveSession,
        _ share: RequestShare,
        before deadline: NIODeadline
    ) async throws -> (reply: PassingReply, isSessionLost: Bool) {
        let arriving = try await send(call.bytes, isRepeatable: call.isRepeatable, in: live, before: deadline)
        let scrubber = live.scrubber.behind(call.tool)
        switch arriving.header.kind {
        case .exception:
            let bytes = try await arriving.collect(atMost: WireLimits.exceptionBytes, before: deadline, share.take)
            let isLost = try ReplyMessage.exception(in: bytes)?.isSessionNotFound == true
            return (PassingReply(try scrubber.scrubbed(message: bytes)), isLost)
        case .pollResponse:
            let bytes = try await arriving.collect(atMost: WireLimits.poll.message, before: deadline, share.take)
            if arriving.header.isCompressed { try share.take(WireLimits.poll.message) }
            let message =
                ServerConnector.isLarge(bytes)
                ? try await connector.pool.perform { try scrubber.scrubbed(message: bytes, limits: .poll) }
                : try scrubber.scrubbed(message: bytes, limits: .poll)
            return (PassingReply(message), false)
        case .message, .event, .poll:
            return (try arriving.passed(by: scrubber), false)
        }
    }

    private func send(
        _ request: ByteBuffer,
        isRepeatable: Bool,
        in live: LiveSession,
        before deadline: NIODeadline
    ) async throws -> ArrivingReply {
        let message = try Self.sent(request, as: live.clientID)
        do {
            if let pinned = live.place.pinned, pinned.pin.strength == .address {
                try await checkPermission(of: pinned, for: live)
            }
            let reply = try await connector.recordingContact(endpointID) {
                do {
                    return try await live.channel.begin(
                        message,
                        as: live.clientID,
                        deadline: Duration(deadline - .now()),
                        isRepeatable: isRepeatable
                    )
                } catch RemotingError.interrupted where state.isClosed {
                    // This side has closed the connection, not the server.
                    throw BrokerError.closed
                }
            }
            state.reached()
            isOther = false
            return reply
        } catch let error as RemotingError {
            switch error {
            case .unreachable:
                if case .unreachable(let reason) = BrokerError(error) {
                    state.unreachable(reason, at: .now(), using: &random)
                }
                await checkAddress(of: live)
            case .interrupted: await checkAddress(of: live)
            case .tlsIdentity, .tlsUntrusted: isOther = true
            default: break
            }
            throw error
        }
    }

    /// Returns the bytes to send for a request. The channel replaces only the ClientID in the header. A poll contains a
    /// second one, so it is encoded again.
    private static func sent(_ request: ByteBuffer, as clientID: ClientID) throws(RemotingError) -> ByteBuffer {
        var start = request
        guard try MessageHeader(from: &start).kind == .poll else { return request }
        let limit = try PollRequest(decoding: request).eventLimit
        return PollRequest(clientID: clientID, eventLimit: limit).encoded()
    }

    /// Checks the permission again, because the session is as secret as the password and the network may have changed
    /// since the login.
    private func checkPermission(of pinned: PinnedEndpoint, for live: LiveSession) async throws {
        do {
            try await connector.checkPermission(pinned)
        } catch {
            state.moved(live.generation)
            throw error
        }
    }

    /// After a failure the server may have another address. Then the next call checks the pin and logs in there.
    private func checkAddress(of live: LiveSession) async {
        guard let endpoint = await connector.registry.endpoint(endpointID) else { return }
        let reached = try? await connector.firstReachable(places(of: endpoint))
        if reached?.target != live.channel.target { state.moved(live.generation) }
    }

    // MARK: Logging in and out

    /// - Parameter first: called here, so that nothing happens between its result and the action.
    private func perform(_ first: () -> SessionState.Step) async throws -> LiveSession {
        var step = decide(first)
        while true {
            switch step {
            case .use:
                guard let live else { throw BrokerError.closed }
                return live
            case .fail(let error): throw error.remembered
            case .wait:
                // Register before anything can suspend: a continuation's body may run only after the login has ended.
                let end = loginEnd ?? loop.makePromise(of: Void.self)
                loginEnd = end
                try await end.futureResult.get()
            case .logIn:
                try await awaitTurn()
                try await shielded(on: loop) { try await self.logIn() }
            }
            step = decide { state.wanted(at: .now()) }
        }
    }

    /// Reads and writes the login times that all sessions of the endpoint share, without a suspension between.
    private func decide(_ ask: () -> SessionState.Step) -> SessionState.Step {
        state.learn(relogins: connector.relogins[endpointID])
        let step = ask()
        connector.relogins[endpointID] = state.relogins
        return step
    }

    /// Waits until no other session sends the same login. If the caller is cancelled, it leaves the queue, and the next
    /// caller that waits for this session joins it.
    ///
    /// - Throws: the failure of the login that was waited for: this one is not sent then.
    private func awaitTurn() async throws {
        guard let login else { return }
        let ticket = connector.gate.enter(login)
        self.ticket = ticket
        do {
            try await connector.gate.wait(ticket)
            guard let refusal = connector.gate.refusal(of: login) else { return }
            connector.gate.leave(ticket, .abandoned)
            throw refusal
        } catch {
            self.ticket = nil
            var outcome = SessionState.LoginOutcome.notSent
            if let refusal = error as? BrokerError, case .loginRejected = refusal { outcome = .spared(refusal) }
            end(outcome, error is CancellationError ? nil : error)
            throw error
        }
    }

    private func logIn() async throws {
        do {
            if state.isReplacing, let live { await logOut(of: [live]) }
            let fresh = try await connect()
            loggingIn = fresh
            try await send(in: fresh)
            // The password was sent. As after a failure, the catch below logs out.
            guard !state.isClosed else { throw LoginFailure(BrokerError.closed) }
            (live, loggingIn, isOther) = (fresh, nil, false)
            home = home ?? fresh.place
            connector.inUse.note(fresh.place)
            state.reached()
            end(.succeeded)
        } catch {
            let half = loggingIn.take()
            let failure = error as? LoginFailure ?? LoginFailure(beforeSending: error)
            if case .unreachable(let reason)? = failure.reason as? BrokerError {
                state.unreachable(reason, at: .now(), using: &random)
            }
            if let login { store.audit?.noteConflict(failure.reason, of: login, proving: half?.place.pinned?.pin) }
            end(failure.outcome, failure.reason)
            if let half { await discard(half, after: failure.outcome) }
            throw failure.reason
        }
    }

    /// Ends a session whose login has failed. If the server may have it, it is logged out now or with this actor.
    private func discard(_ half: LiveSession, after outcome: SessionState.LoginOutcome) async {
        if state.isClosed {
            if outcome == .failed { await logOut(of: [half]) }
            await half.channel.close()
        } else if outcome == .failed, abandoned.count < Self.mostAbandoned {
            abandoned.append(half)
        } else if half.channel !== live?.channel {
            await half.channel.close()
        }
    }

    /// Ends the attempt to log in, for this session, for the sessions that want to send the same login, and for the
    /// callers that wait.
    private func end(_ outcome: SessionState.LoginOutcome, _ error: (any Error)? = nil) {
        state.learn(relogins: connector.relogins[endpointID])
        state.loginEnded(outcome, at: .now())
        connector.relogins[endpointID] = state.relogins
        if let login, let ticket {
            self.ticket = nil
            if case .refused(let refusal) = outcome { connector.gate.remember(refusal, of: login) }
            connector.gate.leave(ticket, LoginGate.Outcome(error))
        }
        loginEnd.take()?.completeWith(error.map { .failure($0) } ?? .success(()))
    }

    private func connect() async throws -> LiveSession {
        guard let endpoint = await connector.registry.endpoint(endpointID) else {
            throw BrokerError.unreachable(StateReason(code: .notListed))
        }
        let (place, target) = try await connector.recordingContact(endpointID, isContact: false) {
            try await connector.firstReachable(places(of: endpoint))
        }
        return LiveSession(
            loop: loop,
            place: place,
            channel: try await channel(to: target, at: place),
            // A ClientID is never used again once its session has ended.
            clientID: ClientID(),
            loginService: endpoint.services.login,
            generation: state.generation + 1
        )
    }

    /// The addresses of the server that this session may use: after its first login, those with the same database.
    private func places(of endpoint: Endpoint) -> [ServerPlace] {
        let places = ServerPlace.all(of: endpoint, login?.pinned, alternates: alternates)
        guard let home else { return places }
        return places.filter { $0.database == home.database }
    }

    var hasAlternates: Bool { !alternates.isEmpty }

    /// Whether the server of this session has a database that the user has not agreed to be that of the endpoint.
    var hasOtherDatabase: Bool { home?.database != nil }

    /// Sends the password.
    ///
    /// - Throws: `LoginFailure` if it may have been sent.
    private func send(in fresh: LiveSession) async throws {
        guard !state.isClosed else { throw BrokerError.closed }
        guard let login else { return }
        let pin = fresh.place.pinned?.pin ?? login.pin
        let request = try await store.withPassword(of: login.id, pin: pin) { password in
            try login.account.request(to: fresh.loginService, password: password, for: fresh.clientID)
        }
        // A password command may have taken a while.
        guard !state.isClosed else {
            request.wipe()
            throw BrokerError.closed
        }
        let call = LoginCall(channel: fresh.channel, clientID: fresh.clientID, pool: connector.pool)
        do {
            try await connector.recordingContact(endpointID) { try await call.logIn(request, named: login.name) }
        } catch {
            let failure = LoginFailure(error)
            store.audit?.note(AuditEntry(.passwordUsed, AuditResult(ofLogin: failure.reason), of: login, proving: pin))
            throw failure
        }
        store.audit?.note(AuditEntry(.passwordUsed, of: login, proving: pin))
    }

    /// Returns the existing channel if the server's address has not changed, so that calls in progress are not
    /// interrupted; otherwise a new one.
    private func channel(to target: RemotingTarget, at place: ServerPlace) async throws -> RemotingChannel {
        if let live {
            guard live.channel.target != target || live.place.alternate != place.alternate else { return live.channel }
            // Its channel ends here, also if the login at the other address fails.
            self.live = nil
            // The abandoned sessions on this channel must still be logged out.
            if abandoned.contains(where: { $0.channel === live.channel }) {
                await live.channel.endCalls()
            } else {
                await live.channel.close()
            }
        }
        return try connector.channel(to: target, of: endpointID, for: place.pinned)
    }

    /// Logs sessions out, if the server may still be contacted: a session over plain HTTP is sent only where its login
    /// may be sent.
    ///
    /// - Returns: the number of sessions whose logout the server may not have received.
    @discardableResult
    private func logOut(of sessions: [LiveSession]) async -> Int {
        guard login != nil, !sessions.isEmpty else { return 0 }
        let told = try? await shielded(on: loop) { [connector] in
            await withTaskGroup { group in
                for session in sessions {
                    group.addTask {
                        if let pinned = session.place.pinned, pinned.pin.strength == .address {
                            guard (try? await connector.checkPermission(pinned)) != nil else { return false }
                        }
                        return await session.logOut()
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        return sessions.count - (told ?? 0)
    }
}

/// Runs work that belongs to a session, not to the caller that happened to cause it, and completes it even if the
/// caller's task is cancelled.
///
/// A tool that disconnects must not cancel a login that other callers wait for. A lease that ends because its holder
/// has disconnected must still be logged out. The work must bound its own time.
func shielded<Result: Sendable>(
    on loop: any EventLoop,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    // The only unstructured task of the broker's sessions. It is awaited right here, so it does not outlive its
    // caller.
    try await Task(executorPreference: LoopExecutor(loop), operation: work).value
}
