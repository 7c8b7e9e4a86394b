// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("Names for endpoints")
struct FindingTests {
    private var state = RegistryState()
    private let office: EndpointID
    private let shop: EndpointID

    init() throws {
        office = try #require(EndpointID("c0ffee01"))
        shop = try #require(EndpointID("c0ffee02"))
        _ = try state.add("Head office", "10.9.9.1", id: office)
        _ = try state.add("shop10", "10.9.9.2", id: shop)
    }

    @Test("the beginning of a name or an ID is sufficient if it is unique")
    mutating func beginnings() throws {
        for short in ["H", "Head o", "Head office", "c0ffee01"] { #expect(try state.find(short).id == office) }
        for short in ["s", "shop", "c0ffee02"] { #expect(try state.find(short).id == shop) }
        #expect(throws: RegistryError.ambiguous(reference: "c0ffee0", candidates: [office, shop])) {
            try state.find("c0ffee0")
        }
        // Too short for an ID, in the middle of a number, in other letters, or empty.
        for (none, nearest) in [
            ("c0f", nil), ("shop1", "shop10"), ("head", nil), ("office", nil), ("shop100", "shop10"), ("", nil),
        ] {
            #expect(throws: RegistryError.notFound(reference: none, nearest: nearest)) { try state.find(none) }
        }
    }

    @Test("a name with control characters is selected as it is displayed, if nothing else is")
    mutating func displayed() throws {
        _ = state.see(try .made("bad\u{1B}[31m", host: "b.local", address: "10.0.0.2"))
        let id = try #require(state.endpoints.first { $0.name.hasPrefix("bad") }).id
        #expect(try state.find(#"bad\u{1B}[31m"#).id == id)
    }

    @Test("an announced endpoint has no short name, and takes none from an added or used one")
    mutating func announced() throws {
        _ = state.see(try .made("Headquarters", host: "b.local", address: "10.0.0.2"))
        let stranger = try #require(state.endpoints.first { $0.name == "Headquarters" }).id
        #expect(try state.find("Head").id == office)
        #expect(throws: RegistryError.notFound(reference: "Headq")) { try state.find("Headq") }
        #expect(throws: RegistryError.notFound(reference: "")) { try state.find(String(stranger.text.prefix(0))) }
        #expect(throws: RegistryError.notFound(reference: String(stranger.text.prefix(8)))) {
            try state.find(String(stranger.text.prefix(8)))
        }
        _ = state.see(try .made("Head", host: "c.local", address: "10.0.0.3"))
        let error = #expect(throws: RegistryError.self) { try state.find("Head") }
        guard case .ambiguous("Head", let candidates)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(candidates.count == 2 && candidates.contains(office) && !candidates.contains(stranger))
        #expect(try state.find("Head o").id == office)
        state.remember(stranger)
        #expect(try state.find("Headq").id == stranger)
    }

    @Test("an added endpoint gets another name if it is free, and an announced name stays")
    mutating func renaming() throws {
        let changes = try state.changes { (state) throws(RegistryError) in try state.rename(office, to: "Main") }
        #expect(changes.count == 1)
        #expect(try state.find("Main").id == office)
        #expect(throws: RegistryError.nameTaken("shop10")) { try state.rename(office, to: "shop10") }
        #expect(throws: RegistryError.invalidName("-x")) { try state.rename(office, to: "-x") }
        try state.rename(office, to: "Main")
        _ = state.see(try .made(host: "b.local", address: "10.0.0.2"))
        let announced = try #require(state.endpoints.first { $0.name == "Office" }).id
        #expect(throws: RegistryError.namedByServer(name: "Office")) { try state.rename(announced, to: "x") }
    }

    @Test("add rejects duplicate and invalid entries")
    mutating func refused() throws {
        let new = try #require(EndpointID("new"))
        #expect(throws: RegistryError.nameTaken("shop10")) { try state.add("shop10", "a", id: new) }
        #expect(throws: RegistryError.alreadyAdded(name: "shop10")) { try state.add("b", "10.9.9.2", id: new) }
        for name in ["", "-x", " x", "x ", "a\nb", "a\u{202E}b", String(repeating: "x", count: 64)] {
            #expect(throws: RegistryError.invalidName(name)) { try state.add(name, "b", id: new) }
        }
    }
}
