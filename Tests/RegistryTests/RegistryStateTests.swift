// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("The endpoints of the list")
struct RegistryStateTests {
    private var state = RegistryState()
    private let manualID: EndpointID

    init() throws {
        manualID = try #require(EndpointID("manual"))
    }

    @Test("one server on several interfaces, families and types is one endpoint until its last sighting ends")
    mutating func oneServer() throws {
        let sightings = [
            try Sighting.made(), try .made(interface: 3), try .made(address: "2001:db8::1"), try .made(type: "_b._tcp"),
            try .made("OFFICE", interface: 4),
        ]
        for sighting in sightings { _ = state.see(sighting) }
        #expect(state.endpoints.count == 1)
        #expect(state.endpoints.first?.interfaces == ["eth2", "eth3", "eth4"])
        #expect(state.endpoints.first?.addresses.map { "\($0)" } == ["10.0.0.1", "2001:db8::1"])
        for sighting in sightings.dropLast() { _ = state.lose(sighting) }
        #expect(state.endpoints.count == 1)
        let last = state.endpoints
        #expect(state.lose(sightings[4]) == last.map { .removed($0) })
        #expect(state.lose(sightings[4]).isEmpty)
        #expect(state.endpoints.isEmpty)
    }

    @Test("another port, address, host or TXT is one change, and a repetition is none")
    mutating func oneChange() throws {
        #expect(state.see(try .made()).count == 1)
        let id = try #require(state.endpoints.first?.id)
        #expect(state.see(try .made()).isEmpty)
        for sighting in [
            try Sighting.made(port: 8099), try .made(address: "10.0.0.2"), try .made(txt: ["a=b"]),
            try .made(host: "renamed.local", txt: ["a=b"]),
        ] {
            let changes = state.see(sighting)
            #expect(changes == [.changed(try #require(state.endpoint(id)))])
        }
    }

    @Test("a server with two addresses also changes once, because its second sighting adds nothing")
    mutating func oneChangeOfTwo() throws {
        let six = "2001:db8::1"
        _ = state.see(try .made(), try .made(address: six))
        #expect(state.see(try .made(port: 8099)).count == 1)
        #expect(state.see(try .made(port: 8099, address: six)).isEmpty)
        #expect(state.see(try .made(host: "renamed.local", port: 8099)).count == 1)
        #expect(state.see(try .made(host: "renamed.local", port: 8099, address: six)).isEmpty)
        #expect(state.see(try .made(host: "renamed.local", port: 8099, txt: ["v=2"])).count == 1)
        #expect(state.see(try .made(host: "renamed.local", port: 8099, address: six, txt: ["v=2"])).isEmpty)
        #expect(state.endpoints.count == 1)
    }

    @Test("composed and decomposed names are two servers")
    mutating func normalisation() throws {
        #expect(state.see(try .made("B\u{FC}ro"), try .made("Bu\u{308}ro")).count == 2)
        #expect(state.endpoints.count == 2)
    }

    @Test("an endpoint that is announced and then added keeps its ID, and stays as discovered when it is removed")
    mutating func announcedFirst() throws {
        _ = state.see(try .made())
        let id = try #require(state.endpoints.first?.id)
        #expect(try state.add("mine", "10.0.0.1", id: manualID).count == 1)
        #expect(state.endpoints.map(\.id) == [id])
        #expect(state.endpoint(id)?.origin == .manual)
        #expect(state.endpoint(id)?.state == .announced)
        #expect(try state.changes { try $0.remove(id) }.count == 1)
        #expect(state.endpoint(id)?.origin == .discovered)
        #expect(throws: RegistryError.notManual(name: "Office")) { try state.remove(id) }
    }

    @Test("an endpoint that is added and then announced has the manual ID, and is split by removal")
    mutating func addedFirst() throws {
        _ = try state.add("mine", "srv.local", id: manualID)
        #expect(state.endpoint(manualID)?.state == .unknown)
        _ = state.see(try .made(host: "SRV.local."))
        #expect(state.endpoints.map(\.id) == [manualID])
        #expect(try state.changes { try $0.remove(manualID) }.count == 2)
        #expect(state.endpoints.map(\.id) == [.derived(from: try Sighting.made().key.instance)])
    }

    @Test("an entry that takes an announcement from another endpoint changes both")
    mutating func contested() throws {
        let first = try #require(EndpointID("z"))
        _ = try state.add("by-name", "srv.local", id: first)
        _ = state.see(try .made())
        let changes = try state.add("by-address", "10.0.0.1", id: manualID)
        #expect(Set(changes.map(\.endpoint.id)) == [first, manualID])
        #expect(state.endpoint(first)?.state == .unknown)
    }

