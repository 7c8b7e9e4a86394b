// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import relctl

@Suite("Redaction of a report for others")
struct RedactionTests {
    private static func redaction() -> Redaction {
        Redaction(
            DiagnosisTests.facts {
                $0.logins.names = ["jane@office/Sales", "jane", "Bob's own"]
                $0.logins.standing = ChosenLogin("gone\u{202E}", by: .file)
            }
        )
    }

    private static func sentence(_ text: String) throws -> String {
        var redaction = redaction()
        return try #require(redaction.redacted(["finding": .string(text)]).objectValue).string("finding")
    }

    @Test("an unlisted member is replaced, equal texts by equal words; numbers and known values stay")
    func members() throws {
        var redaction = Self.redaction()
        let value: JSONValue = [
            "state": "unlocked", "pid": 7, "novelty": "acme", "user": "acme", "deep": [["path": "/srv/jane"], "acme"],
        ]
        let result = redaction.redacted(value)
        #expect(
            result == [
                "state": "unlocked", "pid": 7, "novelty": "text-1", "user": "text-1",
                "deep": [["path": "text-2"], "text-1"],
            ]
        )
        #expect(redaction.redacted(["name": "avahi"]) == ["name": "avahi"])
    }

    @Test("only the size of a server's text is reported, in the state of an endpoint and in evidence")
    func foreign() throws {
        let said = "TNS-12154 for acme on DB01"
        var redaction = Self.redaction()
        let endpoint = redaction.redacted([
            "state": "conflict", "stateReason": ["code": "error", "detail": .string(said)],
        ])
        #expect(endpoint == ["state": "conflict", "stateReason": ["code": "error", "detail": "26 bytes left out"]])
        let status = redaction.redacted([
            "sources": [["state": "down", "fault": ["code": "etcdError", "detail": .string(said)]]],
            "notes": [["code": "fileUnusable", "path": "/srv/acme/x", "detail": .string(said)]],
        ])
        #expect(
            status == [
                "sources": [["state": "down", "fault": ["code": "etcdError", "detail": "26 bytes left out"]]],
                "notes": [["code": "fileUnusable", "path": "text-1", "detail": "26 bytes left out"]],
            ]
        )
        let note = redaction.redacted(Finding.warning(Finding.note, said, seen: nil, nil).forOthers.json)
        #expect(note.objectValue?["finding"] == "the daemon reports a problem")
        for check in ["reach", "identity", "login", "conflict", "source"] {
            let finding = Finding.fault(check, "it does not work", seen: said, .command("relctl list"))
            let shown = "\(redaction.redacted(finding.forOthers.json))"
            #expect(!shown.contains("acme") && !shown.contains("DB01") && shown.contains("relctl list"), "\(shown)")
        }
        let ours = Finding.fault("bus", "no bus", seen: "connect: refused", nil)
        #expect(ours.forOthers == ours)
    }

    @Test(
        "known names, quotations, addresses, paths and keys are removed from a sentence, and the rest stays",
        arguments: [
            ("the login jane@office/Sales works", "the login login-1 works"),
            ("'jane' of jane@office/Sales", "'login-2' of login-1"),
            ("'Bob's own' cannot be reached", "'login-3' cannot be reached"),
            ("relctl login test 'Bob'\\''s own'", "relctl login test 'login-3'"),
            ("gone\\u{202E} is not there", "login-4 is not there"),
            ("nobody is called 'Acme Ltd' here", "nobody is called 'text-1' here"),
            ("no host db.example:7099 (10.0.0.7)", "no host text-1 text-2"),
            ("sudo systemctl restart dbus.service, 0.1.0 runs.", "sudo systemctl restart dbus.service, 0.1.0 runs."),
            ("http://db.example/bin and fe80::1 and fe80::1", "text-1 and text-2 and text-2"),
            ("/srv/jane/x is not /run/dbus/system_bus_socket", "text-1 is not /run/dbus/system_bus_socket"),
            ("key 00112233445566778899aabbccddeeff", "key text-1"),
            ("mail jane.doe@example.org", "mail text-1"),
            ("hidden with 'relctl hide': 'one'", "hidden with 'relctl hide': 'text-1'"),
        ]
    )
    func sentences(_ text: String, _ expected: String) throws {
        #expect(try Self.sentence(text) == expected)
    }
}
