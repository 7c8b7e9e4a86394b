// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Glibc
import NIOCore
import Platform
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.everyReplyShape, .endsStarted) struct AdapterTests {
    @Test("an adapter is a socket for its user only, returns the schema, and leaves no files")
    func roundTrip() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        var facts = stat()
        #expect(lstat(adapter.socketPath, &facts) == 0)
        #expect(facts.st_mode == S_IFSOCK | 0o600)
        #expect(lstat(fixture.temporary.path(of: "a"), &facts) == 0 && facts.st_mode & 0o777 == 0o700)
        #expect(adapter.target?.domain == "DASamples" && adapter.target?.schema == "Simple" && adapter.login == "login")

        let answer = try await Tool.call(adapter.socketPath)
        #expect(answer.status == 200)
        #expect(try answer.schema().contains("<Name>Deps</Name>"))
        #expect(await fixture.registry.endpoint(endpoint.id)?.state == .reachable)
        #expect(await fixture.broker.sessionCount == 1)

        try await fixture.broker.close(adapter.id)
        await #expect(throws: BrokerError.adapterNotFound(adapter.id)) {
            try await fixture.broker.close(adapter.id)
        }
        #expect(fixture.sockets.isEmpty)
        #expect(await fixture.broker.sessionCount == 0)
        try await eventually { try fixture.calls("LoginService.Logout") == 1 }
        #expect(try fixture.calls("LoginService.LoginEx") == 1)
    }

    @Test("fifty calls over a lost session cause one new login, and none of them fails")
    func expiry() async throws {
        let fixture = try await BrokerFixture(concurrent: 64)
        let first = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: first.addresses.first)
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        await first.stop()
        // The new server does not know the session.
        _ = try await fixture.sampleServer(port: Int(endpoint.url.port)) { $0.delay = .milliseconds(2) }
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await Tool.call(adapter.socketPath).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 50))
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
    }

    @Test("a refused login is not sent again until a test of it succeeds")
    func refused() async throws {
        let fixture = try await BrokerFixture()
        var server = try await fixture.sampleServer { $0.refusesLogins = true }
        let port = try #require(server.addresses.first?.port)
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        let login = try await fixture.login(to: endpoint)
        let reason = "user, password, domain or schema is wrong"
        for memory in [""] + Array(repeating: " (earlier; it is not sent again automatically)", count: 4) {
            await #expect(throws: BrokerError.loginRejected(login: "login", reason: reason + memory)) {
                try await fixture.open(endpoint)
            }
        }
        #expect(try fixture.calls("LoginService.LoginEx") == 1)
        #expect(await fixture.registry.endpoint(endpoint.id)?.state == .reachable)
        #expect(await fixture.broker.sessionCount == 0)
        #expect(try await fixture.broker.test(login).steps.last?.isOK == false)
        await #expect(throws: BrokerError.self) { try await fixture.open(endpoint) }
        #expect(try fixture.calls("LoginService.LoginEx") == 2)

        await server.stop()
        server = try await fixture.sampleServer(port: port)
        #expect(try await fixture.broker.test(login).steps.map(\.name) == ["pin", "login", "logout"])
        let adapter = try await fixture.open(endpoint)
        #expect(try await Tool.call(adapter.socketPath).status == 200)
    }

    @Test("a server that is down is reported as unreachable, and works again after it returns")
    func serverDown() async throws {
        let fixture = try await BrokerFixture()
        var server = try await fixture.sampleServer()
        let port = try #require(server.addresses.first?.port)
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        await server.stop()
        let answer = try await Tool.call(adapter.socketPath)
        #expect(answer.status == 502)
        #expect(answer.exception?.className == AdapterReply.failureClass)
        #expect(await fixture.registry.endpoint(endpoint.id)?.state == .unreachable)
        server = try await fixture.sampleServer(port: port)
        #expect(try await Tool.call(adapter.socketPath).status == 200)
        #expect(await fixture.registry.endpoint(endpoint.id)?.state == .reachable)
    }

    @Test("locking the vault closes adapters with a login and logs out, and keeps other adapters")
    func vaultLock() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let bound = try await fixture.open(endpoint)
        let open = try await fixture.open(endpoint, anonymous: true)
        async let end = fixture.broker.waitForEnd(of: bound.id)
        try await eventually { await fixture.broker.adapters[bound.id]?.waiters.count == 1 }
        await fixture.store.lock()
        #expect(try await end == .vaultLocked)
        try await eventually { try fixture.calls("LoginService.Logout") == 1 }
        #expect(await fixture.broker.openAdapters == [open])
        #expect(fixture.sockets == ["\(open.id).sock"])
        #expect(try await Tool.call(open.socketPath, Tool.getSchema("DASampleService")).status == 200)
        // An anonymous session is never repeated: the exception reaches the tool.
        #expect(try await Tool.call(open.socketPath).exception == .sessionNotFound)
        await #expect(throws: CredentialError.locked) { try await fixture.open(endpoint) }
    }

    @Test("cancelling one wait for the end of an adapter does not affect other waits")
    func waiting() async throws {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        let cancelled = Task { try await fixture.broker.waitForEnd(of: adapter.id) }
        async let other = fixture.broker.waitForEnd(of: adapter.id)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        // Like the API: in a task that was cancelled. The server is notified anyway.
        let closing = Task {
            while !Task.isCancelled { await Task.yield() }
            try await fixture.broker.close(adapter.id)
        }
        closing.cancel()
        try await closing.value
        #expect(try await other == .closed)
        #expect(try await fixture.broker.waitForEnd(of: adapter.id) == .closed)
        try await eventually { try fixture.calls("LoginService.Logout") == 1 }
    }

    @Test("an unused adapter is closed after its idle time, and a held one is not")
    func idle() async throws {
        var limits = AdapterLimits()
        limits.idle = .milliseconds(300)
        let fixture = try await BrokerFixture(limits)
        let endpoint = try await fixture.sampleEndpoint()
        let held = try await fixture.open(endpoint, anonymous: true)
        let adapter = try await fixture.open(endpoint, anonymous: true, lifetime: .atMost(.seconds(1 << 60)))
        #expect(adapter.lifetime == .atMost(limits.longest))
        async let end = fixture.broker.waitForEnd(of: adapter.id)
        var lastUse = ContinuousClock.now
        for _ in 0..<4 {
            try await fixture.loop.sleep(for: .milliseconds(100))
            let start = ContinuousClock.now
            guard (try? await Tool.call(adapter.socketPath, Tool.getSchema("DASampleService"))) != nil else { break }
            lastUse = start
        }
        #expect(try await end == .expired)
        #expect(ContinuousClock.now - lastUse >= limits.idle)
        #expect(await fixture.broker.openAdapters == [held])
        #expect(fixture.sockets == ["\(held.id).sock"])
        await fixture.stop()
        #expect(fixture.sockets.isEmpty)
    }

    @Test("an adapter is closed after its lifetime, regardless of use")
    func longest() async throws {
        var limits = AdapterLimits()
        limits.longest = .milliseconds(500)
        let fixture = try await BrokerFixture(limits)
        let endpoint = try await fixture.sampleEndpoint()
        let start = ContinuousClock.now
        for lifetime in [Duration.seconds(100), .milliseconds(200), .zero, .seconds(-5)] {
            let adapter = try await fixture.open(endpoint, anonymous: true, lifetime: .atMost(lifetime))
            #expect(adapter.lifetime == .atMost(min(max(lifetime, .zero), limits.longest)))
        }
        try await eventually {
            for adapter in await fixture.broker.openAdapters {
                _ = try? await Tool.call(adapter.socketPath, Tool.getSchema("DASampleService"))
            }
            return await fixture.broker.openAdapters.isEmpty
        }
        #expect(ContinuousClock.now - start >= limits.longest)
        #expect(fixture.sockets.isEmpty)
    }

    @Test("a tool that disconnects does not abort the login that another tool waits for")
    func hangUp() async throws {
        let fixture = try await BrokerFixture()
        let first = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: first.addresses.first)
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        await first.stop()
        // The new server does not know the session.
        let port = Int(endpoint.url.port)
        _ = try await fixture.sampleServer(port: port) { $0.delay = .milliseconds(300) }
        let answer = try await withThrowingTaskGroup { group in
            group.addTask { () -> Tool.Answer? in
                try await fixture.hangUpDuringLogin(adapter, login: 2)
                return nil
            }
            try await eventually { try fixture.calls("LoginService.LoginEx") == 2 }
            group.addTask { try await Tool.call(adapter.socketPath) }
            return try await group.reduce(nil) { $0 ?? $1 }
        }
        #expect(answer?.status == 200)
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
    }

    @Test("the number of adapters never exceeds the limit, also if many are opened at the same time")
    func limit() async throws {
        var limits = AdapterLimits()
        limits.adapters = 3
        let fixture = try await BrokerFixture(limits)
        let endpoint = try await fixture.sampleEndpoint { $0.delay = .milliseconds(5) }
        try await fixture.login(to: endpoint)
        let opened = await withTaskGroup { group in
            for _ in 0..<12 { group.addTask { (try? await fixture.open(endpoint)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(opened == 3)
        #expect(fixture.sockets.count == 3)
        await #expect(throws: BrokerError.tooManyAdapters(limit: 3)) { try await fixture.open(endpoint) }
        await fixture.stop()
        await #expect(throws: BrokerError.closed) { try await fixture.open(endpoint) }
    }

    @Test(
        "random opens, closes, calls, cancellations and locks log out every session and leave nothing",
        arguments: [1, 2, 3] as [UInt64]
    )
    func interleavings(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        await withTaskGroup { group in
            for round in 0..<120 {
                let action = Int.random(in: 0..<12, using: &random)
                let pick = Int.random(in: 0..<64, using: &random)
                group.addTask {
                    let open = await fixture.broker.openAdapters
                    let some = open.isEmpty ? nil : open[pick % open.count]
                    switch action {
                    case 0...4: _ = try? await fixture.open(endpoint, anonymous: action == 4)
                    case 5: if let some { try? await fixture.broker.close(some.id) }
                    case 6...9: if let some { _ = try? await Tool.call(some.socketPath) }
                    case 10:
                        let opening = Task { try await fixture.open(endpoint) }
                        if pick > 32 { await Task.yield() }
                        opening.cancel()
                        if let adapter = try? await opening.value { try? await fixture.broker.close(adapter.id) }
                    default:
                        guard round % 3 == 0 else { return }
                        await fixture.store.lock()
                        try? await fixture.unlock()
                    }
                }
                if round % 8 == 0 { try? await fixture.loop.sleep(for: .milliseconds(Int64(pick))) }
            }
        }
        for adapter in await fixture.broker.openAdapters { try? await fixture.broker.close(adapter.id) }
        #expect(await fixture.broker.sessionCount == 0)
        #expect(fixture.sockets.isEmpty)
        await fixture.stop()
        #expect(server.count("LoginEx") > 0)
        #expect(server.clientIDs(of: "LoginEx") == server.clientIDs(of: "Logout"))
    }
}