    @Test("add rejects duplicate and invalid entries")
    mutating func refused() throws {
        _ = try state.add("mine", "10.0.0.1", id: manualID)
        #expect(throws: RegistryError.nameTaken("mine")) { try state.add("mine", "a", id: manualID) }
        #expect(throws: RegistryError.alreadyAdded(name: "mine")) { try state.add("b", "10.0.0.1", id: manualID) }
        for name in ["", "-x", " x", "x ", "a\nb", "a\u{202E}b", String(repeating: "x", count: 64)] {
            #expect(throws: RegistryError.invalidName(name)) { try state.add(name, "b", id: manualID) }
        }
    }

    @Test("a source that goes down makes endpoints stale, and those that it does not report until it settles vanish")
    mutating func stale() throws {
        _ = state.see(try .made("A"), try .made("B"))
        _ = state.hear(.source(.down(SourceFault(.avahiLost))))
        #expect(state.endpoints.map(\.state) == [.stale, .stale])
        _ = state.hear(.source(.up))
        _ = state.see(try .made("B"))
        #expect(state.endpoints.map(\.state) == [.stale, .announced])
        _ = state.hear(.settled)
        #expect(state.endpoints.map(\.name) == ["B"])
    }

    @Test("the events of one source do not affect the sightings of others")
    mutating func oneOfTwoDown() throws {
        let dns = SourceName("dns:example.org")
        _ = state.see(try .made("A"), try .made("B", source: dns, host: "b.example.org", address: "10.0.0.2"))
        _ = state.hear(.source(.down(SourceFault(.avahiLost))))
        #expect(state.endpoints.map(\.state) == [.stale, .announced])
        _ = state.hear(.settled, from: dns)
        #expect(state.endpoints.map(\.state) == [.stale, .announced])
        _ = state.hear(.vanished(try Sighting.made("A").key), from: dns)
        #expect(state.endpoints.count == 2)
    }

    @Test("an endpoint whose source has lost it is stale until it is seen again")
    mutating func lost() throws {
        _ = state.see(try .made(), try .made(interface: 3))
        #expect(state.hear(.lost(try Sighting.made().key)).isEmpty)
        #expect(state.hear(.lost(try Sighting.made(interface: 3).key)).count == 1)
        #expect(state.endpoints.map(\.state) == [.stale])
        #expect(state.see(try .made()).count == 1)
        #expect(state.endpoints.map(\.state) == [.announced])
    }

    @Test("the result of the last contact is the state, until the server moves")
    mutating func contact() throws {
        _ = state.see(try .made())
        let id = try #require(state.endpoints.first?.id)
        #expect(state.changes { _ = $0.note(.reached, for: id, at: 1) }.count == 1)
        #expect(state.endpoint(id)?.state == .reachable)
        _ = state.note(.failed(StateReason(.noAnswer)), for: id, at: 2)
        #expect(state.endpoint(id)?.state == .unreachable)
        #expect(state.endpoint(id)?.stateReason == StateReason(.noAnswer))
        #expect(state.endpoint(id)?.stateSince == 2)
        _ = state.note(.conflict(StateReason(.otherKey)), for: id, at: 3)
        #expect(state.endpoint(id)?.state == .conflict)
        _ = state.see(try .made(port: 1))
        #expect(state.endpoint(id)?.state == .announced)
        let isNews = state.note(.reached, for: manualID, at: 4)
        #expect(!isNews)
    }

    @Test("find accepts an ID, or a name that is unique among added, used or other endpoints")
    mutating func find() throws {
        _ = state.see(try .made())
        _ = state.see(try .made(interface: 3, host: "b.local", address: "10.0.0.2"))
        let derived = EndpointID.derived(from: try Sighting.made().key.instance)
        #expect(try state.find(derived.text).id == derived)
        #expect(throws: RegistryError.notFound(reference: "x")) { try state.find("x") }
        let error = #expect(throws: RegistryError.self) { try state.find("Office") }
        guard case .ambiguous("Office", let candidates)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(Set(candidates) == Set(state.ids))
        state.remember(derived)
        #expect(try state.find("Office").id == derived)
        _ = try state.add("Office", "10.9.9.9", id: manualID)
        #expect(try state.find("Office").id == manualID)
        #expect(try state.find("manual").id == manualID)
        #expect(try state.find(derived.text).id == derived)
    }
}
