// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOPosix
import TestSupport
import Testing

@testable import Registry

@Suite("Recovery of dropped sightings", .timeLimit(.minutes(1)))
struct ShortageTests {
    private let temporary = TemporaryDirectory()

    private static func state(_ narrow: (inout RegistryLimits) -> Void) -> RegistryState {
        var limits = RegistryLimits()
        narrow(&limits)
        return RegistryState(limits: limits)
    }

    private static func stranger(_ number: Int) throws -> Sighting {
        try .made("S\(number)", host: "s\(number).local", address: "10.0.1.\(number)")
    }

    /// Whether the event ends an overflow.
    private static func isOver(_ state: inout RegistryState, _ event: SightingEvent) -> Bool {
        state.apply(event, from: .avahi)
        return state.table.takeEffects().endsShortage
    }

    @Test("after a flood the source sends the evicted servers again")
    func flood() async throws {
        var limits = RegistryLimits()
        (limits.discovered, limits.resyncInterval) = (8, .milliseconds(50))
        let registry = EndpointRegistry(
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            store: EndpointStore(directory: temporary.path, pool: .singleton),
            limits: limits
        )
        let honest = try Sighting.made("Honest")
        let strangers = try (1...8).map(Self.stranger)
        let source = ScriptedSource([.sighted(honest)] + strangers.map { .sighted($0) })
        async let reading: Void = registry.consume(source.events(), from: .avahi) { source.tell(.sighted(honest)) }
        try await eventually { await registry.counters.evicted == 1 }
        #expect(await !registry.snapshot.endpoints.contains { $0.name == "Honest" })
        for stranger in strangers { source.tell(.vanished(stranger.key)) }
        try await eventually { await registry.snapshot.endpoints.map(\.name) == ["Honest"] }
        source.stop()
        await reading
    }

    @Test("recovery is reported once, after a quarter of the endpoints is gone")
    func quarter() throws {
        var state = Self.state { $0.discovered = 8 }
        var isOver = false
        for number in 1...9 { isOver = Self.isOver(&state, .sighted(try Self.stranger(number))) }
        #expect(isOver == false)
        isOver = Self.isOver(&state, .vanished(try Self.stranger(9).key))
        #expect(isOver == false)
        isOver = Self.isOver(&state, .vanished(try Self.stranger(8).key))
        #expect(isOver == true)
        #expect(Self.isOver(&state, .settled) == false)
    }

    @Test("one host that fills its share does not cause repeated queries")
    func share() throws {
        var state = Self.state { $0.discovered = 8 }
        var isOver = false
        for number in 1...10 { isOver = Self.isOver(&state, .sighted(try .made("S\(number)", port: UInt16(number)))) }
        #expect(state.counters.dropped == 6)
        #expect(isOver == false)
        #expect(Self.isOver(&state, .vanished(try Sighting.made("S1", port: 1).key)) == true)
        _ = Self.isOver(&state, .sighted(try .made("S5", port: 5)))
        #expect(Self.isOver(&state, .sighted(try .made("S6", port: 6))) == false)
    }

    @Test("a crowded name and a crowded endpoint have capacity again when one sighting goes")
    func names() throws {
        var state = Self.state { $0.endpointsPerName = 1 }
        let thief = try Sighting.made(interface: 3, host: "thief.local", address: "10.0.0.66")
        _ = state.see(thief)
        #expect(Self.isOver(&state, .sighted(try .made())) == false)
        #expect(Self.isOver(&state, .vanished(thief.key)) == true)

        state = Self.state { $0.sightingsPerEndpoint = 1 }
        _ = state.see(try .made())
        #expect(Self.isOver(&state, .sighted(try .made(interface: 3))) == false)
        #expect(Self.isOver(&state, .vanished(try Sighting.made().key)) == true)
    }

    @Test("the number of strings of a TXT record is limited, however short they are")
    func strings() throws {
        var state = Self.state { _ in }
        _ = state.see(try .made(txt: Array(repeating: "", count: 1_000)))
        #expect(state.endpoints.first?.txt.count == 64)
        #expect(state.counters.cut == 1)
    }
}
