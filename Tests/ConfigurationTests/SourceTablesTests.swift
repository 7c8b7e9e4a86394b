// SPDX-License-Identifier: Apache-2.0

import Configuration
import Discovery
import Endpoints
import Testing

@Suite("Tables of sources in the configuration file")
struct SourceTablesTests {
    private static func expectInvalid(_ key: String, in text: String) {
        #expect {
            try DaemonConfiguration(parsing: text)
        } throws: { error in
            guard case .invalid(key, _, _)? = (error as? ConfigurationError)?.reason else { return false }
            return true
        }
    }

    @Test("DNS domains are read, and default to the system's servers and private networks")
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
        "the error names the invalid key of a DNS domain or of a service type",
        arguments: [
            ("[[dns_domain]]", "dns_domain.name"), ("[[dns_domain]]\nname = 7", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a b.org\"", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a..org\"", "dns_domain.name"),
            ("[[dns_domain]]\nname = \"a.org\"\n[[dns_domain]]\nname = \"A.org\"", "dns_domain[2].name"),
            ("[[dns_domain]]\nname = \"a.org\"\nservers = []", "dns_domain.servers"),
            ("[[dns_domain]]\nname = \"a.org\"\nservers = [\"ns.a.org\"]", "dns_domain.servers"),
            ("[[dns_domain]]\nname = \"a.org\"\nservers = \"10.0.0.1\"", "dns_domain.servers"),
            ("[[dns_domain]]\nname = \"a.org\"\naddresses = [\"10.0.0.1/8\"]", "dns_domain.addresses"),
            ("[dns_domain]\nname = \"a.org\"", "dns_domain"), ("dns_domain = [1]", "dns_domain"),
            (String(repeating: "[[dns_domain]]\nname = \"a.org\"\n", count: 17), "dns_domain"),
            ("[[service_type]]", "service_type.type"), ("[[service_type]]\ntype = \"*\"", "service_type.type"),
            ("[[service_type]]\ntype = \"office\"", "service_type.type"),
            ("[[service_type]]\ntype = \"_a._tcp\"\ndata_service = \"a b\"", "service_type.data_service"),
            ("[[service_type]]\ntype = \"_a._tcp\"\nlogin_service = \"\"", "service_type.login_service"),
            ("[[service_type]]\ntype = \"_a._tcp\"\ndomain = \"\"", "service_type.domain"),
            ("[[service_type]]\ntype = \"_a._tcp\"\nschema = 7", "service_type.schema"),
            (
                "[[service_type]]\ntype = \"_a._tcp\"\n[[service_type]]\ntype = \"_A._tcp\"",
                "service_type[2].type"
            ),
        ]
    )
    func wrongTable(text: String, key: String) {
        Self.expectInvalid(key, in: text)
    }

    @Test("service types are read, each once")
    func serviceTypes() throws {
        let read = try DaemonConfiguration(
            parsing: """
                [[service_type]]
                type = "_office_rosdk._tcp"
                data_service = "OfficeData"
                login_service = "Office.Login"
                domain = "Sales"
                schema = "Orders"
                [[service_type]]
                type = "_b_rosdk._tcp"
                """
        )
        let (office, other) = (read.serviceTypeSettings[0], read.serviceTypeSettings[1])
        #expect(office.type == "_office_rosdk._tcp" && office.dataService == "OfficeData")
        #expect(office.loginService == "Office.Login" && office.domain == "Sales" && office.schema == "Orders")
        #expect(other.type == "_b_rosdk._tcp" && other.dataService == nil && other.loginService == nil)
        #expect(other.domain == nil && other.schema == nil && read.serviceTypeSettings.count == 2)
    }

    @Test("lists in etcd are read")
    func lists() throws {
        let read = try DaemonConfiguration(
            parsing: """
                [[etcd]]
                name = "fleet"
                servers = ["http://10.0.0.5:2379", "http://[fd00::5]:2379/"]
                prefix = "/relativity/servers"
                [[etcd]]
                name = "other"
                servers = ["https://etcd.example.org:2379"]
                prefix = "/x"
                user = "bob"
                password_file = "etcd-password"
                ca_file = "/etc/ca.pem"
                certificate_file = "/etc/c.pem"
                key_file = "/etc/c.key"
                addresses = ["10.0.0.0/8"]
                """
        )
        #expect(read.etcdLists.map(\.name) == ["fleet", "other"])
        let servers = read.etcdLists[0].servers.map { "\($0.scheme)://\($0.host.urlText):\($0.port)" }
        #expect(servers == ["http://10.0.0.5:2379", "http://[fd00::5]:2379"])
        #expect(read.etcdLists[0].user == nil)
        #expect(read.etcdLists[0].policy == NetworkPolicy())
        let other = read.etcdLists[1]
        #expect(other.user == EtcdUser(name: "bob", passwordFile: "etcd-password"))
        #expect(other.tls.authorities == "/etc/ca.pem" && other.tls.certificate == "/etc/c.pem")
        let network = try #require(NetworkPolicy.Network("10.0.0.0/8"))
        #expect(other.tls.key == "/etc/c.key" && other.policy == NetworkPolicy([network]))
    }

    @Test(
        "the error names the invalid key of a list in etcd",
        arguments: [
            ("name = \"a b\"", "etcd.name"), ("servers = [\"10.0.0.5:2379\"]", "etcd.servers"),
            ("servers = [\"http://10.0.0.5\"]", "etcd.servers"),
            ("servers = [\"http://10.0.0.5:2379/x\"]", "etcd.servers"),
            ("servers = [\"ftp://10.0.0.5:2379\"]", "etcd.servers"), ("servers = []", "etcd.servers"),
            ("prefix = \"x\"", "etcd.prefix"), ("prefix = \"/x/\"", "etcd.prefix"), ("prefix = \"/\"", "etcd.prefix"),
            ("user = \"bob\"", "etcd.password_file"), ("password_file = \"/x\"", "etcd.password_file"),
            ("ca_file = \"ca.pem\"", "etcd.ca_file"), ("key_file = \"/x\"", "etcd.key_file"),
            ("certificate_file = \"/x\"", "etcd.key_file"), ("user = \"\"", "etcd.user"),
            ("user = \"bob\"\npassword_file = \"/x\"", "etcd.servers"),
        ]
    )
    func wrongList(line: String, key: String) {
        var lines = ["name": "\"fleet\"", "servers": "[\"http://10.0.0.5:2379\"]", "prefix": "\"/x\""]
        lines[String(line.prefix { $0 != " " })] = nil
        let text = "[[etcd]]\n" + lines.map { "\($0.key) = \($0.value)\n" }.joined() + line
        Self.expectInvalid(key, in: text)
    }

    @Test("an error names the table if there are several, and shows the value unless it may be a secret")
    func shown() throws {
        func message(_ text: String) throws -> String {
            "\(try #require(throws: ConfigurationError.self) { try DaemonConfiguration(parsing: text) })"
        }
        let two = "[[dns_domain]]\nname = \"a.org\"\n[[dns_domain]]\nname = \"b.org\"\nservers = [\"x\", 3]"
        #expect(try message(two).hasPrefix("line 5: 'dns_domain[2].servers' must be"))
        #expect(try message(two).hasSuffix("not [\"x\", 3]"))
        #expect(try message("[vault]\nmemory = \"swap\"").hasSuffix("not \"swap\""))
        #expect(try !message("[[etcd]]\nname = \"f\"\npassword_file = \"se/cret\"").contains("se/cret"))
        let url = "[[etcd]]\nname = \"f\"\nservers = [\"http://u:word@10.0.0.5:2379\"]"
        #expect(try !message(url).contains("word"))
    }

    @Test("an unknown key in a table of a source is rejected")
    func unknownKey() {
        let error = #expect(throws: ConfigurationError.self) {
            try DaemonConfiguration(parsing: "[[dns_domain]]\nname = \"a.org\"\nserver = \"10.0.0.1\"")
        }
        #expect(error?.reason == .unknownKey("dns_domain.server", nearest: "dns_domain.servers"))
        #expect(error?.origin?.line == 3)
    }
}
