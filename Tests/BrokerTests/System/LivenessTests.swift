// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOPosix
import Platform
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite("Liveness of servers", .timeLimit(.minutes(1)), .endsStarted)
struct LivenessTests {
    @Test(
        "an unused server is not contacted, however it is announced; an added one is, without sending a byte"
    )
    func whoIsContacted() async throws {
        let fixture = try await LivenessFixture()
        let server = try await ScriptedServer(on: fixture.base.loop) { .accepted($0) }
        let announced = try await fixture.announce(port: UInt16(try #require(server.address.port)))
        try await fixture.severalIntervals()
        #expect(server.connections == 0)
        #expect(await fixture.state(of: announced) == .announced)

        let added = try await fixture.base.endpoint(at: server.address)
        #expect(added.id == announced.id)
        try await eventually { server.connections > 2 }
        #expect(await fixture.state(of: added) == .reachable)

        _ = try await fixture.base.registry.set(added.id, EndpointSettings { $0.probe = .off })
        try await eventually { await fixture.state(of: added) == .announced }
        let connections = server.connections
        try await fixture.severalIntervals()
        #expect(server.connections <= connections + 1)
        #expect(server.received == 0)
    }

    @Test("an address that is only announced is not contacted while the vault is closed, unless its pin can be read")
    func announcedPlaces() {
        for origin in [Origin.manual, .imported, .configured] {
            for vault in VaultState.allCases { #expect(Prober.mayProbe(origin, isPinned: false, vault: vault)) }
        }
        for vault in VaultState.allCases {
            #expect(Prober.mayProbe(.discovered, isPinned: true, vault: vault))
            let isOpen = vault == .unlocked || vault == .absent
            #expect(Prober.mayProbe(.discovered, isPinned: false, vault: vault) == isOpen, "\(vault)")
        }
    }

    @Test(
        "a TLS key that is not pinned is a conflict while the vault is open, and is not judged while it is locked"
    )
    func otherKey() async throws {
        let fixture = try await LivenessFixture(isOn: false)
        let certificate = try await TestCertificate(in: fixture.base.temporary)
        let server = try await ScriptedServer(on: fixture.base.loop, tls: certificate.context) { .accepted($0) }
        let endpoint = try await fixture.base.endpoint(at: server.address, scheme: .https)
        #expect(try await fixture.monitor.probe(now: endpoint).contact == .reached)

        try await fixture.base.login(to: endpoint, pin: .tls(spkiSHA256: [UInt8](repeating: 7, count: 32)))
        let report = try await fixture.monitor.probe(now: endpoint)
        #expect(report.contact.state == .conflict)
        #expect(await fixture.state(of: endpoint) == .conflict)

        await fixture.base.store.lock()
        let conflicting = try #require(await fixture.base.registry.endpoint(endpoint.id))
        #expect(try await fixture.monitor.probe(now: conflicting).contact == .reached)
        // The identity was not checked, so it may still be the wrong one.
        #expect(await fixture.state(of: endpoint) == .conflict)
        #expect(server.received == 0)
        #expect(server.connections == 3)
    }

    @Test("a plain address that is not pinned is a conflict, and is not contacted")
    func otherAddress() async throws {
        let fixture = try await LivenessFixture(isOn: false)
        let server = try await ScriptedServer(on: fixture.base.loop) { .accepted($0) }
        let endpoint = try await fixture.base.endpoint(at: server.address)
        try await fixture.base.login(to: endpoint, pin: .loopback(.otherLocalhost, port: endpoint.url.port))
        #expect(try await fixture.monitor.probe(now: endpoint).contact.state == .conflict)
        #expect(server.connections == 0)
    }

    @Test("any client can have any server probed, and receives the result and its duration")
    func onRequest() async throws {
        let fixture = try await LivenessFixture(isOn: false)
        let server = try await fixture.base.sampleServer()
        let endpoint = try await fixture.announce(port: UInt16(try #require(server.addresses.first?.port)))
        let reached = try await fixture.monitor.probe(now: endpoint)
        #expect(reached.contact == .reached)
        #expect(reached.took < .seconds(3))
        #expect(await fixture.state(of: endpoint) == .reachable)
        await server.stop()
        #expect(
            try await fixture.monitor.probe(now: endpoint).contact
                == .failed(StateReason(code: .connectError, errno: Int64(ECONNREFUSED), detail: "Connection refused"))
        )
        #expect(await fixture.state(of: endpoint) == .unreachable)
    }

    @Test("a server that accepts connections and sends nothing is alive without TLS, and not with TLS")
    func silence() async throws {
        let fixture = try await LivenessFixture(isOn: false)
        let server = try await ScriptedServer(on: fixture.base.loop) { .accepted($0) }
        let plain = try await fixture.base.endpoint(at: server.address, name: "plain")
        #expect(try await fixture.monitor.probe(now: plain).contact == .reached)
        let secure = try await fixture.base.endpoint(at: server.address, scheme: .https, name: "secure")
        let report = try await fixture.monitor.probe(now: secure)
        #expect(report.contact == .failed(StateReason(code: .noAnswer)))
        #expect(report.took > .milliseconds(3_900) && report.took < .seconds(6))
    }

    @Test("a name that is not resolved in time is no server, and its look-up delays others only briefly")
    func slowNames() async throws {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let blocked = BlockedThread()
        pool.submit { _ in blocked.wait() }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let lookUps = ProbeLookUps(pool: pool, loop: loop)
        let late = BrokerError.unreachable(StateReason(code: .lookUpTimeout))
        for _ in 0..<2 {
            await #expect(throws: late) {
                try await lookUps.addresses(of: "localhost", before: .now() + .milliseconds(200))
            }
        }
        blocked.release()
        #expect(try await lookUps.addresses(of: "localhost", before: .now() + .seconds(5)).contains(.localhost))
        try await pool.shutdownGracefully()
    }

    @Test("a lease and a watch keep an endpoint in use as long as they last")
    func inUse() async throws {
        let fixture = try await BrokerFixture()
        let endpoint = try await fixture.sampleEndpoint()
        var events = await fixture.registry.probeEvents().makeAsyncIterator()
        #expect(await events.next() == .wanted(endpoint.id, .kept))
        let adapter = try await fixture.open(endpoint, anonymous: true)
        #expect(await events.next() == .wanted(endpoint.id, .inUse))
        _ = try await Tool.call(adapter.socketPath)
        // The result of a call is reported, and the state changes because of it.
        #expect(await events.next() == .turned)
        #expect(await events.next() == .heard(endpoint.id, .reached))
        try await fixture.broker.close(adapter.id)
        #expect(await events.next() == .wanted(endpoint.id, .kept))

        let watch = Task(executorPreference: LoopExecutor(fixture.loop)) {
            for try await _ in try await fixture.registry.watch(endpoint.id) {}
        }
        #expect(await events.next() == .wanted(endpoint.id, .inUse))
        watch.cancel()
        _ = try? await watch.value
        #expect(await events.next() == .wanted(endpoint.id, .kept))
        try await fixture.registry.remove(endpoint.id)
        #expect(await events.next() == .unwanted(endpoint.id))
    }

    @Test("states survive a restart, are shown as old until the first probe, and a damaged file is set aside")
    func restart() async throws {
        let fixture = try await LivenessFixture()
        let server = try await fixture.base.sampleServer()
        let endpoint = try await fixture.base.endpoint(at: server.addresses.first)
        try await eventually { await fixture.state(of: endpoint) == .reachable }
        let since = await fixture.base.registry.endpoint(endpoint.id)?.stateSince
        await fixture.stop()

        let again = try await LivenessFixture(isOn: false)
        for name in ["state", "e"] {
            #expect(rename(fixture.base.temporary.path(of: name), again.base.temporary.path(of: name)) == 0)
        }
        #expect(await again.base.registry.load() == nil)
        #expect(await again.monitor.load() == nil)
        let old = try #require(await again.base.registry.endpoint(endpoint.id))
        #expect(old.state == .reachable && old.stateSince == since && old.stateHeard != nil)
        _ = try await again.monitor.probe(now: old)
        let checked = try #require(await again.base.registry.endpoint(endpoint.id))
        #expect(checked.state == .reachable && checked.stateSince == since && checked.stateHeard == nil)

        again.base.temporary.write(Array("{".utf8), to: "state/reachability.json")
        guard case .setAside(let path, let aside, _)? = await again.monitor.load() else { throw NotInTime(seconds: 0) }
        #expect(aside == path + ".damaged-1")
        #expect(again.base.temporary.names(in: "state") == ["reachability.json.damaged-1"])
    }
}
