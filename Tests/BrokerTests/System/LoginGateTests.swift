// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

@Suite("One login in flight for each stored login", .endsStarted)
struct LoginGateTests {
    private static let callers = 12

    private func started(
        isOnTrust: Bool = false,
        _ reply: @escaping @Sendable (RequestMessage) -> ScriptedServer.Reply
    ) async throws -> (BrokerFixture, ScriptedServer, Endpoint, Login) {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop, behaviour: reply)
        let endpoint = try await fixture.endpoint(at: server.address)
        let pin: Pin? = isOnTrust ? .address(.localhost, port: endpoint.url.port) : nil
        let login = try await fixture.login(to: endpoint, pin: pin)
        return (fixture, server, endpoint, login)
    }

    private static let refusal = RemotingException(className: "ELoginFailed", message: "no")

    /// The results of many callers that do the same simultaneously.
    private static func all<Value: Sendable>(
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: Result<Value, any Error>.self) { group in
            for number in 0..<callers { group.addTask { await result { try await body(number) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    @Test(
        "a refused password is sent once for twelve own sessions, and once for shared ones with them"
    )
    func refused() async throws {
        for sharedEvery in [Self.callers + 1, 3] {
            let (fixture, server, endpoint, _) = try await started({ .exception(Self.refusal, $0) })
            let results = await Self.all {
                try await fixture.open(endpoint, hasOwnSession: $0 % sharedEvery != sharedEvery - 1)
            }
            for result in results {
                guard case .failure(BrokerError.loginRejected) = result else {
                    Issue.record("\(result)")
                    continue
                }
            }
            #expect(server.count("LoginEx") == 1)
            await #expect(throws: BrokerError.self) { try await fixture.open(endpoint, hasOwnSession: true) }
            #expect(server.count("LoginEx") == 1)
        }
    }

    @Test(
        "HTTP status 401 or 403 to a login is a refusal: the password is sent again only after it was changed",
        arguments: [(401, 1), (403, 1), (500, 3)]
    )
    func refusedByStatus(status: Int, sent: Int) async throws {
        let head = "HTTP/1.1 \(status) X\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 6\r\n\r\n"
        let (fixture, server, endpoint, login) = try await started({ _ in .text(head + "<html>") })
        func isRefused() async -> Bool {
            let result = await Self.result { try await fixture.open(endpoint) }
            if case .failure(BrokerError.loginRejected) = result { return true }
            return false
        }
        for _ in 0..<3 { #expect(await isRefused() == (sent == 1)) }
        #expect(server.count("LoginEx") == sent)
        _ = try await fixture.store.edit(login, LoginEdit(), password: try fixture.secret("other"))
        await fixture.broker.forget(login.id)
        #expect(await isRefused() == (sent == 1))
        #expect(server.count("LoginEx") == sent + 1)
    }

    @Test("the failure of the login in flight is that of all who wait for it, and they send nothing")
    func shared() async throws {
        let (fixture, server, endpoint, login) = try await started({ .accepted($0) })
        let gate = fixture.connector.gate
        try await Self.onLoop(fixture) {
            // A login is in flight: all twelve must wait.
            let first = gate.enter(login)
            async let results = Self.all { _ in try await fixture.open(endpoint, hasOwnSession: true) }
            try await eventually { gate.waitingCount == Self.callers }
            gate.leave(first, .failed(BrokerError.unreachable(StateReason(code: .noAnswer))))
            for result in await results {
                guard case .failure(BrokerError.unreachable) = result else {
                    Issue.record("\(result)")
                    continue
                }
            }
        }
        #expect(server.count("LoginEx") == 0 && server.connections == 0)
    }

    @Test("on plain HTTP twelve own sessions that the server has lost resend the password three times in total")
    func relogins() async throws {
        let (fixture, server, endpoint, _) = try await started(isOnTrust: true) {
            $0.method == "LoginEx" ? .accepted($0) : .exception(.sessionNotFound, $0)
        }
        var adapters: [Adapter] = []
        for result in await Self.all({ _ in try await fixture.open(endpoint, hasOwnSession: true) }) {
            adapters.append(try result.get())
        }
        #expect(server.count("LoginEx") == Self.callers)
        let paths = adapters.map(\.socketPath)
        for _ in 0..<2 {
            let answers = try await Self.all { try await Tool.call(paths[$0]) }.map { try $0.get() }
            #expect(answers.allSatisfy { $0.exception != nil })
            #expect(server.count("LoginEx") == Self.callers + 3)
        }
    }

    @Test("waiting tests of a refused login send it once, and an accepted one clears the refusal")
    func trials() async throws {
        let (fixture, server, _, login) = try await started({ .exception(Self.refusal, $0) })
        let gate = fixture.connector.gate
        try await Self.onLoop(fixture) {
            let first = gate.enter(login)
            async let results = Self.all { _ in try await fixture.broker.test(login).steps }
            try await eventually { gate.waitingCount == Self.callers }
            gate.leave(first, .abandoned)
            for result in await results {
                guard case .loginRejected? = try result.get().last?.error else {
                    Issue.record("\(result)")
                    continue
                }
            }
        }
        #expect(server.count("LoginEx") == 1)
        // An explicit test sends it again, because the user requested it.
        _ = try await fixture.broker.test(login).steps
        #expect(server.count("LoginEx") == 2)
        try await Self.onLoop(fixture) {
            gate.remember(.loginRejected(login: login.name, reason: "no"), of: login)
            #expect(gate.refusal(of: login) != nil)
            gate.leave(gate.enter(login), .succeeded)
            #expect(gate.refusal(of: login) == nil)
        }
    }

    @Test("a caller that leaves the queue is replaced by the session's other callers")
    func cancelled() async throws {
        let (fixture, server, endpoint, login) = try await started({ .accepted($0) })
        let gate = fixture.connector.gate
        try await Self.onLoop(fixture) {
            let first = gate.enter(login)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await fixture.open(endpoint) }
                try await eventually { gate.waitingCount == 1 }
                async let other = fixture.open(endpoint)
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.waitForAll() }
                try await eventually { gate.waitingCount == 1 }
                gate.leave(first, .succeeded)
                _ = try await other
            }
            #expect(gate.waitingCount == 0)
        }
        #expect(server.count("LoginEx") == 1)
    }

    @Test("locking the vault empties the queue, and no password is sent")
    func locked() async throws {
        let (fixture, server, endpoint, login) = try await started({ .accepted($0) })
        let gate = fixture.connector.gate
        try await Self.onLoop(fixture) {
            let first = gate.enter(login)
            async let results = Self.all { _ in try await fixture.open(endpoint, hasOwnSession: true) }
            try await eventually { gate.waitingCount == Self.callers }
            await fixture.store.lock()
            for result in await results { #expect(throws: BrokerError.closed) { try result.get() } }
            #expect(gate.waitingCount == 0)
            gate.leave(first, .succeeded)
        }
        #expect(server.connections == 0)
    }

    /// The gate lives on the loop.
    private static func onLoop(
        _ fixture: BrokerFixture,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await Task(executorPreference: LoopExecutor(fixture.loop), operation: body).value
    }
}
