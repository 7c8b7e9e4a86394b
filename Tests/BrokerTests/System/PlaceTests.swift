// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Registry
import TestSupport
import Testing

@testable import Broker

@Suite("Addresses of calls and probes", .timeLimit(.minutes(1)), .endsStarted)
struct PlaceTests {
    private static func announce(_ host: String, at address: String, to fixture: BrokerFixture) async throws {
        await fixture.announce(at: [try #require(IPAddress(address))], as: host, port: 7_099)
    }

    @Test("a host that announces the host name of an added server is shown with it, and is not connected to")
    func typedName() async throws {
        let fixture = try await BrokerFixture()
        let url = try ServerURL(completing: "http://db.example.org:7099/bin")
        let id = try await fixture.registry.add(name: "db", url: url).id
        try await Self.announce("db.example.org", at: "10.0.0.66", to: fixture)
        let endpoint = try #require(await fixture.registry.endpoint(id))
        #expect(endpoint.addresses.map(\.description) == ["10.0.0.66"])
        let resolved = try #require(IPAddress("192.0.2.7"))
        let candidates = try await fixture.connector.candidates(for: endpoint) { name in
            #expect(name == "db.example.org")
            return [resolved]
        }
        #expect(candidates == [resolved])
        await #expect(throws: BrokerError.unreachable(StateReason(code: .lookUpFailed))) {
            try await fixture.connector.candidates(for: endpoint) { _ in
                throw BrokerError.unreachable(StateReason(code: .lookUpFailed))
            }
        }
    }

    @Test(
        "a typed .local name is looked up by multicast within the address policy, and no other name is",
        arguments: [
            (name: "db.local", answer: ["10.0.0.7", "169.254.169.254", "10.0.0.66"], places: ["10.0.0.7"]),
            (name: "db.local", answer: [], places: ["192.0.2.7"]),
            (name: "db.local", answer: nil, places: ["192.0.2.7"]),
            (name: "db.example.org", answer: ["10.0.0.7"], places: ["192.0.2.7"]),
        ]
    )
    func multicastName(name: String, answer: [String]?, places: [String]) async throws {
        let refused = try #require(IPAddress("10.0.0.66"))
        let fixture = try await BrokerFixture(
            allowsAddress: { address, source in source == .avahi && address != refused },
            multicastNames: { _ in answer?.compactMap { IPAddress($0) } }
        )
        let id = try await fixture.registry.add(name: "db", url: ServerURL(completing: name)).id
        let endpoint = try #require(await fixture.registry.endpoint(id))
        let candidates = try await fixture.connector.candidates(for: endpoint) { _ in
            [IPAddress("192.0.2.7")].compactMap { $0 }
        }
        #expect(candidates.map(\.description) == places)
    }

    @Test("an IP address that the user typed is used unchanged, whatever is announced for it")
    func typedAddress() async throws {
        let fixture = try await BrokerFixture()
        let id = try await fixture.registry.add(name: "db", url: ServerURL(completing: "10.0.0.5")).id
        try await Self.announce("thief.local", at: "10.0.0.5", to: fixture)
        try await Self.announce("thief.local", at: "10.0.0.66", to: fixture)
        let endpoint = try #require(await fixture.registry.endpoint(id))
        #expect(try await fixture.connector.candidates(for: endpoint).map(\.description) == ["10.0.0.5"])
    }

    @Test("an announced address is checked against its policy again at each connection")
    func rememberedAddress() async throws {
        let refused = try #require(IPAddress("10.0.0.66"))
        let fixture = try await BrokerFixture(
            allowsAddress: { address, source in source == .avahi && address != refused }
        )
        try await Self.announce("srv.local", at: "10.0.0.66", to: fixture)
        let id = try await fixture.registry.find("announced").id
        await fixture.registry.remember(id)
        await fixture.unannounce("announced")
        let endpoint = try #require(await fixture.registry.endpoint(id))
        #expect(endpoint.addresses == [refused])
        let error = await #expect(throws: BrokerError.self) { try await fixture.connector.candidates(for: endpoint) }
        #expect("\(String(describing: error))".contains("10.0.0.66"))
        try await Self.announce("srv.local", at: "10.0.0.7", to: fixture)
        let moved = try #require(await fixture.registry.endpoint(id))
        #expect(try await fixture.connector.candidates(for: moved).map(\.description) == ["10.0.0.7"])
    }
}
