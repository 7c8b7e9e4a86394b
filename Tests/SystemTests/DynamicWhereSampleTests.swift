// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// The daemon on host 1, servers on hosts 2 and 3. The oracle is sqlite3 on the database of each server.
@Suite(
    "The vendor's sample DynamicWhere",
    .enabled(
        if: Requirement.allMet([.root, .avahi, .program("sqlite3")]),
        "needs root, avahi-daemon and sqlite3"
    ),
    .timeLimit(.minutes(2))
)
struct DynamicWhereSampleTests {
    private static let script = Sources.root + "/docs/examples/dynamic_where.sh"

    /// The conditions of the script, as SQL.
    private static let conditions = [
        ("remote, a clause in XML", "Type = 3"),
        ("remote, a predicate", "instr(Role, 'Manager')"),
        ("remote, a compound predicate", "Role = 'Manager' AND Name GLOB 'J*' OR Id IN (20, 22, 24)"),
        ("local, case and accents ignored", "Role LIKE '%manager%' OR Name GLOB 'Zoë*'"),
        ("local, a range and a negation", "Id BETWEEN 5 AND 25 AND Type NOT IN (1, 2)"),
    ]

    @Test("three remote and two local filters on discovered servers give the rows that sqlite3 gives")
    func filters() async throws {
        try await LAN.with(.hosts(3)) { lan in
            let deployment = Deployment(on: lan)
            let daemon = try await deployment.startDaemon()
            let servers = [
                try await deployment.startServer(["--lan", "--name", "office"], port: 7_099),
                try await deployment.startServer(
                    ["--lan", "--name", "old", "--as", "delphi", "--collation", "nocase", "--rows", "500"],
                    port: 7_099,
                    host: 3,
                    data: "server3"
                ),
            ]
            try await deployment.initialiseVault()
            for (name, folder) in [("office", "server"), ("old", "server3")] {
                try await deployment.success("endpoint", "wait", name, "--for", "discovered")
                #expect(try await deployment.addLogin(to: name).status == 0)
                let run = try await runScript(name, deployment)
                #expect(run.results.map(\.title) == Self.conditions.map(\.0))
                for (result, (title, condition)) in zip(run.results, Self.conditions) {
                    let sql = "SELECT Id, Name, Role, Type FROM Users WHERE \(condition) ORDER BY Id"
                    let expected = try await Command(
                        ["sqlite3", "-json", deployment.home.path(of: folder + "/sample.sqlite"), sql]
                    ).succeed()
                    let rows = try #require(try JSONValue(parsing: expected).arrayValue)
                    #expect(!rows.isEmpty && result.rows == rows, "\(name), \(title)")
                }
                let notes = ["filtered", "sorted"].map {
                    "relctl: note: \(name): rows of Users are \($0) here: as --local says"
                }
                #expect(run.notes == notes + notes, "only the local filters are evaluated here")
            }
            for server in servers { try await server.program.end() }
            try await daemon.end()
        }
    }

    private func runScript(
        _ server: String,
        _ deployment: Deployment
    ) async throws -> (results: [(title: String, rows: [JSONValue])], notes: [String]) {
        let programs = Products.path(of: "relctl").split(separator: "/").dropLast().joined(separator: "/")
        let environment = deployment.environment.merging(["PATH": "/\(programs):/usr/bin:/bin"]) { $1 }
        let output = try await Command([Self.script, server, "json"], environment: environment).run()
        #expect(output.status == 0, "\(output)")
        var results: [(title: String, rows: [JSONValue])] = []
        for part in "\n\(output.standardOutput)".split(separator: "\n# ") {
            let lines = part.split(separator: "\n", maxSplits: 1)
            let rows = try JSONValue(parsing: String(try #require(lines.last))).arrayValue
            results.append((String(lines[0]), try #require(rows)))
        }
        return (results, output.standardError.split(separator: "\n").map(String.init))
    }
}
