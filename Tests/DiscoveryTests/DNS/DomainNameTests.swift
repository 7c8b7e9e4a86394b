// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TestSupport
import Testing

@testable import Discovery

@Suite("Domain names and servers")
struct DomainNameTests {
    @Test("names are parsed as typed", arguments: [("example.org", 2), ("example.org.", 2), ("_a._tcp", 2), ("x", 1)])
    func reading(text: String, labels: Int) throws {
        #expect(try #require(DomainName(text)).labels.count == labels)
    }

    @Test(
        "invalid names are rejected",
        arguments: [
            "", ".", "a..b", ".a", "a b", "a\\b", "ä", "a\0", String(repeating: "x", count: 64),
            String(repeating: "abcdefgh.", count: 30),
        ]
    )
    func refused(text: String) {
        #expect(DomainName(text) == nil)
    }

    @Test("case is ignored; bytes beyond ASCII are significant, and are shown as numbers")
    func equality() throws {
        #expect(DomainName("Example.ORG") == DomainName("example.org"))
        #expect(Set([DomainName("A.b"), DomainName("a.B")]).count == 1)
        let one = try #require(DomainName(labels: [[0xC3, 0x84, 0x2E, 0x5C, 0x20, 0]]))
        #expect(one != DomainName(labels: [[0xC3, 0xA4, 0x2E, 0x5C, 0x20, 0]]))
        #expect("\(one)" == "\\195\\132\\.\\\\\\032\\000")
    }

    @Test("resolv.conf yields at most three servers, whatever else it contains, and by default this machine")
    func servers() {
        let text = """
            # nameserver 10.0.0.1
            search example.org
            nameserver 10.0.0.2
            nameserver\tfd00::53
            nameserver
            nameserver name.example.org
            nameserver 0.0.0.0
            options timeout:1
            nameserver 10.0.0.4 # x
            nameserver 10.0.0.5
            """
        #expect(DNSServers.servers(in: text).map(\.description) == ["10.0.0.2:53", "[fd00::53]:53", "10.0.0.4:53"])
        #expect(DNSServers.servers(in: "").map(\.description) == ["127.0.0.1:53"])
        #expect(DNSServers.servers(in: "nameserver fe80::1%lo").map(\.description) == ["[fe80::1%1]:53"])
        #expect(DNSServers.servers(in: "nameserver name.example.org").isEmpty)
        #expect(DNSServers.file(path: "/nowhere/resolv.conf").list.isEmpty)
    }
}
