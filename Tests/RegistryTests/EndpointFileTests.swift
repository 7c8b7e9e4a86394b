// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("File of added endpoints")
struct EndpointFileTests {
    private static func id(_ text: String) throws -> EndpointID { try #require(EndpointID(text)) }

    @Test("the file survives the round trip", arguments: [Array("Büro \u{1B}".utf8), [0xFF, 0, 0x41]])
    func roundTrip(name: [UInt8]) throws {
        let memory = RememberedServer(
            instance: ServiceInstance(nameBytes: name, type: "_b._tcp", domain: "local"),
            source: SourceName("dns:example.org"),
            interfaceName: "",
            host: "Srv.local.",
            port: 7099,
            scheme: .https,
            path: "/z",
            addresses: [try #require(IPAddress("10.0.0.1")), try #require(IPAddress("fe80::1%3"))]
        )
        let file = EndpointFile([
            SavedEndpoint(
                id: try Self.id("a"),
                entry: ManualEntry(
                    name: "Büro \"2\" 日本",
                    url: try ServerURL(completing: "https://[2001:db8::1]:8443/x")
                ),
                settings: EndpointSettings {
                    $0.scheme = .https
                    $0.path = "/y"
                    $0.dataService = "D"
                    $0.loginService = "L"
                    $0.isHidden = true
                    $0.acceptsUnknownOwner = true
                    $0.codePage = "windows-1252"
                }
            ),
            SavedEndpoint(
                id: try Self.id("b"),
                entry: ManualEntry(name: "b", url: try ServerURL(completing: "fe80::1%eth0"), origin: .imported)
            ),
            SavedEndpoint(id: try Self.id("c"), settings: EndpointSettings { $0.path = "/z" }),
            SavedEndpoint(id: try Self.id("d"), memory: memory),
        ])
        #expect(try EndpointFile(parsing: file.bytes) == file)
        #expect(try EndpointFile(parsing: EndpointFile([]).bytes).savedEndpoints.isEmpty)
    }

    @Test("a code page is replaced, and removed by an empty name")
    func codePage() throws {
        let settings = EndpointSettings {
            $0.path = "/z"; $0.codePage = "cp437"
        }
        #expect(settings.merged(with: EndpointSettings { $0.codePage = "utf-8" }).codePage == "utf-8")
        #expect(settings.merged(with: EndpointSettings { $0.isHidden = true }).codePage == "cp437")
        #expect(settings.merged(with: EndpointSettings { $0.codePage = "" }) == EndpointSettings { $0.path = "/z" })
        let text = #"{"version":1,"endpoints":[{"id":"a","path":"/z","codePage":"a b"}]}"#
        #expect(try EndpointFile(parsing: Array(text.utf8)).savedEndpoints.first?.settings.codePage == nil)
    }

    @Test("a file of the first release is read with its original meaning")
    func older() throws {
        let text = #"{"version":1,"endpoints":[{"id":"a","name":"n","url":"http://a:1/b","scheme":"https"}]}"#
        let entry = ManualEntry(name: "n", url: try ServerURL(completing: "http://a:1/b"))
        let expected = SavedEndpoint(
            id: try Self.id("a"),
            entry: entry,
            settings: EndpointSettings { $0.scheme = .https }
        )
        #expect(try EndpointFile(parsing: Array(text.utf8)).savedEndpoints == [expected])
    }

    @Test("a server in a file of an earlier version counts as used at its last sighting")
    func olderUse() throws {
        let used = #""type":"_b._tcp","domain":"local","source":"avahi","name":"n","host":"h","port":1,"scheme":"http""#
        let text = #"{"version":1,"endpoints":[{"id":"a","used":{\#(used),"path":"/bin","addresses":["10.0.0.1"]}}]}"#
        let memory = try #require(try EndpointFile(parsing: Array(text.utf8)).savedEndpoints.first?.memory)
        #expect(memory.usedHost == "h")
        #expect(memory.usedAddresses == memory.addresses)
    }

    @Test("a newer file is rejected", arguments: [2, 99, Int64.max])
    func newer(version: Int64) {
        #expect(throws: StateFileError.versionTooNew(version, known: 1)) {
            try EndpointFile(parsing: Array(#"{"version":\#(version),"endpoints":[]}"#.utf8))
        }
    }

    @Test(
        "damage is detected",
        arguments: [
            "", "{", "[]", "null", "1", "{}", #"{"version":1}"#, #"{"endpoints":[]}"#,
            #"{"version":"1","endpoints":[]}"#,
            #"{"version":1.0,"endpoints":[]}"#, #"{"version":1,"endpoints":{}}"#, #"{"version":1,"endpoints":[1]}"#,
            #"{"version":1,"endpoints":[{}]}"#, #"{"version":1,"endpoints":[{"id":""}]}"#,
            #"{"version":1,"endpoints":[{"id":"../x"}]}"#, #"{"version":1,"endpoints":[{"id":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"n"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"n","url":"ftp://a"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"n","url":"http://u:p@a"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"","url":"a"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"-rf","url":"a"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"\u001b[2J","url":"a"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","path":"no"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","path":"/a b"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","scheme":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","dataService":[]}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","readOnly":1}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","grantsOnly":"x"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","hidden":1}]}"#, #"{"version":1,"endpoints":[{"id":"a","used":{}}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"n","url":"a","origin":"configured"}]}"#,
            #"{"version":1,"endpoints":[{"id":"a","name":"n","url":"a","origin":"x"}]}"#,
            #"{"version":1,"endpoints":[]} x"#, #"{"version":1,"version":1,"endpoints":[]}"#,
            String(repeating: "[", count: 100_000), String(repeating: #"{"version":"#, count: 10_000),
        ]
    )
    func damaged(text: String) throws {
        let error = try #require(throws: StateFileError.self) { try EndpointFile(parsing: Array(text.utf8)) }
        guard case .damaged = error else {
            Issue.record("\(error)")
            return
        }
    }
}
