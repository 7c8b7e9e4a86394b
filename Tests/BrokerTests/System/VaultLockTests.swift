// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite("Adapters and the lock of the vault", .endsStarted)
struct VaultLockTests {
    @Test("calls through an adapter reset the idle timer; without calls the vault locks, and the adapter is closed")
    func activity() async throws {
        let policy = VaultLockPolicy(idle: .milliseconds(600), absolute: .seconds(60))
        let fixture = try await BrokerFixture(lockPolicy: policy)
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        let started = ContinuousClock.now
        while ContinuousClock.now - started < .milliseconds(1_500) {
            #expect(try await Tool.call(adapter.socketPath).status == 200)
        }
        let lastCall = ContinuousClock.now
        #expect(await fixture.store.state == .unlocked)
        try await eventually { await fixture.store.state == .locked }
        #expect(ContinuousClock.now - lastCall > .milliseconds(400))
        try await eventually { fixture.sockets.isEmpty }
    }

    @Test("a tool that makes calls does not keep the vault open beyond the absolute limit")
    func absolute() async throws {
        let policy = VaultLockPolicy(idle: .seconds(60), absolute: .seconds(1))
        let fixture = try await BrokerFixture(lockPolicy: policy)
        let endpoint = try await fixture.sampleEndpoint()
        try await fixture.login(to: endpoint)
        let adapter = try await fixture.open(endpoint)
        try await eventually {
            (try? await Tool.call(adapter.socketPath).status) != 200
        }
        #expect(await fixture.store.state == .locked)
    }

    @Test(
        "a lock closes every adapter, logs out its session and wipes the keys, within 50 milliseconds",
        arguments: [1, 16]
    )
    func prompt(adapters: Int) async throws {
        let limit = Duration.milliseconds(50)
        let ended = try await fastest(below: limit) { try await Self.lock(adapters: adapters) }
        #expect(ended < limit)
    }

    /// - Returns: the time from the lock until the last key and adapter was gone.
    private static func lock(adapters: Int) async throws -> Duration {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        try await fixture.login(to: endpoint)
        for _ in 0..<adapters { _ = try await fixture.open(endpoint) }
        let started = ContinuousClock.now
        await fixture.store.lock()
        while await !fixture.store.keysAreGone { await Task.yield() }
        let wiped = ContinuousClock.now - started
        while await !fixture.broker.openAdapters.isEmpty { await Task.yield() }
        let ended = ContinuousClock.now - started
        print("\(adapters) adapters: keys wiped \(wiped) after the lock, adapters ended after \(ended)")
        #expect(fixture.sockets.isEmpty)
        try await eventually { await !fixture.broker.usesVault }
        #expect(try fixture.calls("LoginService.Logout") == 1)
        await fixture.stop()
        await server.stop()
        return ended
    }

    @Test("a login that is unanswered at the lock is logged out anyway")
    func lockDuringLogin() async throws {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            request.method == "LoginEx" ? .bytes([]) : .accepted(request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        async let adapter = try? fixture.open(endpoint)
        try await eventually { server.count("LoginEx") == 1 }
        await fixture.store.lock()
        try await eventually { await fixture.broker.sessionCount == 0 }
        try await eventually { await !fixture.broker.usesVault }
        #expect(server.count("Logout") == 0)
        await server.hangUp()
        try await eventually { server.count("Logout") == 1 }
        #expect(await adapter == nil)
        #expect(server.clientIDs.count == 1 && server.count("LoginEx") == 1)
    }
}
