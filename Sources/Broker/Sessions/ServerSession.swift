// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints
import Logging
import NIOCore
import Platform
import Registry
import Remoting

/// One logged-in session on one server, shared by all adapters of the same login. Its ClientID stays in here.
actor ServerSession {
    /// How long a call may take as a whole.
    static let callDeadline = Duration.seconds(60)
    static let loginDeadline = Duration.seconds(10)
    private static let logoutDeadline = Duration.seconds(2)

    private let endpointID: EndpointID
    private let login: Login?
    private let connector: ServerConnector
    private let store: CredentialStore
    private let loop: any EventLoop

    private var state: SessionState
    private var channel: RemotingChannel?
    private var clientID = ClientID()
    private var loginService = ServiceNames.relativity.login
    private var waiters: [CheckedContinuation<Void, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter login: nil for a session without any login, which is open from the start.
    init(endpoint: EndpointID, login: Login?, connector: ServerConnector, store: CredentialStore) {
        endpointID = endpoint
        self.login = login
        self.connector = connector
        self.store = store
        loop = connector.loop
        let peerIsProved = login.map { $0.pin.tier != 1 } ?? true
        state = SessionState(maximumRelogins: peerIsProved ? nil : 3)
    }

    /// Logs in unless that was done already.
    func open() async throws {
        _ = try await ready()
    }

    /// Sends a tool's request inside the session and returns the server's reply with every trace of the session
    /// replaced by the tool's own ClientID.
    ///
    /// When the server has lost the session, it logs in again and repeats the request once.
    func call(_ request: ByteBuffer, tool: ClientID) async throws -> ByteBuffer {
        let generation = try await ready()
        let first = try await send(request)
        guard login != nil, try ReplyMessage.exception(in: first.message)?.isSessionNotFound == true else {
            return try first.scrubbed(for: tool)
        }
        _ = try await perform(state.lost(generation, at: .now()))
        return try await send(request).scrubbed(for: tool)
    }

    /// Ends the session. The server is told, for as long as it takes to say so.
    func close() async {
        let wasOpen = state.isOpen
        state.close()
        wakeWaiters()
        if wasOpen, login != nil, let channel {
            _ = try? await LoginService(channel: channel, name: loginService).logout(
                clientID: clientID,
                deadline: Self.logoutDeadline
            )
        }
        await channel?.close()
        channel = nil
    }

    /// A reply, and the ClientID that must not be seen in it: by the time it is read the session may have another.
    private struct Reply {
        let message: ByteBuffer
        let clientID: ClientID

        func scrubbed(for tool: ClientID) throws -> ByteBuffer {
            try MessageScrubber(hiding: clientID, behind: tool).scrubbed(message)
        }
    }

    private func send(_ request: ByteBuffer) async throws -> Reply {
        guard let channel else { throw BrokerError.closed }
        let clientID = clientID
        var message = request
        try MessageHeader.setClientID(clientID, in: &message)
        do {
            let reply = try await channel.post(message, deadline: Self.callDeadline)
            return Reply(message: reply, clientID: clientID)
        } catch let error as RemotingError {
            throw BrokerError(error)
        }
    }

    private func ready() async throws -> SessionState.Generation {
        try await perform(state.wanted(at: .now()))
    }

    private func perform(_ first: SessionState.Step) async throws -> SessionState.Generation {
        var step = first
        while true {
            switch step {
            case .use(let generation): return generation
            case .fail(let error): throw error
            case .wait: await withCheckedContinuation { waiters.append($0) }
            case .logIn: try await logIn()
            }
            step = state.wanted(at: .now())
        }
    }

    private func logIn() async throws {
        defer { wakeWaiters() }
        do {
            try await connectAndLogIn()
            state.loginEnded(.succeeded)
        } catch {
            state.loginEnded(Self.outcome(of: error))
            throw error
        }
    }

    private func connectAndLogIn() async throws {
        guard let endpoint = await connector.registry.endpoint(endpointID) else {
            throw BrokerError.unreachable(reason: "it is not in the list of endpoints any more")
        }
        await channel?.close()
        channel = nil
        guard let login else {
            channel = try await connector.channel(to: endpoint)
            return
        }
        // A ClientID is never used again once its session has ended.
        clientID = ClientID()
        loginService = endpoint.services.login
        let fresh = try await connector.channel(to: endpoint, for: login.binding)
        do {
            let request = try await store.withPassword(of: login.id, pin: login.pin) { [clientID] password in
                try login.request(to: endpoint.services.login, password: password, for: clientID)
            }
            try await LoginCall(channel: fresh).logIn(request, named: login.name)
        } catch {
            await fresh.close()
            throw error
        }
        channel = fresh
    }

    /// The server said no to the login, and the user has not acted since.
    var isRefused: Bool { state.isRefused }

    private func wakeWaiters() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    private static func outcome(of error: any Error) -> SessionState.LoginOutcome {
        guard let error = error as? BrokerError, case .loginRejected = error else { return .failed }
        return .refused(error)
    }
}
