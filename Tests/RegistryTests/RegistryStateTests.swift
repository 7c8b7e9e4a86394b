// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("What endpoints exist")
struct RegistryStateTests {
    private var state = RegistryState(limits: RegistryLimits(), deriveID: EndpointID.derived)
    private let manualID: EndpointID

    init() throws {
        manualID = try #require(EndpointID("manual"))
    }

    private mutating func see(_ sightings: Sighting...) -> [RegistryChange] {
        sightings.flatMap { state.apply(.sighted($0), from: .avahi) }
    }

    private static func entry(_ name: String, _ address: String) throws -> ManualEntry {
        ManualEntry(name: name, url: try ServerURL(completing: address))
    }

    @Test("one server on several interfaces, families and types is one endpoint, gone with its last sighting")
    mutating func oneServer() throws {
        let sightings = [
            try Sighting.made(), try .made(interface: 3), try .made(address: "2001:db8::1"), try .made(type: "_b._tcp"),
            try .made("OFFICE", interface: 4),
        ]
        for sighting in sightings { _ = state.apply(.sighted(sighting), from: .avahi) }
        #expect(state.endpoints.count == 1)
        #expect(state.endpoints.first?.interfaces == ["eth2", "eth3", "eth4"])
        #expect(state.endpoints.first?.addresses.map { "\($0)" } == ["10.0.0.1", "2001:db8::1"])
        for sighting in sightings.dropLast() { _ = state.apply(.vanished(sighting.key), from: .avahi) }
        #expect(state.endpoints.count == 1)
        let last = state.endpoints
        #expect(state.apply(.vanished(sightings[4].key), from: .avahi) == last.map { .removed($0) })
        #expect(state.apply(.vanished(sightings[4].key), from: .avahi).isEmpty)
        #expect(state.endpoints.isEmpty)
    }

    @Test("another port, address or TXT is one change; the same again is none")
    mutating func changes() throws {
        #expect(see(try .made()).count == 1)
        let id = try #require(state.endpoints.first?.id)
        #expect(see(try .made()).isEmpty)
        for sighting in [try Sighting.made(port: 8099), try .made(address: "10.0.0.2"), try .made(txt: ["a=b"])] {
            let changes = see(sighting)
            #expect(changes == [.changed(try #require(state.endpoint(id)))])
        }
    }

    @Test("composed and decomposed names are two servers")
    mutating func normalisation() throws {
        #expect(see(try .made("B\u{FC}ro"), try .made("Bu\u{308}ro")).count == 2)
        #expect(state.endpoints.count == 2)
    }

    @Test("announced first, added then: the endpoint keeps its id, and stays as discovered when it is removed")
    mutating func announcedFirst() throws {
        _ = see(try .made())
        let id = try #require(state.endpoints.first?.id)
        #expect(try state.add(try Self.entry("mine", "10.0.0.1"), id: manualID).count == 1)
        #expect(state.endpoints.map(\.id) == [id])
        #expect(state.endpoint(id)?.origin == .manual)
        #expect(state.endpoint(id)?.state == .announced)
        #expect(try state.remove(id).count == 1)
        #expect(state.endpoint(id)?.origin == .discovered)
        #expect(throws: RegistryError.notManual(name: "Office")) { try state.remove(id) }
    }

    @Test("added first, announced then: one endpoint with the manual id, parted again by removal")
    mutating func addedFirst() throws {
        _ = try state.add(try Self.entry("mine", "srv.local"), id: manualID)
        #expect(state.endpoint(manualID)?.state == .unknown)
        _ = see(try .made(host: "SRV.local."))
        #expect(state.endpoints.map(\.id) == [manualID])
        #expect(try state.remove(manualID).count == 2)
        #expect(state.endpoints.map(\.id) == [.derived(from: try Sighting.made().key.instance)])
    }

