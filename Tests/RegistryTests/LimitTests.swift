// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("Limits against untrusted hosts")
struct LimitTests {
    private static func state(_ narrow: (inout RegistryLimits) -> Void) -> RegistryState {
        var limits = RegistryLimits()
        narrow(&limits)
        return RegistryState(limits: limits)
    }

    private static func stranger(_ number: Int) throws -> Sighting {
        try .made("S\(number)", host: "s\(number).local", address: "10.0.1.\(number)")
    }

    @Test("announcements that come and go leave no memory in use")
    func flapping() throws {
        var state = Self.state { _ in }
        var longest = 0
        for number in 0..<1_000 {
            let sighting = try Self.stranger(number % 3)
            _ = state.see(sighting)
            longest = max(longest, state.table.quota.queued)
            if number >= 10 { _ = state.lose(sighting) }
        }
        #expect(longest <= 2 * 3 + 64 + 1)
    }

    @Test("a sighting is limited in size, and in number for one endpoint and for one name")
    func bounds() throws {
        var state = Self.state {
            $0.sightingsPerEndpoint = 2
            $0.endpointsPerName = 2
        }
        #expect(state.see(try .made(String(repeating: "x", count: 64))).isEmpty)
        #expect(state.see(try .made(host: String(repeating: "h", count: 766))).isEmpty)
        #expect(state.see(try .made(port: 0)).isEmpty)
        #expect(state.counters.malformed == 3)
        _ = state.see(try .made(txt: Array(repeating: String(repeating: "t", count: 255), count: 6)))
        #expect(state.endpoints.first?.txt.count == 5)
        #expect(state.counters.cut == 1)
        for interface in 3...5 { _ = state.see(try .made(interface: Int32(interface))) }
        #expect(state.counters.dropped == 2)
        for number in 6...9 {
            _ = state.see(try .made(interface: Int32(number), host: "h\(number).local", address: "10.0.2.\(number)"))
        }
        #expect(state.count == 2)
        #expect(state.counters.dropped == 5)
    }

    @Test("changes of added or used endpoints are sent first, and several changes of one endpoint are merged")
    func order() throws {
        var state = RegistryState()
        state.table.pending.isRecording = true
        let moved = try Sighting.made("S1", host: "s1.local", port: 1, address: "10.0.1.1")
        for sighting in try (1...3).map(Self.stranger) + [moved] {
            state.apply(.sighted(sighting), from: .avahi)
        }
        #expect(state.table.pending.folded == 1)
        let id = EndpointID.derived(from: try Self.stranger(3).key.instance)
        state.remember(id)
        let changes = state.table.drain()
        #expect(changes.map(\.endpoint.name) == ["S3", "S1", "S2"])
        #expect(changes[1].endpoint.url.port == 1)
    }

    @Test("the number of changes in any one second is limited")
    func rate() {
        var rate = ChangeRateLimiter(perSecond: 3)
        let start: UInt64 = 5_000_000_000
        var taken: [UInt64] = []
        for tick in stride(from: start, to: start + 3_000_000_000, by: 100_000_000)
        where rate.take(at: tick, isUrgent: true) {
            taken.append((tick - start) / 100_000_000)
        }
        #expect(taken == [0, 1, 2, 10, 11, 12, 20, 21, 22])
    }

    @Test("a tenth of the budget is reserved for urgent changes, and the total stays within the limit")
    func urgentRate() {
        var rate = ChangeRateLimiter(perSecond: 20)
        let start: UInt64 = 5_000_000_000
        var others = 0
        while rate.take(at: start, isUrgent: false) { others += 1 }
        var urgent = 0
        while rate.take(at: start + 1, isUrgent: true) { urgent += 1 }
        #expect(others == 18 && urgent == 2)
        #expect(rate.next(isUrgent: true) == start + 1_000_000_000)
    }
}
