// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Registry
import Remoting
import Testing

@testable import Broker

@Suite("Plain HTTP on one interface", .endsStarted)
struct LinkLocalTests {
    private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// The interfaces of a machine whose third is eth0 and whose fourth is wlan0.
    private static func interface(of address: IPAddress) -> String? { [3: "eth0", 4: "wlan0"][address.scope] }

    private static func check(_ pin: Pin, _ candidates: [IPAddress], on interface: String?) -> PinCheck {
        PinCheck(
            pin,
            scheme: .http,
            port: 1,
            candidates: candidates,
            permission: PlaintextPermission(user: .on(network: nil, interface: interface)),
            interfaceOf: interface(of:)
        )
    }

    @Test("the server on the permitted interface is used, also if another link has the same address first")
    func choice() throws {
        let (eth, wlan, gone) = (
            try Self.address("fe80::1%3"), try Self.address("fe80::1%4"), try Self.address("fe80::1%9")
        )
        let pin = Pin.plain(eth, port: 1)
        #expect(pin == .plain(wlan, port: 1))
        #expect(Self.check(pin, [eth], on: "eth0") == .connect([eth]))
        #expect(Self.check(pin, [wlan, eth], on: "eth0") == .connect([eth]))
        let refused: [([IPAddress], String?, String)] = [
            ([wlan], "eth0", "it was allowed on the interface eth0, and the server is on wlan0 now"),
            ([gone], "eth0", "it was allowed on the interface eth0, and the server's is unknown"),
            ([wlan, eth], nil, "it was not allowed on any interface, and the server is on wlan0, eth0 now"),
            ([gone], nil, "it was not allowed on any interface, and the server's is unknown"),
        ]
        for (candidates, interface, reason) in refused {
            let found = candidates.compactMap(Self.interface)
            let refusal = PlaintextRefusal.otherInterface(permitted: interface, found: found)
            #expect(Self.check(pin, candidates, on: interface) == .refused(refusal))
            #expect(BrokerError(refusal) == .plaintextNotAllowed(reason: reason))
        }
        guard case .conflict = Self.check(pin, [try Self.address("fe80::2%3")], on: "eth0") else {
            Issue.record("another address is another server")
            return
        }
    }

    @Test("no other form of address requires an interface", arguments: ["192.168.7.20", "169.254.1.1", "2001:db8::7"])
    func others(text: String) throws {
        let address = try Self.address(text)
        for interface in [nil, "eth0"] {
            #expect(Self.check(.plain(address, port: 1), [address], on: interface) == .connect([address]))
        }
        #expect(address.interfaceName == nil)
        #expect(ServerIdentity(pin: .plain(address, port: 1), address: address, port: 1).interface == nil)
    }

    /// Typed hosts, and the interface to which a permission for plain HTTP is limited.
    private static let hosts: [(host: String, interface: String?)] = [
        ("192.0.2.1", nil), ("[2001:db8::7]", nil), ("[fe80::7%lo]", "lo"), ("127.0.0.1", nil), ("[::1]", nil),
        ("localhost", nil),
    ]

    @Test("a login for each form of address is stored as shown, and is sent only there")
    func forms() async throws {
        for (host, interface) in Self.hosts {
            let fixture = try await BrokerFixture()
            let url = try ServerURL(completing: "http://\(host):1/bin")
            let endpoint = try await fixture.registry.add(name: "server", url: url)
            let identity = try await fixture.connector.identity(of: endpoint)
            #expect(identity.interface == interface, "\(host)")
            func login(on interface: String?) throws -> NewLogin {
                NewLogin(
                    name: "login",
                    account: Account(user: "simple", domain: "", schema: ""),
                    pinned: PinnedEndpoint(
                        endpoint: endpoint.id,
                        pin: identity.pin,
                        allowsPlaintext: true,
                        interface: interface
                    )
                )
            }
            let new = try login(on: identity.interface)
            let stored = try await fixture.store.add(new, password: try fixture.secret("secret"))
            #expect(stored.pinned == new.pinned)
            let target = try await fixture.connector.target(of: endpoint, for: stored.pinned)
            #expect(target.address.port == 1)

            for other in interface == nil ? [] : ["eth0", nil] {
                let pinned = try login(on: other).pinned
                await #expect(throws: BrokerError.self) {
                    try await fixture.connector.target(of: endpoint, for: pinned)
                }
            }
        }
    }
}
