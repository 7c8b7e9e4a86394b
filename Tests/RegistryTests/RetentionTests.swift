// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("Endpoints that are no longer announced")
struct RetentionTests {
    private var state = RegistryState()
    private let id: EndpointID

    init() throws {
        id = .derived(from: try Sighting.made().key.instance)
        _ = state.see(try .made())
    }

    @Test("another host with the name of a used server is a conflict")
    mutating func impostor() throws {
        state.remember(id)
        _ = state.lose(try .made())
        _ = state.see(try .made(host: "evil.local", address: "10.0.0.66"))
        #expect(state.endpoints.map(\.state) == [.conflict, .conflict])
        #expect(state.endpoint(id)?.addresses.map(\.description) == ["10.0.0.1"])
    }

    @Test("a server with a new host and address at the same time is a conflict if it was used, else a change")
    mutating func movedAtOnce() throws {
        #expect(state.see(try .made(host: "new.local", address: "10.0.0.9")).count == 1)
        #expect(state.endpoints.map(\.id) == [id])
        state.remember(id)
        #expect(state.see(try .made(host: "newer.local", address: "10.0.0.10")).count == 2)
        #expect(state.endpoints.map(\.state) == [.conflict, .conflict])
    }

    @Test("a used server is recognised at its last used address, wherever its name was announced since")
    mutating func carriedOff() throws {
        state.remember(id)
        _ = state.lose(try .made())
        var thief = try Sighting.made(address: "10.0.0.66")
        _ = state.see(thief)
        thief.host = "h0.local"
        _ = state.see(thief)
        for number in 1...9 {
            let next = try Sighting.made(interface: 3, host: thief.host, address: "10.0.1.\(number)")
            _ = state.see(next)
            thief = try .made(interface: 3, host: "h\(number).local", address: "10.0.1.\(number)")
            _ = state.see(thief)
        }
        #expect(state.endpoints.map(\.id) == [id])
        let saved = EndpointFile(state.savedEndpoints).bytes
        _ = state.see(try .made())
        #expect(state.endpoints.map(\.id) == [id])
        #expect(state.endpoint(id)?.url.host.text == "srv.local")
        var next = RegistryState()
        for saved in try EndpointFile(parsing: saved).savedEndpoints { next.restore(saved) }
        _ = next.see(try .made())
        #expect(next.endpoints.map(\.id) == [id])
        #expect(next.endpoints.map(\.state) == [.announced])
    }

    @Test("hiding is saved, but does not keep an endpoint in the list")
    mutating func hidden() throws {
        #expect(try state.changes { try $0.set(id, EndpointSettings { $0.isHidden = true }) }.count == 1)
        #expect(state.endpoint(id)?.isHidden == true)
        _ = state.lose(try .made())
        #expect(state.endpoints.isEmpty)
        #expect(state.savedEndpoints.count == 1)
        _ = state.see(try .made())
        #expect(state.endpoint(id)?.isHidden == true)
        try state.set(id, EndpointSettings { $0.isHidden = false })
        #expect(state.endpoint(id)?.isHidden == false)
        #expect(state.savedEndpoints.isEmpty)
    }
}
