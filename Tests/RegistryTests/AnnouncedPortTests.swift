// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

/// An announcement of one server at two ports: an event for each interface, protocol and service, which arrive in any
/// order, with or without a pause in which nothing is announced.
@Suite("An added server that is announced at another port")
struct AnnouncedPortTests {
    private typealias Step = (inout RegistryState) -> Void

    private static let admin = "_Relativity_AdminService_rosdk._tcp"
    private let id: EndpointID

    init() throws {
        id = try #require(EndpointID("office"))
    }

    /// The sightings at a port: IPv4 and IPv6.
    private static func sightings(at port: UInt16) throws -> [Sighting] {
        [try .made(port: port), try .made(port: port, address: "2001:db8::1")]
    }

    /// All orders of the steps in which those of each list stay in order.
    private static func merges(_ lists: [[Step]]) -> [[Step]] {
        let open = lists.indices.filter { !lists[$0].isEmpty }
        guard !open.isEmpty else { return [[]] }
        return open.flatMap { index in
            var rest = lists
            let step = rest[index].removeFirst()
            return merges(rest).map { [step] + $0 }
        }
    }

    /// All ways from one announcement to another one.
    private static func ways(from old: [Sighting], to new: [Sighting]) -> [[Step]] {
        var ways: [[Step]] = []
        for pauses in 0..<(1 << old.count) {
            let lists = zip(old, new).enumerated().map { index, pair -> [Step] in
                let sight: Step = { _ = $0.see(pair.1) }
                return pauses >> index & 1 == 0 ? [sight] : [{ _ = $0.lose(pair.0) }, sight]
            }
            ways += merges(lists)
        }
        return ways
    }

    private static func facts(_ state: RegistryState) -> [String] {
        state.endpoints.map { endpoint in
            let places = endpoint.sources.isEmpty ? "" : " \(endpoint.addresses.count)"
            return "\(endpoint.name) \(endpoint.url) \(endpoint.state)\(places)"
        }
    }

    @Test(
        "the result depends on the announcement, not on its events",
        arguments: [false, true],
        [false, true]
    )
    func everyWay(hasAdmin: Bool, isUsed: Bool) throws {
        var start = RegistryState()
        _ = try start.add("office", "10.0.0.1:7099", id: id)
        let (old, new) = (try Self.sightings(at: 7099), try Self.sightings(at: 7199))
        for sighting in old { _ = start.see(sighting) }
        if hasAdmin { _ = start.see(try .made(type: Self.admin, port: 8099)) }
        if isUsed { start.remember(id) }
        #expect(Self.facts(start) == ["office http://10.0.0.1:7099/bin announced 2"])
        let moved = [
            "Office http://srv.local:7199/bin announced 2", "office http://10.0.0.1:7099/bin unknown",
        ]
        for steps in Self.ways(from: old, to: new) {
            var state = start
            for step in steps { step(&state) }
            #expect(Self.facts(state) == moved)
            #expect(state.endpoint(id)?.url.port == 7099)
            for steps in Self.ways(from: new, to: old) {
                var back = state
                for step in steps { step(&back) }
                #expect(Self.facts(back) == Self.facts(start))
            }
        }
    }

    @Test("another host with the name of an added server is in conflict with it, on any port", arguments: [7099, 7199])
    func impostor(port: UInt16) throws {
        var state = RegistryState()
        _ = try state.add("office", "10.0.0.1:7099", id: id)
        _ = state.see(try .made())
        _ = state.see(try .made(interface: 3, host: "evil.local", port: port, address: "10.0.0.66"))
        #expect(state.endpoints.map(\.state) == [.conflict, .conflict])
    }
}
