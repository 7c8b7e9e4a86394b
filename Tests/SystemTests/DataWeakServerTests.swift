// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "The helper for data at weak servers",
    .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate"),
    .timeLimit(.minutes(3))
)
struct DataWeakServerTests {
    private let deployment = Deployment()

    private static let sample: JSONValue = ["endpoint": "sample"]

    @Test("what a server refuses is not tried again, and a read-only one is not asked")
    func learned() async throws {
        let (helper, client) = try await deployment.startData("--as", "no-where")
        func reasons() throws -> [JSONValue?] {
            let count = try client.call("Count", ["server": Self.sample, "table": "Deps"])
            let rows = try client.rows("Read", ["server": Self.sample, "table": "Deps", "where": "DepId == 4"])
            #expect(count["parameters"]?.objectValue?["count"] == 4 && rows.rows.count == 1, "\(count)")
            let notes = (count["parameters"]?.objectValue?["notes"]?.arrayValue ?? [])
            return (notes + (rows.last["notes"]?.arrayValue ?? [])).map { $0.objectValue?["reason"] }
        }
        #expect(try reasons() == ["refused", "refused"])
        // What a call has shown is kept after its last reply.
        try await eventually { try reasons() == ["lacks", "lacks"] }
        try await deployment.success("endpoint", "set", "sample", "--read-only", "on")
        // Of this service nothing is known yet.
        let simple: JSONValue = ["endpoint": "sample", "schema": "Simple"]
        let count = try helper.connect().call("Count", ["server": simple, "table": "Deps"])
        let notes: JSONValue = [["step": "count", "reason": "lacks", "feature": "daSQL"]]
        #expect(count["parameters"]?.objectValue?["notes"] == notes, "\(count)")
    }

    @Test("statements and conditions that a weak server refuses are evaluated here, with a note")
    func weakServer() async throws {
        let (_, client) = try await deployment.startData("--as", "no-where")
        let sql = """
            SELECT d.DepName AS Dep, COUNT(*) AS N FROM Users u JOIN Deps d ON d.DepId = u.Type
            WHERE u.Id > :id GROUP BY d.DepName ORDER BY d.DepName
            """
        let answer = try client.rows(
            "Query",
            [
                "server": Self.sample, "sql": .string(sql), "limit": 2,
                "parameters": [["name": "id", "value": "7", "type": "Integer"]],
            ]
        )
        let oracle = [
            "sqlite3", "-json", "-cmd", ".parameter set :id 7", deployment.home.path(of: "server/sample.sqlite"),
        ]
        let expected = try JSONValue(parsing: try await Command(oracle + [sql + " LIMIT 2"]).succeed()).arrayValue ?? []
        #expect(answer.fields == ["Dep", "N"] && answer.rows.count == 2 && answer.last["count"] == 2)
        #expect(answer.rows.map { ["Dep": $0[0], "N": $0[1]] } == expected)
        #expect(answer.last["evaluated"] == ["server": [], "here": ["sql"]])
        #expect(answer.last["notes"] == [["step": "sql", "reason": "refused"]])
        client.send("Query", ["server": Self.sample, "sql": "SELECT Nothing FROM Users"], more: true)
        #expect(try client.reply()["error"] == "org.relativityd.Data.BadStatement")

        let read = try client.rows("Read", ["server": Self.sample, "table": "Deps", "where": "DepId == 2", "limit": 1])
        #expect(read.rows == [[2, "Support", "+1 555 0101"]])
        #expect(read.last["evaluated"] == ["server": [], "here": ["filter"]])

        // What the read has shown is kept after its last reply, with requests of its own.
        let filtered: JSONObject = ["server": Self.sample, "table": "Deps", "where": "DepId == 2"]
        try await eventually {
            try client.rows("Read", filtered).last["notes"]?.arrayValue?.allSatisfy { note in
                note.objectValue?["reason"] != "refused"
            } == true
        }
        let requests = deployment.requests(of: "DataService.GetData")
        client.send("ReadTables", ["server": Self.sample, "tables": ["Users", "Deps"]], more: true)
        var tables: [JSONValue?] = []
        var counts: [Int] = []
        while true {
            let reply = try client.reply()
            let part = try reply.object("parameters")
            if let fields = part["fields"]?.arrayValue {
                tables.append(part["table"])
                counts.append(0)
                #expect(fields.count == (tables.count == 1 ? 4 : 3))
            }
            if let rows = part["rows"]?.arrayValue { counts[counts.count - 1] += rows.count }
            guard reply["continues"] == true else {
                #expect(part == ["count": 34], "\(reply)")
                break
            }
        }
        #expect(tables == ["Users", "Deps"] && counts == [30, 4])
        #expect(deployment.requests(of: "DataService.GetData") == requests + 1, "both tables are from one moment")
    }
}
