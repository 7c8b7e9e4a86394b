// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Testing

@testable import Broker
@testable import Registry

@Suite("Addresses of a server")
struct ServerPlaceTests {
    private static func endpoint() throws -> Endpoint {
        Endpoint(
            id: try #require(EndpointID("office")),
            name: "office",
            origin: .discovered,
            state: .announced,
            url: try ServerURL(completing: "https://office.example:7099/bin"),
            addresses: [try #require(IPAddress("10.0.0.1"))]
        )
    }

    private static func alternate(
        _ endpoint: Endpoint,
        _ url: String,
        isSameDatabase: Bool = false
    ) throws -> PinnedEndpoint {
        PinnedEndpoint(
            endpoint: .alternate(of: endpoint.id, at: try ServerURL(completing: "http://10.0.0.9/bin")),
            pin: .tls(spkiSHA256: [UInt8](repeating: 1, count: 32)),
            location: EndpointLocation(name: "office", url: url)
        )
        .alternate(of: endpoint.id, isSameDatabase: isSameDatabase)
    }

    @Test("the endpoint's own address comes first, and an alternate is used as a typed address")
    func order() throws {
        let endpoint = try Self.endpoint()
        let alternates = [
            try Self.alternate(endpoint, "https://home.example:81/bin"),
            try Self.alternate(endpoint, "no url \u{1B}"),
            try Self.alternate(endpoint, "http://10.0.0.9:82/bin", isSameDatabase: true),
        ]
        let places = ServerPlace.all(of: endpoint, nil, alternates: alternates)
        #expect(places.map(\.endpoint.url.port) == [7_099, 81, 82])
        #expect(places.map(\.isAlternate) == [false, true, true])
        #expect(places[0].endpoint == endpoint)
        #expect(places[1].endpoint.origin == .manual && places[1].endpoint.addresses.isEmpty)
        #expect(places.allSatisfy { $0.endpoint.id == endpoint.id })
        // An alternate that is not agreed to have the same database is a database of its own.
        #expect(places.map(\.database) == [nil, alternates[0].endpoint, nil])
    }

    @Test("the ID of an alternate depends on its endpoint and its URL")
    func identifiers() throws {
        let (office, home) = (try #require(EndpointID("office")), try #require(EndpointID("home")))
        let url = try ServerURL(completing: "http://10.0.0.9/bin")
        let id = EndpointID.alternate(of: office, at: url)
        #expect(id == .alternate(of: office, at: url) && id.text.hasPrefix("alternate-") && id.text.utf8.count == 42)
        #expect(id != .alternate(of: home, at: url))
        #expect(id != .alternate(of: office, at: try ServerURL(completing: "https://10.0.0.9/bin")))
    }
}
