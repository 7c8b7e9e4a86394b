// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Registry

@Suite("The file of added endpoints")
struct EndpointFileTests {
    private static func id(_ text: String) throws -> EndpointID { try #require(EndpointID(text)) }

    @Test("what is written reads back the same")
    func roundTrip() throws {
        let file = EndpointFile(entries: [
            .init(
                id: try Self.id("a"),
                manual: ManualEntry(
                    name: "Büro \"2\" 日本",
                    url: try ServerURL(completing: "https://[2001:db8::1]:8443/x")
                ),
                settings: EndpointSettings(scheme: .https, path: "/y", dataService: "D", loginService: "L")
            ),
            .init(
                id: try Self.id("b"),
                manual: ManualEntry(name: "b", url: try ServerURL(completing: "fe80::1%eth0")),
                settings: EndpointSettings()
            ),
            .init(id: try Self.id("c"), manual: nil, settings: EndpointSettings(path: "/z")),
        ])
        #expect(try EndpointFile(parsing: file.bytes) == file)
        #expect(try EndpointFile(parsing: EndpointFile(entries: []).bytes).entries.isEmpty)
    }

    @Test("a newer file is not misread", arguments: [2, 99, Int64.max])
    func newer(version: Int64) {
        #expect(throws: EndpointFileError.versionTooNew(version)) {
            try EndpointFile(parsing: Array(#"{"version":\#(version),"endpoints":[]}"#.utf8))
        }
    }

    @Test(
        "damage is noticed",
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
            #"{"version":1,"endpoints":[]} x"#, #"{"version":1,"version":1,"endpoints":[]}"#,
            String(repeating: "[", count: 100_000), String(repeating: #"{"version":"#, count: 10_000),
        ]
    )
    func damaged(text: String) throws {
        let error = try #require(throws: EndpointFileError.self) { try EndpointFile(parsing: Array(text.utf8)) }
        guard case .damaged = error else {
            Issue.record("\(error)")
            return
        }
    }
}
