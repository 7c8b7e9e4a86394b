// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import TestSupport
import Testing

@Suite(
    "Edits by the helper for data",
    .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate"),
    .timeLimit(.minutes(3))
)
struct DataEditTests {
    private let deployment = Deployment()

    private static let sample: JSONValue = ["endpoint": "sample"]

    private static func insert(_ name: String, phone: JSONValue = nil) -> JSONValue {
        ["action": "insert", "table": "Deps", "values": ["DepName": .string(name), "DepPhone": phone]]
    }

    private static func update(_ key: Int64, _ values: JSONValue) -> JSONValue {
        ["action": "update", "table": "Deps", "key": ["DepId": .integer(key)], "values": values]
    }

    private static func names(_ client: DataClient) throws -> [String] {
        let read = try client.rows("Read", ["server": sample, "table": "Deps", "order": ["DepId"]])
        return read.rows.map { $0[1].stringValue ?? "" }
    }

    /// The parameters of a reply, which is no error.
    private static func done(_ reply: JSONObject) throws -> JSONObject {
        try #require(reply["error"] == nil, "\(reply)")
        return try reply.object("parameters")
    }

    private static func changes(_ reply: JSONObject) throws -> [JSONObject] {
        try done(reply).objects("changes")
    }

    @Test("edits are applied in one call, or refused together with the reason; a dry run changes nothing")
    func immediate() async throws {
        let (_, client) = try await deployment.startData()
        func edit(_ edits: JSONValue..., more: JSONObject = [:]) throws -> JSONObject {
            var parameters: JSONObject = ["server": Self.sample, "edits": .array(edits)]
            for (name, value) in more { parameters[name] = value }
            return try client.call("Edit", parameters)
        }
        let delete: JSONValue = ["action": "delete", "table": "Deps", "where": "DepName == 'Sales'"]
        let shown = try Self.changes(
            try edit(
                Self.insert("Security", phone: "555"),
                Self.update(2, ["DepPhone": nil]),
                delete,
                more: ["dryRun": true]
            )
        )
        #expect(shown.map { $0["action"] } == ["insert", "update", "delete"])
        #expect(shown[0]["key"] == ["DepId": -1] && shown[0]["new"]?.objectValue?["DepPhone"] == "555")
        #expect(shown[1]["old"] == ["DepPhone": "+1 555 0101"] && shown[1]["new"] == ["DepPhone": nil])
        #expect(shown.allSatisfy { $0["outcome"] == "pending" })
        #expect(try Self.names(client) == ["Sales", "Support", "Development", "Accounting"])

        let applied = try Self.changes(
            try edit(Self.insert("Security", phone: "555"), Self.update(2, ["DepPhone": nil]), delete)
        )
        #expect(applied.allSatisfy { $0["outcome"] == "accepted" }, "\(applied)")
        #expect(applied.first { $0["action"] == "insert" }?["key"] == ["DepId": 5])
        #expect(deployment.requests(of: "DataService.UpdateData") == 1)
        #expect(try Self.names(client) == ["Support", "Development", "Accounting", "Security"])

        let refusals: [(JSONValue, reason: String, field: JSONValue?)] = [
            (Self.update(99, ["DepName": "x"]), "noRow", nil),
            (Self.update(2, ["DepName": nil]), "required", "DepName"),
            (Self.update(2, ["Nonsense": "x"]), "unknownField", "Nonsense"),
            (["action": "delete", "table": "Deps", "key": ["DepName": "x"]], "notAKey", nil),
            (["action": "delete", "table": "Deps", "key": ["DepId": "x"]], "invalidValue", "DepId"),
            (["action": "delete", "table": "Deps", "where": "DepId > 0"], "tooManyRows", nil),
            (
                [
                    "action": "delete", "table": "Deps", "key": ["DepId": 2], "expected": ["DepPhone": "+1 555 0101"],
                ], "notExpected", "DepPhone"
            ),
        ]
        for (refused, reason, field) in refusals {
            let reply = try edit(Self.insert("Never"), refused, more: ["limit": 2])
            #expect(reply["error"] == "org.relativityd.Data.EditRefused", "\(reply)")
            let error = try reply.object("parameters")
            #expect(error["reason"] == .string(reason) && error["edit"] == 1 && error["table"] == "Deps", "\(error)")
            #expect(error["field"] == field, "\(error)")
        }
        for (wrong, parameter) in [
            (Self.update(2, ["DepName": ["x"]]), "edits[0].values.DepName"), (Self.update(2, [:]), "edits[0].values"),
            (["action": "delete", "table": "Deps"], "edits[0].key"),
        ] as [(JSONValue, String)] {
            #expect(try edit(wrong)["parameters"] == ["parameter": .string(parameter)])
        }
        #expect(deployment.requests(of: "DataService.UpdateData") == 1)

        try await deployment.success("endpoint", "set", "sample", "--read-only", "on")
        let readOnly = try Self.done(try edit(Self.insert("Never")))
        #expect(readOnly["failure"]?.objectValue?["kind"] == "notSent", "\(readOnly)")
        #expect(try Self.names(client).count == 4)
    }

