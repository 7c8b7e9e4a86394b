// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Address policy of configured sources")
struct NetworkPolicyTests {
    @Test(
        "private networks are the default",
        arguments: [
            "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.255", "fd00::1", "fc00::1", "::ffff:10.1.2.3",
        ]
    )
    func allowed(text: String) throws {
        #expect(NetworkPolicy().allows(try #require(IPAddress(text))))
    }

    @Test(
        "other addresses are refused",
        arguments: [
            "8.8.8.8", "172.15.255.255", "172.32.0.1", "192.167.1.1", "100.64.0.1", "169.254.1.1", "2001:db8::1",
            "fe80::1%2", "fe80::1", "::ffff:8.8.8.8", "64:ff9b::10.0.0.1", "::10.0.0.1", "2002:a00:1::1",
        ]
    )
    func elsewhere(text: String) throws {
        #expect(!NetworkPolicy().allows(try #require(IPAddress(text))))
    }

    @Test(
        "unassigned, local and metadata addresses are refused, even if all networks are allowed",
        arguments: [
            "0.0.0.0", "0.1.2.3", "255.255.255.255", "224.0.0.251", "239.1.1.1", "240.0.0.1", "127.0.0.1",
            "127.255.255.254", "169.254.169.254", "::", "::1", "ff02::fb", "fe80::1%2", "fd00:ec2::254",
            "::ffff:127.0.0.1", "::ffff:0.0.0.0", "::ffff:169.254.169.254", "::ffff:224.0.0.1",
            "::ffff:255.255.255.255", "10.0.0.0", "10.255.255.255",
        ]
    )
    func never(text: String) throws {
        let all = ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1", "10.0.0.0/8"].compactMap {
            NetworkPolicy.Network($0)
        }
        #expect(all.count == 5)
        let isEnd = text.hasPrefix("10.")
        let policy = NetworkPolicy(isEnd ? [try #require(NetworkPolicy.Network("10.0.0.0/8"))] : all)
        #expect(!policy.allows(try #require(IPAddress(text))))
    }

    @Test("without a network nothing is allowed")
    func none() throws {
        #expect(!NetworkPolicy([]).allows(try #require(IPAddress("10.0.0.1"))))
    }

    @Test(
        "networks are parsed as users write them",
        arguments: [("10.0.0.0/8", true), ("fd00::/8", true), ("10.1.2.3/32", true)]
    )
    func networks(text: String, isOne: Bool) {
        #expect((NetworkPolicy.Network(text) != nil) == isOne)
    }

    @Test(
        "invalid networks are rejected",
        arguments: [
            "", "10.0.0.0", "10.0.0.0/", "10.0.0.0/0", "10.0.0.0/33", "10.0.0.1/8", "::/0", "fd00::1/8", "10.0.0.0/+8",
            "10.0.0.0/8/8", "fe80::%2/64", "x/8", "10.0.0.0/ 8", "10.0.0.0/0008",
        ]
    )
    func noNetworks(text: String) {
        #expect(NetworkPolicy.Network(text) == nil)
    }

    @Test(
        "an address with a port is parsed",
        arguments: [
            ("10.0.0.53", "10.0.0.53:53"), ("10.0.0.53:5353", "10.0.0.53:5353"), ("fd00::53", "[fd00::53]:53"),
            ("[fd00::53]", "[fd00::53]:53"), ("[fd00::53]:5353", "[fd00::53]:5353"), ("fe80::1%2", "[fe80::1%2]:53"),
            ("127.0.0.1", "127.0.0.1:53"),
        ]
    )
    func addressAndPort(text: String, expected: String) {
        #expect(AddressAndPort(text, defaultPort: 53)?.description == expected)
    }

    @Test(
        "an invalid address with a port is rejected",
        arguments: [
            "", "x", "10.0.0.53:", "10.0.0.53:0", "10.0.0.53:65536", "10.0.0.53:+1", "[10.0.0.53]:53", "[fd00::53",
            "fd00::53]", "[fd00::53]x", "fe80::1", "0.0.0.0", "224.0.0.1", "name.example.org", "10.0.0.53:53:53",
        ]
    )
    func noAddressAndPort(text: String) {
        #expect(AddressAndPort(text, defaultPort: 53) == nil)
    }
}