    @Test("an entry that takes an announcement from another one changes both")
    mutating func contested() throws {
        let first = try #require(EndpointID("z"))
        _ = try state.add(try Self.entry("by-name", "srv.local"), id: first)
        _ = see(try .made())
        let changes = try state.add(try Self.entry("by-address", "10.0.0.1"), id: manualID)
        #expect(Set(changes.map(\.endpoint.id)) == [first, manualID])
        #expect(state.endpoint(first)?.state == .unknown)
    }

    @Test("what cannot be added")
    mutating func refused() throws {
        _ = try state.add(try Self.entry("mine", "10.0.0.1"), id: manualID)
        #expect(throws: RegistryError.nameTaken("mine")) { try state.add(try Self.entry("mine", "a"), id: manualID) }
        #expect(throws: RegistryError.alreadyAdded(name: "mine")) {
            try state.add(try Self.entry("b", "10.0.0.1"), id: manualID)
        }
        for name in ["", "-x", " x", "x ", "a\nb", "a\u{202E}b", String(repeating: "x", count: 64)] {
            #expect(throws: RegistryError.invalidName(name)) { try state.add(try Self.entry(name, "b"), id: manualID) }
        }
    }

    @Test("limits hold, and what is dropped is counted")
    func limits() throws {
        var limits = RegistryLimits()
        limits.instances = 1
        limits.sightingsPerInstance = 1
        limits.manualEntries = 1
        var state = RegistryState(limits: limits, deriveID: EndpointID.derived)
        for sighting in [try Sighting.made(), try .made("B"), try .made(interface: 3), try .made()] {
            _ = state.apply(.sighted(sighting), from: .avahi)
        }
        #expect(state.droppedSightings == 2)
        _ = try state.add(try Self.entry("a", "10.1.0.1"), id: manualID)
        #expect(throws: RegistryError.full(limit: 1)) { try state.add(try Self.entry("b", "b"), id: manualID) }
    }

    @Test("a source that is down makes stale; what it does not say again by the time it settles is gone")
    mutating func stale() throws {
        _ = see(try .made("A"), try .made("B"))
        _ = state.apply(.source(.down(reason: "gone")), from: .avahi)
        #expect(state.endpoints.map(\.state) == [.stale, .stale])
        _ = state.apply(.source(.up), from: .avahi)
        _ = see(try .made("B"))
        #expect(state.endpoints.map(\.state) == [.stale, .announced])
        _ = state.apply(.settled, from: .avahi)
        #expect(state.endpoints.map(\.name) == ["B"])
    }

    @Test("the last contact is the state, until the server moves")
    mutating func contact() throws {
        _ = see(try .made())
        let id = try #require(state.endpoints.first?.id)
        #expect(state.note(.reached, for: id, at: 1).count == 1)
        #expect(state.endpoint(id)?.state == .reachable)
        _ = state.note(.failed(reason: "refused"), for: id, at: 2)
        #expect(state.endpoint(id)?.state == .unreachable)
        #expect(state.endpoint(id)?.stateReason == "refused")
        #expect(state.endpoint(id)?.stateSince == 2)
        _ = see(try .made(port: 1))
        #expect(state.endpoint(id)?.state == .announced)
        #expect(state.note(.reached, for: manualID, at: 3).isEmpty)
    }

    @Test("an endpoint is found by id or by a name that only one has")
    mutating func find() throws {
        _ = see(try .made())
        _ = try state.add(try Self.entry("Office", "10.9.9.9"), id: manualID)
        let derived = EndpointID.derived(from: try Sighting.made().key.instance)
        #expect(try state.find("manual").id == manualID)
        #expect(try state.find(derived.text).id == derived)
        #expect(throws: RegistryError.notFound(reference: "x")) { try state.find("x") }
        let error = #expect(throws: RegistryError.self) { try state.find("Office") }
        guard case .ambiguous("Office", let candidates)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(Set(candidates) == [manualID, derived])
    }
}