    @Test("a pending set outlives the helper, and a caller that has not seen its changes cannot edit or apply it")
    func pending() async throws {
        try await deployment.startWithLogin()
        var helper = try await DataHelper(deployment)
        let (first, second) = (try helper.connect(), try helper.connect())
        let base: JSONObject = ["server": Self.sample, "pending": "day"]
        func call(_ client: DataClient, _ method: String, _ more: JSONObject) throws -> JSONObject {
            var parameters = base
            for (name, value) in more { parameters[name] = value }
            return try client.call(method, parameters)
        }
        let made = try Self.done(try call(first, "Edit", ["edits": [Self.insert("Security")]]))
        let seen = try #require(made["revision"])
        let other = try Self.done(
            try call(second, "Edit", ["edits": [Self.update(2, ["DepPhone": "556"])], "revision": seen])
        )
        let current = try #require(other["revision"])
        #expect(current != seen)
        for (method, more) in [
            ("Edit", ["edits": [Self.insert("Lost")], "revision": seen]), ("Edit", ["edits": [Self.insert("Lost")]]),
            ("Apply", ["revision": seen]), ("DropPending", ["revision": seen]),
        ] as [(String, JSONObject)] {
            let reply = try call(first, method, more)
            #expect(reply["error"] == "org.relativityd.Data.PendingChanged", "\(method) \(reply)")
            #expect(reply["parameters"]?.objectValue?["revision"] == current)
        }
        #expect(try Self.names(first).count == 4 && deployment.requests(of: "DataService.UpdateData") == 0)

        kill(pid_t(try await helper.pid()), SIGKILL)
        try await helper.program.end()
        unlink(helper.socket)
        helper = try await DataHelper(deployment)
        // The log has the line of the first run.
        try await eventually { [socket = helper.socket] in access(socket, F_OK) == 0 }
        let client = try helper.connect()
        let kept = try Self.done(try client.call("GetPending", ["pending": "day"]))
        #expect(try kept.object("set")["revision"] == current && kept["changes"]?.arrayValue?.count == 2)
        #expect(try Self.done(try client.call("ListPending", [:]))["sets"] == [.object(try kept.object("set"))])
        let elsewhere = try client.call(
            "Apply",
            ["server": ["endpoint": "sample", "service": "Other"], "pending": "day", "revision": current]
        )
        #expect(elsewhere["error"] == "org.relativityd.Data.PendingElsewhere", "\(elsewhere)")

        // Another client changes the row of one of the two changes.
        _ = try Self.done(
            try client.call("Edit", ["server": Self.sample, "edits": [Self.update(2, ["DepPhone": "999"])]])
        )
        let applied = try Self.done(try call(client, "Apply", ["revision": current]))
        let changes = try applied.objects("changes")
        let conflict = try #require(changes.first { $0["action"] == "update" })
        #expect(conflict["outcome"] == "conflict" && conflict["conflict"] == "changed", "\(conflict)")
        #expect(conflict["base"] == ["DepPhone": "+1 555 0101"] && conflict["theirs"] == ["DepPhone": "999"])
        #expect(changes.first { $0["action"] == "insert" }?["outcome"] == "accepted", "\(changes)")
        let left = try #require(applied["revision"])
        #expect(left != current)
        let forced = try Self.done(try call(client, "Apply", ["revision": left, "force": true]))
        #expect(forced["revision"] == nil, "\(forced)")
        #expect(try Self.done(try client.call("ListPending", [:]))["sets"] == [])
        #expect(try call(client, "GetPending", [:])["error"] == "org.relativityd.Data.PendingNotFound")
        let rows = try client.rows("Read", ["server": Self.sample, "table": "Deps", "order": ["DepId"]]).rows
        #expect(rows.map { $0[2] } == ["+1 555 0100", "556", "+1 555 0102", nil, nil] && rows[4][1] == "Security")
        #expect(deployment.home.names(in: "state/relativityd-data").isEmpty)

        // A new set has other revisions, so what was seen of the first one is of no use.
        let again = try Self.done(try call(client, "Edit", ["edits": [Self.insert("Lobby"), Self.insert("Roof")]]))
        #expect(again["revision"] != seen && again["revision"] != current)
        let roof = try again.objects("changes")[1]
        let dropped = try Self.done(
            try call(
                client,
                "DropPending",
                [
                    "revision": try #require(again["revision"]),
                    "changes": [["table": "deps", "row": roof["row"] ?? nil]],
                ]
            )
        )
        #expect(
            try Self.changes(try call(client, "GetPending", [:])).map { $0["new"]?.objectValue?["DepName"] } == [
                "Lobby"
            ]
        )
        _ = try Self.done(try call(client, "DropPending", ["revision": try #require(dropped["revision"])]))
        #expect(try Self.done(try client.call("ListPending", [:]))["sets"] == [])
    }

    @Test("after a kill during an apply the outcome is unknown, nothing is sent again, and the caller decides")
    func unknown() async throws {
        let started = try await deployment.startWithLogin()
        var helper = try await DataHelper(deployment)
        var client = try helper.connect()
        let file = deployment.home.path(of: "state/relativityd-data/day.pending")
        func size() -> Int {
            var facts = stat()
            return stat(file, &facts) == 0 ? Int(facts.st_size) : 0
        }
        let made = try Self.done(
            try client.call(
                "Edit",
                ["server": Self.sample, "pending": "day", "edits": [Self.insert("Security", phone: "555")]]
            )
        )
        let before = size()
        started.server.send("STOP")
        client.send("Apply", ["server": Self.sample, "pending": "day", "revision": try #require(made["revision"])])
        try await eventually { size() > before }
        kill(pid_t(try await helper.pid()), SIGKILL)
        started.server.send("CONT")
        try await helper.program.end()
        unlink(helper.socket)
        helper = try await DataHelper(deployment)
        // The log has the line of the first run.
        try await eventually { [socket = helper.socket] in access(socket, F_OK) == 0 }
        client = try helper.connect()

        let kept = try Self.done(try client.call("GetPending", ["pending": "day"]))
        let revision = try #require(try kept.object("set")["revision"])
        #expect(try kept.objects("changes").map { $0["outcome"] } == ["unknown"])
        let named: JSONObject = ["server": Self.sample, "pending": "day", "revision": revision]
        let refused = try client.call("Apply", named)
        #expect(refused["error"] == "org.relativityd.Data.OutcomeUnknown", "\(refused)")
        var edit = named
        edit["edits"] = [Self.insert("Second")]
        #expect(try client.call("Edit", edit)["error"] == "org.relativityd.Data.OutcomeUnknown")

        let checked = try Self.done(try client.call("CheckPending", named))
        let verdict = try #require(try checked.objects("verdicts").first)
        if try Self.names(client).contains("Security") {
            #expect(verdict["verdict"] == "applied", "\(checked)")
            #expect(verdict["matches"]?.arrayValue?.first?.objectValue?["DepName"] == "Security")
            let settled = try Self.done(try client.call("SettlePending", ["pending": "day", "revision": revision]))
            #expect(settled["revision"] == nil)
        } else {
            #expect(verdict["verdict"] == "notApplied", "\(checked)")
            let retried = try Self.done(try client.call("RetryPending", ["pending": "day", "revision": revision]))
            var next = named
            next["revision"] = retried["revision"]
            #expect(try Self.changes(try client.call("Apply", next)).map { $0["outcome"] } == ["accepted"])
        }
        #expect(try Self.names(client).filter { $0 == "Security" }.count == 1)
        #expect(try Self.done(try client.call("ListPending", [:]))["sets"] == [])
    }

    @Test("files of pending sets are written by another thread than that of connections", .enabled(if: Self.canTrace))
    func disk() async throws {
        try await deployment.startWithLogin()
        let trace = deployment.home.path(of: "trace")
        // With -D the program keeps its process ID, for which the socket is.
        let tracer = ["strace", "-D", "-f", "-o", trace, "-e", "trace=fsync,accept4"]
        let helper = try await DataHelper(deployment, tracer: tracer)
        let client = try helper.connect()
        let edit: JSONObject = ["server": Self.sample, "pending": "day", "edits": [Self.insert("Security")]]
        _ = try Self.done(try client.call("Edit", edit))
        @Sendable func threads(_ call: String) -> Set<Substring> {
            let lines = TextFile.text(of: trace).split(separator: "\n").filter { $0.contains(" \(call)(") }
            return Set(lines.compactMap { $0.split(separator: " ").first })
        }
        try await eventually { !threads("fsync").isEmpty && !threads("accept4").isEmpty }
        #expect(threads("fsync").isDisjoint(with: threads("accept4")))
    }

    private static let canTrace = Requirement.allMet([.program("strace")])

    @Test("pending sets have valid names and limits, and the example in Python edits a row")
    func namesAndExample() async throws {
        let (_, client) = try await deployment.startData()
        for name in ["", ".x", "a/b", "..", "a b", String(repeating: "x", count: 65)] {
            let reply = try client.call("GetPending", ["pending": .string(name)])
            #expect(reply["parameters"] == ["parameter": "pending"], "\(name)")
        }
        let first: JSONObject = [
            "server": Self.sample, "pending": "set-0", "edits": [Self.insert("x")],
        ]
        _ = try Self.done(try client.call("Edit", first))
        let directory = "state/relativityd-data"
        let facts = deployment.home.content(of: "\(directory)/set-0.json")
        for number in 1..<64 { deployment.home.write(facts, to: "\(directory)/set-\(number).json") }
        var next = first
        next["pending"] = "set-64"
        let full = try client.call("Edit", next)
        #expect(full["error"] == "org.relativityd.Data.PendingFull", "\(full)")
        #expect(try full.object("parameters")["content"] == "sets" && full.object("parameters")["limit"] == 64)
        let sets = try #require(try Self.done(try client.call("ListPending", [:]))["sets"]?.arrayValue)
        #expect(sets.count == 64)
        let last = try #require(sets.first?.objectValue)
        let drop: JSONObject = ["pending": last["name"] ?? nil, "revision": last["revision"] ?? nil]
        _ = try Self.done(try client.call("DropPending", drop))

        let example = Sources.root + "/docs/examples/python/edit.py"
        let output = try await Command(
            ["/usr/bin/python3", example, "sample", "Deps", #"{"DepId": 4}"#, "DepPhone", "557"],
            environment: deployment.environment
        ).succeed()
        #expect(output == "{\"DepPhone\": null} -> {\"DepPhone\": \"557\"}\naccepted\n")
        let failed = try await Command(
            ["/usr/bin/python3", example, "sample", "Deps", #"{"DepId": 99}"#, "DepPhone", "1"],
            environment: deployment.environment
        ).run()
        #expect(failed.status == 1 && failed.standardError.contains("org.relativityd.Data.EditRefused"), "\(failed)")
    }
}
