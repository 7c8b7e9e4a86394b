// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("Merging of sightings")
struct MergingTests {
    private static let dns = SourceName("dns:example.org")
    private static let admin = "_Relativity_AdminService_rosdk._tcp"
    private var state = RegistryState()

    private func id(of name: String) throws -> EndpointID {
        .derived(from: try Sighting.made(name).key.instance)
    }

    @Test("the settings of a service type apply without case, below those of the endpoint")
    mutating func serviceTypes() throws {
        let usual = EndpointSettings {
            $0.dataService = "OfficeData"; $0.loginDomain = "Sales"
        }
        state = RegistryState(types: ServiceTypeSettings([(type: "_Office_rosdk._tcp", settings: usual)]))
        _ = state.see(try .made(type: "_office_rosdk._tcp"), try .made("Other", host: "b.local", address: "10.0.0.2"))
        #expect(state.endpoints.map(\.services.data) == ["OfficeData", "DataService"])
        #expect(state.endpoints.map(\.services.login) == ["LoginService", "LoginService"])
        #expect(state.endpoints.map(\.loginDomain) == ["Sales", nil])
        let id = try #require(state.endpoints.first?.id)
        try state.set(id, EndpointSettings { $0.dataService = "Own" })
        #expect(state.endpoint(id)?.services.data == "Own" && state.endpoint(id)?.loginDomain == "Sales")
    }

    @Test("a source reports only its own sightings")
    mutating func foreignSightings() throws {
        let seen = try Sighting.made()
        #expect(state.hear(.sighted(seen), from: Self.dns).isEmpty && state.endpoints.isEmpty)
        _ = state.see(seen)
        #expect(state.hear(.vanished(seen.key), from: Self.dns).isEmpty && state.endpoints.count == 1)
    }

    @Test(
        "an added server is that of a sighting if both have a full host name, and not if it has one label",
        arguments: [("srv.example.org", 1), ("srv", 2)]
    )
    mutating func hostNames(host: String, count: Int) throws {
        _ = try state.add("mine", "\(host):7099", id: try #require(EndpointID("manual")))
        _ = state.see(try .made(source: Self.dns, host: host))
        #expect(state.endpoints.count == count)
    }

    @Test("the same name at another host and address is a conflict, and never merged")
    mutating func conflict() throws {
        _ = state.see(try .made())
        let impostor = try Sighting.made(interface: 3, host: "evil.local", address: "10.0.0.66")
        #expect(state.see(impostor).count == 2)
        #expect(state.endpoints.map(\.state) == [.conflict, .conflict])
        #expect(state.endpoints.allSatisfy { $0.stateReason == StateReason(code: .nameTaken) })
        #expect(try state.endpoint(id(of: "Office"))?.url.host.text == "srv.local")
        #expect(state.see(try .made(type: Self.admin, interface: 3, host: "evil.local", address: "10.0.0.66")).isEmpty)
        _ = state.lose(impostor)
        #expect(state.endpoints.count == 2)
        _ = state.lose(try .made(type: Self.admin, interface: 3))
        #expect(state.endpoints.map(\.state) == [.announced])
    }

    @Test("a host name alone does not merge two sources, because multicast may name any host")
    mutating func borrowedHost() throws {
        let chosen = try Sighting.made("Elsewhere", source: Self.dns, host: "srv.example.org", address: "10.1.0.1")
        _ = state.see(chosen, try .made(host: "srv.example.org", address: "10.0.0.66"))
        #expect(state.endpoints.map(\.name) == ["Elsewhere", "Office"])
        #expect(state.endpoints.first?.addresses.map(\.description) == ["10.1.0.1"])
    }
}
