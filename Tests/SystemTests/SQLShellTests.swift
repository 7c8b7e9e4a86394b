// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("Commands and completions of the SQL shell")
struct ShellCommandTests {
    @Test("commands are read as typed")
    func commands() throws {
        let cases: [(String, ShellCommand)] = [
            ("\\dt", .tables), ("\\d", .describe(nil)), ("\\d  Order Details ", .describe("Order Details")),
            ("\\x", .toggleExpanded), ("\\i a b.sql", .include("a b.sql")), ("\\o", .output(nil)),
            ("\\?", .help), ("\\o x", .output("x")), ("\\timing", .toggleTiming), ("\\format csv", .format(.csv)),
            ("\\q", .quit),
            ("\\q  ", .quit),
        ]
        for (line, command) in cases { #expect(try ShellCommand(line) == command, "\(line)") }
        for line in ["\\", "\\i", "\\format", "\\format bin2", "\\q now", "\\z"] {
            #expect(throws: Failure.self, "\(line)") { try ShellCommand(line) }
        }
        let failure = #expect(throws: Failure.self) { try ShellCommand("\\top\u{1B}") }
        #expect(failure?.message == "unknown command: \\top\\u{1B}; \\? lists the commands")
        for command in SchemaNames().completions(of: "\\").candidates {
            #expect(
                ShellCommand.list.contains("\n\(command) ") || ShellCommand.list.hasPrefix("\(command) "),
                "\(command)"
            )
        }
    }

    private static let names = SchemaNames([
        ("Clients", ["ClientId", "ClientName"]), ("Orders", ["OrderId", "Client", "a b", "\u{1B}[2J"]), ("O;x", []),
    ])

    @Test(
        "a server or tables are needed, and one statement at most",
        arguments: [
            ("", false), ("s", true), ("s a", true), ("s a b", false), ("s --file f", true), ("s a --file f", false),
            ("-t t=s:T", true), ("-t t=s:T a", true), ("-t t=s:T a b", false), ("-t t=s:T -t T=s:U", false),
            ("-t t=s:T -t u=r:U", true), ("-t t=s:T -t u=r:U --login l", false), ("s --max-read -1", false),
        ]
    )
    func words(line: String, isTaken: Bool) {
        #expect(Relctl.takes(["sql"] + line.split(separator: " ").map(String.init)) == isTaken)
    }

    @Test("names of the schema complete the word before the cursor")
    func completions() {
        let cases: [(String, String, [String])] = [
            ("select * from cl", "cl", ["Clients", "ClientId", "ClientName", "Client"]),
            ("select Orders.", "", ["OrderId", "Client"]), ("select clients.clientn", "clientn", ["ClientName"]),
            ("select o.or", "or", ["OrderId"]), ("selec", "selec", ["select"]), ("\\ti", "\\ti", ["\\timing"]),
            ("\\d Or", "Or", ["Orders"]), ("x = zz", "zz", []),
        ]
        for (prefix, word, candidates) in cases {
            let found = Self.names.completions(of: prefix)
            #expect(found.word == word && found.candidates == candidates, "\(prefix): \(found)")
        }
        #expect(SchemaNames.commonStart(of: ["ClientId", "clientName"]) == "Client")
        #expect(SchemaNames.commonStart(of: ["one"]) == "one" && SchemaNames.commonStart(of: []) == "")
    }
}
