// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import NIOCore
import Platform
import Registry
import Remoting

/// One logged-in session on one server, shared by all adapters of the same login. Its ClientID stays in here.
actor ServerSession {
    /// How long a call may take as a whole.
    static let callDeadline = Duration.seconds(60)
    private static let logoutDeadline = Duration.seconds(2)
    private static let maximumReloginsOnTrust = 3

    /// What a login has made: where it goes and as whom.
    private struct Live {
        let channel: RemotingChannel
        let clientID: ClientID
        let loginService: String
        let generation: SessionState.Generation
    }

    private let endpointID: EndpointID
    private let login: Login?
    private let connector: ServerConnector
    private let store: CredentialStore
    private let loop: any EventLoop

    private var state: SessionState
    /// Set by the first login and kept through later ones, whose calls in flight still end over the old channel.
    private var live: Live?
    private var waiters: [EventLoopPromise<Void>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter login: nil for a session without any login.
    init(endpoint: EndpointID, login: Login?, connector: ServerConnector, store: CredentialStore) {
        endpointID = endpoint
        self.login = login
        self.connector = connector
        self.store = store
        loop = connector.loop
        let peerIsProved = login.map { $0.pin.tier != 1 } ?? true
        state = SessionState(maximumRelogins: peerIsProved ? nil : Self.maximumReloginsOnTrust)
    }

    /// The server said no, or asks too often, and another session would send the password again.
    var holdsBackPassword: Bool { state.holdsBackPassword(at: .now()) }

    /// The password may go out again: the user has seen the server accept it.
    func resume() { state.resume() }

    /// Logs in unless that was done already.
    func open() async throws {
        _ = try await perform { state.wanted(at: .now()) }
    }

    /// Sends a tool's request inside the session and returns the server's reply with every trace of the session
    /// replaced by the tool's own ClientID.
    ///
    /// When the server has lost the session, it logs in again and repeats the request once.
    func call(_ request: ByteBuffer, tool: ClientID) async throws -> ByteBuffer {
        do {
            let first = try await perform { state.wanted(at: .now()) }
            let reply = try await send(request, in: first)
            guard login != nil, try ReplyMessage.exception(in: reply)?.isSessionNotFound == true else {
                return try await scrubbed(reply, of: first, for: tool)
            }
            let second = try await perform { state.lost(first.generation, at: .now()) }
            return try await scrubbed(try await send(request, in: second), of: second, for: tool)
        } catch let error as RemotingError {
            throw BrokerError(error)
        }
    }

    /// Ends the session. The server is told, for as long as it takes to say so.
    func close() async {
        let wasOpen = state.isOpen
        state.close()
        wakeWaiters(.failure(BrokerError.closed))
        guard let live else { return }
        self.live = nil
        await end(live, tellServer: wasOpen)
    }

    // MARK: One call

    private func send(_ request: ByteBuffer, in live: Live) async throws -> ByteBuffer {
        var message = request
        try MessageHeader.setClientID(live.clientID, in: &message)
        do {
            return try await connector.noting(endpointID) { [message] in
                try await live.channel.post(message, deadline: Self.callDeadline)
            }
        } catch let error as RemotingError {
            if case .unreachable = error { await checkAddress(of: live) }
            throw error
        }
    }

    private func scrubbed(_ reply: ByteBuffer, of live: Live, for tool: ClientID) async throws -> ByteBuffer {
        let scrubber = MessageScrubber(hiding: live.clientID, behind: tool)
        return try await connector.offLoop(whenLarge: reply) { try scrubber.scrubbed(reply) }
    }

    /// After a failure the server may be elsewhere: the next call then checks the pin and logs in there.
    private func checkAddress(of live: Live) async {
        guard let endpoint = await connector.registry.endpoint(endpointID) else { return }
        let target = try? await connector.target(of: endpoint, for: login?.binding)
        if target != live.channel.target { state.moved(live.generation) }
    }

    // MARK: Logging in and out

    /// - Parameter first: asked in here, so that nothing happens between the answer and what is done about it.
    private func perform(_ first: () -> SessionState.Step) async throws -> Live {
        var step = first()
        while true {
            switch step {
            case .use:
                guard let live else { throw BrokerError.closed }
                return live
            case .fail(let error): throw error
            case .wait:
                // Registered before anything can suspend: a continuation's body may run only after the login has ended.
                let turn = loop.makePromise(of: Void.self)
                waiters.append(turn)
                try await turn.futureResult.get()
            case .logIn: try await shielded(on: loop) { try await self.logIn() }
            }
            step = state.wanted(at: .now())
        }
    }

    private func logIn() async throws {
        do {
            let fresh = try await connectAndLogIn()
            guard !state.isClosed else {
                await end(fresh, tellServer: true)
                throw BrokerError.closed
            }
            live = fresh
            state.loginEnded(.succeeded)
            wakeWaiters(.success(()))
        } catch {
            state.loginEnded(Self.outcome(of: error))
            let reason = (error as? LoginFailure)?.reason ?? error
            if let login { store.audit?.noteConflict(reason, of: login) }
            wakeWaiters(.failure(reason))
            throw reason
        }
    }

    private func connectAndLogIn() async throws -> Live {
        guard let endpoint = await connector.registry.endpoint(endpointID) else {
            throw BrokerError.unreachable(reason: "it is not in the list of endpoints any more")
        }
        let channel = try await channel(to: endpoint)
        // A ClientID is never used again once its session has ended.
        let clientID = ClientID()
        if let login {
            let request = try await store.withPassword(of: login.id, pin: login.pin) { password in
                try login.request(to: endpoint.services.login, password: password, for: clientID)
            }
            do {
                try await connector.noting(endpointID) {
                    try await LoginCall(channel: channel, clientID: clientID).logIn(request, named: login.name)
                }
                store.audit?.note(AuditEntry(.passwordUsed, of: login))
            } catch {
                store.audit?.note(AuditEntry(.passwordUsed, AuditResult(ofLogin: error), of: login))
                throw LoginFailure(reason: error)
            }
        }
        return Live(
            channel: channel,
            clientID: clientID,
            loginService: endpoint.services.login,
            generation: state.generation + 1
        )
    }

    /// The kept channel while the server is where it was, so that calls in flight over it are not broken off.
    private func channel(to endpoint: Endpoint) async throws -> RemotingChannel {
        let target = try await connector.noting(endpointID, isContact: false) {
            try await connector.target(of: endpoint, for: login?.binding)
        }
        if let live {
            guard live.channel.target != target else { return live.channel }
            await live.channel.close()
        }
        return try RemotingChannel(target: target, loop: loop)
    }

    private func end(_ live: Live, tellServer: Bool) async {
        if tellServer, login != nil {
            _ = try? await shielded(on: loop) {
                try await LoginService(channel: live.channel, name: live.loginService).logout(
                    clientID: live.clientID,
                    deadline: Self.logoutDeadline
                )
            }
        }
        await live.channel.close()
    }

    private func wakeWaiters(_ result: Result<Void, any Error>) {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.completeWith(result) }
    }

    /// A login that failed when the password may have gone out already.
    private struct LoginFailure: Error {
        let reason: any Error
    }

    private static func outcome(of error: any Error) -> SessionState.LoginOutcome {
        guard let failure = error as? LoginFailure else { return .notSent }
        switch failure.reason as? BrokerError {
        case .loginRejected(let login, let reason): return .refused(.loginRejected(login: login, reason: reason))
        // A server that is down gets no password: asking again costs nothing.
        case .unreachable, .identityConflict, .identityUnverified: return .notSent
        default: return .failed
        }
    }
}
