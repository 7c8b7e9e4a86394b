// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import EventLoops
import NIOCore
import Platform
import Registry
import Remoting

/// One logged-in session on one server, shared by all adapters of the same login. Its ClientID stays in here.
actor ServerSession {
    /// How long a call may take as a whole.
    static let callDeadline = Duration.seconds(60)

    private let endpointID: EndpointID
    private let login: Login?
    /// Of the first login, where a caller has chosen it; nil for one of our own.
    private let chosenID: ClientID?
    private let connector: ServerConnector
    private let store: CredentialStore
    private let loop: any EventLoop

    private var state: SessionState
    private var random = SystemRandomNumberGenerator()
    /// Set by the first login and kept through later ones, whose calls in flight still end over the old channel.
    private var live: LiveSession?
    /// What the server may take for logged in and nobody uses: a login whose answer was lost.
    private var abandoned: [LiveSession] = []
    /// What the login under way makes. Should the session be closed meanwhile, the login clears it away at its end.
    private var loggingIn: LiveSession?
    private static let mostAbandoned = 8
    private var waiters: [EventLoopPromise<Void>] = []
    /// Its place among those who want to send the same login.
    private var ticket: LoginGate.Ticket?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - login: nil for a session without any login.
    ///   - clientID: chosen by a caller, who makes the session's calls by himself; nil makes one.
    init(
        endpoint: EndpointID,
        login: Login?,
        clientID: ClientID? = nil,
        connector: ServerConnector,
        store: CredentialStore
    ) {
        endpointID = endpoint
        self.login = login
        chosenID = clientID
        self.connector = connector
        self.store = store
        loop = connector.loop
        state = SessionState(login?.pin.strength == .address ? .onTrust : .proved, isRenewed: login != nil)
    }

    /// The server said no, or asks too often, and another session would send the password again.
    var holdsBackPassword: Bool { state.holdsBackPassword(at: .now()) }

    /// The password may go out again: the user has seen the server accept it.
    func resume() {
        state.resume()
        connector.relogins[endpointID] = []
    }

    /// Logs in unless that was done already.
    func open() async throws {
        _ = try await perform { state.wanted(at: .now()) }
    }

    /// Sends a tool's request inside the session and returns the server's reply with every trace of the session
    /// replaced by the tool's own ClientID.
    ///
    /// When the server has lost the session, it logs in again and repeats the request once. That an exception tells, which
    /// is held; a normal reply is passed on as it comes, and never asked for again.
    /// - Parameter share: gives the memory for what is held.
    func call(_ request: ByteBuffer, tool: ClientID, _ share: RequestShare) async throws -> PassingReply {
        let deadline = NIODeadline.now() + TimeAmount(Self.callDeadline)
        do {
            let first = try await perform { state.wanted(at: .now()) }
            let (reply, isLost) = try await reply(to: request, in: first, for: tool, share, before: deadline)
            guard login != nil, isLost else { return reply }
            let second = try await perform { state.lost(first.generation, at: .now()) }
            return try await self.reply(to: request, in: second, for: tool, share, before: deadline).reply
        } catch let error as RemotingError {
            throw BrokerError(error)
        }
    }

    /// Ends the session. The server is told, for as long as it takes to say so. A login whose password has gone out is
    /// not waited for: it logs out by itself when it ends. One whose password has not does not send it.
    ///
    /// - Returns: how many sessions may be left on the server until their time is over.
    func close() async -> Int {
        let wasOpen = state.isOpen
        state.close()
        if let ticket { connector.gate.leaveWaiting(ticket, BrokerError.closed) }
        wakeWaiters(.failure(BrokerError.closed))
        let ending = abandoned + (wasOpen ? [live] : []).compactMap { $0 }
        let under = loggingIn?.channel
        let channels = (abandoned.map(\.channel) + [live?.channel].compactMap { $0 }).filter { $0 !== under }
        abandoned = []
        live = nil
        await under?.endCalls()
        // What waits must neither go out any more nor hold up the logout.
        for channel in channels { await channel.endCalls() }
        let left = await logOut(of: ending)
        for channel in channels { await channel.close() }
        return left
    }

    // MARK: One call

    private func reply(
        to request: ByteBuffer,
        in live: LiveSession,
        for tool: ClientID,
        _ share: RequestShare,
        before deadline: NIODeadline
    ) async throws -> (reply: PassingReply, isSessionLost: Bool) {
        let arriving = try await send(request, in: live, before: deadline)
        let scrubber = live.scrubber.behind(tool)
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
        in live: LiveSession,
        before deadline: NIODeadline
    ) async throws -> ArrivingReply {
        let message = try Self.sent(request, as: live.clientID)
        do {
            if let login, login.pin.strength == .address { try await checkPermission(of: login, for: live) }
            let reply = try await connector.noting(endpointID) {
                do {
                    return try await live.channel.begin(
                        message,
                        as: live.clientID,
                        deadline: Duration(deadline - .now())
                    )
                } catch RemotingError.interrupted where state.isClosed {
                    // We have hung up, not the server.
                    throw BrokerError.closed
                }
            }
            state.reached()
            return reply
        } catch let error as RemotingError {
            switch error {
            case .unreachable:
                if case .unreachable(let reason) = BrokerError(error) {
                    state.unreachable(reason, at: .now(), using: &random)
                }
                await checkAddress(of: live)
            case .interrupted: await checkAddress(of: live)
            default: break
            }
            throw error
        }
    }

    /// What goes out of a request, but for the ClientID in its header. A poll has the ClientID twice, and is written anew.
    private static func sent(_ request: ByteBuffer, as clientID: ClientID) throws(RemotingError) -> ByteBuffer {
        var start = request
        guard try MessageHeader(from: &start).kind == .poll else { return request }
        let limit = try PollRequest(decoding: request).eventLimit
        return PollRequest(clientID: clientID, eventLimit: limit).encoded()
    }

    /// The session is as secret as the password: what changed since the login may forbid it to go there.
    private func checkPermission(of login: Login, for live: LiveSession) async throws {
        do {
            try await connector.checkPermission(login.binding)
        } catch {
            state.moved(live.generation)
            throw error
        }
    }

    /// After a failure the server may be elsewhere: the next call then checks the pin and logs in there.
    private func checkAddress(of live: LiveSession) async {
        guard let endpoint = await connector.registry.endpoint(endpointID) else { return }
        let target = try? await connector.target(of: endpoint, for: login?.binding)
        if target != live.channel.target { state.moved(live.generation) }
    }

    // MARK: Logging in and out

    /// - Parameter first: asked in here, so that nothing happens between the answer and what is done about it.
    private func perform(_ first: () -> SessionState.Step) async throws -> LiveSession {
        var step = decide(first)
        while true {
            switch step {
            case .use:
                guard let live else { throw BrokerError.closed }
                return live
            case .fail(let error): throw error.remembered
            case .wait:
                // Registered before anything can suspend: a continuation's body may run only after the login has ended.
                let turn = loop.makePromise(of: Void.self)
                waiters.append(turn)
                try await turn.futureResult.get()
            case .logIn:
                try await standInLine()
                try await shielded(on: loop) { try await self.logIn() }
            }
            step = decide { state.wanted(at: .now()) }
        }
    }

    /// What counts for all sessions of the endpoint is read, and written again, without a suspension between.
    private func decide(_ ask: () -> SessionState.Step) -> SessionState.Step {
        state.learn(relogins: connector.relogins[endpointID])
        let step = ask()
        connector.relogins[endpointID] = state.relogins
        return step
    }

    /// Waits until no other session sends the same login. A caller who goes leaves the line, and the next one who waits for
    /// this session takes a place in it.
    ///
    /// - Throws: the failure of the login that was waited for: this one is not sent then.
    private func standInLine() async throws {
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
            if case .loginRejected? = error as? BrokerError, let refusal = error as? BrokerError {
                end(.spared(refusal))
            } else {
                end(.notSent)
            }
            wakeWaiters(error is CancellationError ? .success(()) : .failure(error))
            throw error
        }
    }

    /// Lets the next session send the login, or has those in line know that it is of no use.
    private func leaveLine(_ failure: LoginFailure? = nil) {
        guard let login, let ticket else { return }
        self.ticket = nil
        if case .refused(let error)? = failure?.outcome { connector.gate.remember(error, of: login) }
        connector.gate.leave(ticket, LoginGate.Outcome(failure?.reason))
    }

    private func logIn() async throws {
        defer { loggingIn = nil }
        do {
            if state.isReplacing, let live { await logOut(of: [live]) }
            let fresh = try await connectAndLogIn()
            // Its password has gone out: as after a failure, the catch below logs it out.
            guard !state.isClosed else { throw LoginFailure(BrokerError.closed) }
            live = fresh
            end(.succeeded)
            leaveLine()
            state.reached()
            wakeWaiters(.success(()))
        } catch {
            let failure = error as? LoginFailure ?? LoginFailure(beforeSending: error)
            end(failure.outcome)
            leaveLine(failure)
            if case .unreachable(let reason)? = failure.reason as? BrokerError {
                state.unreachable(reason, at: .now(), using: &random)
            }
            if let login { store.audit?.noteConflict(failure.reason, of: login) }
            wakeWaiters(.failure(failure.reason))
            if state.isClosed, let late = loggingIn {
                if failure.outcome == .failed { await logOut(of: [late]) }
                await late.channel.close()
            }
            throw failure.reason
        }
    }

    private func end(_ outcome: SessionState.LoginOutcome) {
        state.learn(relogins: connector.relogins[endpointID])
        state.loginEnded(outcome, at: .now())
        connector.relogins[endpointID] = state.relogins
    }

    private func connectAndLogIn() async throws -> LiveSession {
        guard let endpoint = await connector.registry.endpoint(endpointID) else {
            throw BrokerError.unreachable(StateReason(.notListed))
        }
        let fresh = LiveSession(
            loop: loop,
            channel: try await channel(to: endpoint),
            // A ClientID is never used again once its session has ended.
            clientID: (state.generation == 0 ? chosenID : nil) ?? ClientID(),
            loginService: endpoint.services.login,
            generation: state.generation + 1
        )
        loggingIn = fresh
        guard !state.isClosed else { throw BrokerError.closed }
        guard let login else { return fresh }
        let request = try await store.withPassword(of: login.id, pin: login.pin) { password in
            try login.request(to: endpoint.services.login, password: password, for: fresh.clientID)
        }
        do {
            try await connector.noting(endpointID) {
                try await LoginCall(channel: fresh.channel, clientID: fresh.clientID, pool: connector.pool).logIn(
                    request,
                    named: login.name
                )
            }
        } catch {
            let failure = LoginFailure(error)
            store.audit?.note(AuditEntry(.passwordUsed, AuditResult(ofLogin: failure.reason), of: login))
            if state.isClosed {
                // `logIn` clears it away.
            } else if failure.outcome == .failed, abandoned.count < Self.mostAbandoned {
                abandoned.append(fresh)
            } else if fresh.channel !== live?.channel {
                await fresh.channel.close()
            }
            throw failure
        }
        store.audit?.note(AuditEntry(.passwordUsed, of: login))
        return fresh
    }

    /// The kept channel while the server is where it was, so that calls in flight over it are not broken off.
    private func channel(to endpoint: Endpoint) async throws -> RemotingChannel {
        let target = try await connector.noting(endpointID, isContact: false) {
            try await connector.target(of: endpoint, for: login?.binding)
        }
        if let live {
            guard live.channel.target != target else { return live.channel }
            // What was abandoned there is still to be logged out.
            if abandoned.contains(where: { $0.channel === live.channel }) {
                await live.channel.endCalls()
            } else {
                await live.channel.close()
            }
        }
        return try connector.channel(to: target, of: endpointID, for: login?.binding)
    }

    /// Tells the server, if it may still be told: a session on trust goes only where its login may go.
    ///
    /// - Returns: of how many sessions the server may not have heard.
    @discardableResult
    private func logOut(of sessions: [LiveSession]) async -> Int {
        guard let login, !sessions.isEmpty else { return 0 }
        let binding = login.binding
        let told = try? await shielded(on: loop) { [connector] in
            if login.pin.strength == .address { try await connector.checkPermission(binding) }
            return await withTaskGroup { group in
                for session in sessions { group.addTask { await session.logOut() } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        return sessions.count - (told ?? 0)
    }

    private func wakeWaiters(_ result: Result<Void, any Error>) {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.completeWith(result) }
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
