// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Extra fields and kept tables of the helper for data",
    .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate"),
    .timeLimit(.minutes(3))
)
struct DataReadTests {
    private let deployment = Deployment()

    private static let sample: JSONValue = ["endpoint": "sample"]

    @Test("kept tables are read without the server, with their pending changes")
    func keptTables() async throws {
        let started = try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "Users", "-q")
        let new = ["table", "insert", "sample", "Deps", "DepName=Night watch", "--offline", "-q"]
        let inserted = try await deployment.relctl(new)
        #expect(inserted.status == 0, "\(inserted)")
        try await started.server.end()
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()

        client.send("ListKept", [:], more: false)
        let list = try client.reply().object("parameters").objects("kept")
        try #require(list.count == 1)
        #expect(list[0]["name"] == "sample" && list[0]["service"] == "DataService", "\(list)")
        #expect(
            list[0]["tables"] == [
                ["name": "Deps", "rows": 4, "pending": 1], ["name": "Users", "rows": 30, "pending": 0],
            ]
        )
        let call: JSONObject = [
            "endpoint": "sample", "table": "deps", "fields": ["DepName"], "where": "DepName CONTAINS 't'",
            "order": ["-DepName"], "limit": 2,
        ]
        let read = try client.rows("ReadKept", call)
        #expect(read.fields == ["DepName"] && read.rows == [["Support"], ["Night watch"]], "\(read)")
        for (change, error) in [
            (["endpoint": "other"], "TableUnknown"), (["table": "Orders"], "TableUnknown"),
            (["where": "Nothing = 1"], "FieldUnknown"), (["where": "("], "BadPredicate"),
            (["order": ["Nothing"]], "FieldUnknown"), (["service": "DataService.Other"], "TableUnknown"),
        ] as [(JSONObject, String)] {
            client.send("ReadKept", JSONObject(call.filter { change[$0.key] == nil } + change), more: true)
            #expect(try client.reply()["error"] == .string("org.relativityd.Data.\(error)"), "\(change)")
        }
        client.send("ReadKept", call, more: false)
        #expect(try client.reply()["error"] == "org.varlink.service.ExpectedMore")
    }

    @Test("a read has lookup and calculated fields; a bad one has a place")
    func extraFields() async throws {
        let (_, client) = try await deployment.startData()
        let base: JSONObject = ["server": Self.sample, "table": "Users", "where": "Id <= 5", "order": ["Id"]]
        var good = base
        good["fields"] = ["Id", "Department", "State", "Label"]
        good["lookups"] = [
            ["name": "Department", "fields": ["Type"], "table": "Deps", "keys": ["DepId"], "shown": "DepName"],
            ["name": "State", "fields": ["Type"], "list": ["1": "new"], "missing": "old"],
        ]
        good["calculated"] = [["name": "Label", "expression": "upper(Name) + '/' + coalesce(Department, '?')"]]
        let read = try client.rows("Read", good)
        #expect(read.fields == ["Id", "Department", "State", "Label"])
        #expect(read.rows[0] == [1, "Sales", "new", "ADA/Sales"] && read.rows[2][2] == "old", "\(read.rows)")
        #expect(read.rows[4][1] == .null && read.rows[4][3].stringValue?.hasSuffix("/?") == true)

        var bad = base
        bad["calculated"] = [["name": "X", "expression": "Id + nonsense("]]
        client.send("Read", bad, more: true)
        let syntax = try client.reply()
        #expect(syntax["error"] == "org.relativityd.Data.BadView", "\(syntax)")
        #expect(try syntax.object("parameters")["field"] == "X" && syntax.object("parameters")["column"] != nil)
        bad["calculated"] = [["name": "role", "expression": "1"]]
        client.send("Read", bad, more: true)
        #expect(try client.reply()["error"] == "org.relativityd.Data.BadView")
        bad["calculated"] = nil
        bad["lookups"] = [["name": "X", "fields": ["Type"]]]
        client.send("Read", bad, more: true)
        #expect(try client.reply()["parameters"] == ["parameter": "lookups[0].table"])
        bad["lookups"] = nil
        bad["calculated"] = [["name": "X", "expression": "1"]]
        for fields: JSONValue in [[], ["DepId", "DepName"]] {
            bad["references"] = [
                ["detail": "Users", "detailFields": ["Type"], "master": "Deps", "masterFields": fields]
            ]
            client.send("Read", bad, more: true)
            #expect(try client.reply()["parameters"] == ["parameter": "references"], "\(fields)")
        }
    }
}
