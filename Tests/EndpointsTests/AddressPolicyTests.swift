// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Address policy of announcements")
struct AddressPolicyTests {
    /// Interface 1 is lo, 2 an office network, 3 a second one with IPv6 only, 4 a link without DHCP, 5 a tunnel with
    /// networks too wide or too narrow.
    private static let networks: [(Int32, String, Int)] = [
        (1, "127.0.0.1", 8), (1, "::1", 128),
        (2, "10.77.3.7", 22), (2, "2001:db8:1:2::7", 64), (2, "fe80::7%2", 64), (2, "fd00:1::7", 48),
        (3, "fe80::8%3", 64), (3, "2001:db8:9::1", 60),
        (4, "169.254.7.7", 16), (4, "192.168.1.9", 31),
        (5, "172.16.0.1", 32), (5, "198.51.100.1", 0),
    ]

    private let policy: AddressPolicy

    init() throws {
        var prefixes = InterfacePrefixes()
        for (interface, text, length) in Self.networks {
            let address = try #require(IPAddress(text))
            if let prefix = InterfacePrefixes.Prefix(address, length: length) { prefixes.insert(prefix, on: interface) }
        }
        policy = AddressPolicy(prefixes)
    }

    @Test(
        "addresses of the link that received the announcement are allowed",
        arguments: [
            (2, "10.77.3.8"), (2, "10.77.0.1"), (2, "10.77.3.254"), (2, "10.77.3.7"), (2, "10.77.1.0"),
            (2, "10.77.1.255"), (2, "2001:db8:1:2::1"), (2, "2001:db8:1:2:ffff:ffff:ffff:ffff"), (2, "2001:db8:1:2::"),
            (2, "fe80::1%2"), (2, "fe80::ffff:1%2"), (2, "fd00:1:0:5::1"), (2, "::ffff:10.77.3.8"),
            (3, "fe80::1%3"), (3, "2001:db8:9:f::1"), (4, "169.254.1.1"), (4, "192.168.1.8"), (4, "192.168.1.9"),
            (4, "169.254.169.253"), (5, "172.16.0.1"),
        ] as [(Int32, String)]
    )
    func allowed(interface: Int32, text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(policy.allows(address, heardOn: interface, isLocal: false))
        #expect(policy.allows(address, heardOn: interface, isLocal: true))
    }

    @Test(
        "other addresses and unassigned addresses are refused, also if this host announces them",
        arguments: [
            // Outside the prefix, on another interface, or on a missing one.
            (2, "10.77.4.0"), (2, "10.76.255.255"), (2, "10.77.4.1"), (2, "192.168.1.8"), (2, "8.8.8.8"),
            (3, "10.77.3.8"), (1, "10.77.3.8"), (9, "10.77.3.8"), (0, "10.77.3.8"), (-1, "10.77.3.8"),
            (2, "2001:db8:1:3::1"), (2, "2001:db8:9::1"), (3, "2001:db8:9:10::1"), (2, "2600::1"), (2, "fd00:2::1"),
            (5, "172.16.0.2"), (5, "198.51.100.1"), (5, "1.2.3.4"), (4, "192.168.1.10"),
            // Link-local without its scope, with another one, or outside the link's prefix.
            (2, "fe80::1"), (2, "fe80::1%3"), (3, "fe80::1%2"), (2, "fe80:1::1%2"), (2, "febf::1%2"), (1, "fe80::1%1"),
            // The network's own address, and broadcast addresses.
            (2, "10.77.0.0"), (2, "10.77.3.255"), (2, "255.255.255.255"), (4, "169.254.255.255"), (4, "169.254.0.0"),
            (2, "::ffff:10.77.3.255"), (2, "::ffff:255.255.255.255"),
            // Unassigned.
            (2, "0.0.0.0"), (2, "0.1.2.3"), (2, "::"), (2, "::ffff:0.0.0.0"), (1, "0.0.0.0"),
            // Multicast and reserved.
            (2, "224.0.0.251"), (2, "239.255.255.250"), (2, "240.0.0.1"), (2, "ff02::fb"), (2, "ff05::1"),
            (2, "::ffff:224.0.0.251"),
            // A cloud's metadata service.
            (4, "169.254.169.254"), (2, "169.254.169.254"), (4, "::ffff:169.254.169.254"),
            // IPv4 in other forms than the mapped one.
            (2, "::10.77.3.8"), (2, "64:ff9b::10.77.3.8"), (2, "2002:a4d:308::1"), (2, "::ffff:0:10.77.3.8"),
        ] as [(Int32, String)]
    )
    func refused(interface: Int32, text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!policy.allows(address, heardOn: interface, isLocal: false))
        #expect(!policy.allows(address, heardOn: interface, isLocal: true))
    }

    @Test(
        "loopback is allowed only for announcements of this machine",
        arguments: ["127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "::ffff:127.0.0.1"]
    )
    func loopback(text: String) throws {
        let address = try #require(IPAddress(text))
        for interface: Int32 in [1, 2] {
            #expect(policy.allows(address, heardOn: interface, isLocal: true))
            #expect(!policy.allows(address, heardOn: interface, isLocal: false))
        }
    }

    @Test("a machine without networks refuses all addresses")
    func empty() throws {
        let address = try #require(IPAddress("10.77.3.8"))
        #expect(!AddressPolicy(InterfacePrefixes()).allows(address, heardOn: 2, isLocal: false))
    }

    @Test(
        "an allowed address stays allowed while it is in a network of this machine, on any interface",
        arguments: [
            ("10.77.3.8", true), ("192.168.1.8", true), ("127.0.0.1", true), ("::1", true), ("fe80::1%2", true),
            ("2001:db8:9::1", true), ("::ffff:10.77.3.8", true), ("10.77.4.1", false), ("192.168.7.8", false),
            ("fe80::1%9", false), ("fe80::1", false), ("10.77.3.255", false), ("169.254.169.254", false),
            ("224.0.0.1", false), ("64:ff9b::7f00:1", false),
        ]
    )
    func still(text: String, isAllowed: Bool) throws {
        #expect(policy.allowsStill(try #require(IPAddress(text))) == isAllowed)
    }
}
