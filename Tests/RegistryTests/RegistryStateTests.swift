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

    @Test("add rejects duplicate and invalid entries")
    mutating func refused() throws {
        _ = try state.add("mine", "10.0.0.1", id: manualID)
        #expect(throws: RegistryError.nameTaken("mine")) { try state.add("mine", "a", id: manualID) }
        #expect(throws: RegistryError.alreadyAdded(name: "mine")) { try state.add("b", "10.0.0.1", id: manualID) }
        for name in ["", "-x", " x", "x ", "a\nb", "a\u{202E}b", String(repeating: "x", count: 64)] {
            #expect(throws: RegistryError.invalidName(name)) { try state.add(name, "b", id: manualID) }
        }
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
