// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite struct EndpointTableTests {
    private var table = EndpointTable(limits: RegistryLimits())
    private let id: EndpointID
    private let sighting: TrackedSighting

    init() throws {
        id = try #require(EndpointID("0123456789abcdef"))
        sighting = TrackedSighting(try Sighting.made("A"), order: 1)
    }

    private mutating func insert(_ id: EndpointID, number: UInt64 = 1) {
        var facts = EndpointFacts(id: id, number: number, discoveredAt: sighting.host)
        facts.put(sighting)
        table.insert(facts)
    }

    @Test("an endpoint is found by its name and its address, until it is dropped")
    mutating func indexes() {
        insert(id)
        #expect(table.contains(id) && table.count == 1)
        #expect(table.endpoints(named: sighting.name) == [id])
        #expect(table.firstEndpoint(at: sighting.addressPlace) == id)
        #expect(table.entry(naming: sighting.places) == nil, "it is no entry")
        #expect(table.quota.discovered == 1 && table.quota.bytes == sighting.cost)
        table.drop(id)
        #expect(!table.contains(id))
        #expect(table.endpoints(named: sighting.name).isEmpty)
        #expect(table.firstEndpoint(at: sighting.addressPlace) == nil)
        #expect(table.quota.discovered == 0 && table.quota.bytes == 0)
    }

    @Test("with its last sighting a discovered endpoint goes")
    mutating func lastSighting() {
        insert(id)
        table.take(sighting.sighting.key, from: id)
        #expect(table.count == 0)
    }

    @Test("each change makes another edition; a second endpoint with the same name changes the first one too")
    mutating func recording() throws {
        let other = try #require(EndpointID("fedcba9876543210"))
        insert(id)
        let edition = table.edition
        table.beginRecording(beside: PendingChanges())
        insert(other, number: 2)
        let changed = table.takeChanges().steps.map { step in
            guard case .changed(let id, let before, _) = step else { return "other" }
            return "\(id.text) \(before == nil ? "new" : "known")"
        }
        table.endRecording()
        #expect(changed == ["\(other.text) new", "\(id.text) known"])
        #expect(table.edition > edition)
        #expect(table.takeChanges().steps.isEmpty)
    }
}
