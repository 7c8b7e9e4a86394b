// SPDX-License-Identifier: Apache-2.0

import Configuration
import Endpoints
import Testing

@Suite("Tables of sources in the configuration file")
struct SourceTablesTests {
    @Test("DNS domains are read, with the system's servers and private networks where nothing else is said")
    func domains() throws {
        let read = try DaemonConfiguration(
            parsing: """
                [[dns_domain]]
                name = "Example.org."
                [[dns_domain]]
                name = "b.example.net"
                servers = ["10.0.0.53", "[fd00::53]:5353"]
                addresses = ["10.0.0.0/8", "2001:db8::/32"]
                """
        )
        #expect(read.dnsDomains.map(\.name) == ["example.org", "b.example.net"])
        #expect(read.dnsDomains[0].servers.isEmpty)
        #expect(read.dnsDomains[0].addresses == NetworkPolicy.privateNetworks)
        #expect(read.dnsDomains[1].servers.map(\.description) == ["10.0.0.53:53", "[fd00::53]:5353"])
        #expect(read.dnsDomains[1].addresses.count == 2)
    }

    @Test(
        "what is wrong in such a table is named",
        arguments: [
            ("[[dns_domain]]", "dns_domain.name"), ("[[dns_domain]]\nname = 7", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a b.org\"", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a..org\"", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a.org\"\n[[dns_domain]]\nname = \"A.org\"", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a.org\"\nservers = []", "dns_domain.servers"),
            ("[[dns_domain]]\nname = \"a.org\"\nservers = [\"ns.a.org\"]", "dns_domain.servers"),
            ("[[dns_domain]]\nname = \"a.org\"\nservers = \"10.0.0.1\"", "dns_domain.servers"),
            ("[[dns_domain]]\nname = \"a.org\"\naddresses = [\"10.0.0.1/8\"]", "dns_domain.addresses"),
            ("[dns_domain]\nname = \"a.org\"", "dns_domain"), ("dns_domain = [1]", "dns_domain"),
            (String(repeating: "[[dns_domain]]\nname = \"a.org\"\n", count: 17), "dns_domain"),
        ]
    )
    func wrongTable(text: String, key: String) {
        #expect {
            try DaemonConfiguration(parsing: text)
        } throws: { error in
            guard case .invalid(key, _) = error as? ConfigurationError else { return false }
            return true
        }
    }

    @Test("an unknown key in such a table is refused")
    func unknownKey() {
        #expect(throws: ConfigurationError.unknownKey("dns_domain.server")) {
            try DaemonConfiguration(parsing: "[[dns_domain]]\nname = \"a.org\"\nserver = \"10.0.0.1\"")
        }
    }
}
