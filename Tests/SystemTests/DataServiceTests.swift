// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import TestSupport
import Testing

@Suite(
    "The helper for data",
    .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate"),
    .timeLimit(.minutes(3))
)
struct DataServiceTests {
    private let deployment = Deployment()

    private static let sample: JSONValue = ["endpoint": "sample"]

    @Test("a table, a condition, an order, a statement and a command are answered over one adapter")
    func reads() async throws {
        let (helper, client) = try await deployment.startData()
        let deps = try client.rows("Read", ["server": Self.sample, "table": "Deps"])
        #expect(deps.fields == ["DepId", "DepName", "DepPhone"])
        #expect(deps.rows.map { $0[1].stringValue ?? "" } == ["Sales", "Support", "Development", "Accounting"])
        #expect(deps.rows[3] == [4, "Accounting", .null])
        #expect(deps.last["count"] == 4 && deps.last["notes"] == [])

        let chosen = try client.rows(
            "Read",
            [
                "server": Self.sample, "table": "Deps", "fields": ["DepName"], "where": "DepId > 1 AND DepName != 'x'",
                "order": ["-DepName"], "limit": 2,
            ]
        )
        #expect(chosen.fields == ["DepName"] && chosen.rows == [["Support"], ["Development"]])
        let notes = try #require(chosen.last["notes"]?.arrayValue)
        #expect(notes.contains { $0.objectValue?["step"] == "filter" && $0.objectValue?["reason"] == "unsent" })

        let sorted = try client.rows(
            "Read",
            ["server": Self.sample, "table": "Users", "order": ["Role", "-Id"], "fields": ["Role", "Id"], "limit": 3]
        )
        #expect(sorted.fields == ["Role", "Id"] && sorted.rows.count == 3 && sorted.rows[0][0] == .null, "\(sorted)")
        #expect(sorted.last["notes"]?.arrayValue?.first?.objectValue?["reason"] == "severalFields")

        let tables = try client.call("ListTables", ["server": Self.sample])
        #expect(tables["parameters"]?.objectValue?["tables"]?.arrayValue?.contains("Deps") == true, "\(tables)")
        let schema = try client.call("GetSchema", ["server": Self.sample, "table": "deps"])
        let described = try schema.object("parameters")["tables"]?.arrayValue ?? []
        #expect(described.count == 1 && described[0].objectValue?["name"] == "Deps", "\(schema)")
        #expect(
            described[0].objectValue?["fields"]?.arrayValue?.first
                == ["name": "DepId", "type": "AutoInc", "key": true, "required": true]
        )
        let unknown = try client.call("GetSchema", ["server": Self.sample, "table": "Nonsense"])
        #expect(unknown["error"] == "org.relativityd.Data.TableUnknown")
        let commands = try client.call("ListCommands", ["server": Self.sample])
        #expect(
            commands["parameters"]?.objectValue?["commands"]?.arrayValue?
                .contains(["name": "SetDepPhone", "parameters": ["DepId", "Phone"]]) == true,
            "\(commands)"
        )
        let whole = try client.call("Count", ["server": Self.sample, "table": "Deps"])
        let evaluated: JSONValue = ["server": ["sql"], "here": []]
        #expect(whole["parameters"] == ["count": 4, "notes": [], "evaluated": evaluated], "\(whole)")
        let some = try client.call("Count", ["server": Self.sample, "table": "Deps", "where": "DepPhone == NIL"])
        #expect(some["parameters"]?.objectValue?["count"] == 1, "\(some)")

        let sum = try client.rows(
            "Query",
            [
                "server": Self.sample, "sql": "SELECT COUNT(*) AS N FROM Users WHERE Role = :role",
                "parameters": [["name": "role", "value": "Developer"]],
            ]
        )
        #expect(sum.rows.count == 1 && sum.rows[0][0].integerValue.map { $0 > 0 } == true, "\(sum)")
        let ran = try client.call(
            "RunCommand",
            [
                "server": Self.sample, "command": "SetDepPhone",
                "parameters": [
                    ["name": "DepId", "value": "4", "type": "Integer"], ["name": "Phone", "value": "+1 555 0199"],
                ],
            ]
        )
        #expect(ran["parameters"]?.objectValue?["affected"] == 1, "\(ran)")
        let changed = try client.rows("Read", ["server": Self.sample, "table": "Deps", "where": "DepId == 4"])
        #expect(changed.rows == [[4, "Accounting", "+1 555 0199"]])

        let adapters = try #require(try await deployment.json("adapter", "list").arrayValue)
        #expect(adapters.count == 1)
        #expect(adapters.first?.objectValue?["pid"] == .integer(Int64(getpid())))
        #expect(adapters.first?.objectValue?["claimedBy"] == .integer(Int64(try await helper.pid())))
        try await helper.program.end()
        try await eventually { try await deployment.json("adapter", "list") == .array([]) }
    }

    @Test("errors have the codes of the interface, and those of the daemon are passed on")
    func errors() async throws {
        let started = try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()
        func error(_ parameters: JSONObject) throws -> JSONObject {
            client.send("Read", parameters, more: true)
            return try client.reply()
        }
        let absent = try error(["server": ["endpoint": "none"], "table": "Deps"])
        #expect(absent["error"] == "org.relativityd.Registry.EndpointNotFound")
        #expect(absent["parameters"]?.objectValue?["endpoint"] == "none")
        let predicate = try error(["server": Self.sample, "table": "Deps", "where": "DepId == == 3"])
        #expect(predicate["error"] == "org.relativityd.Data.BadPredicate")
        #expect(predicate["parameters"]?.objectValue?["column"] == 10)
        let field = try error(["server": Self.sample, "table": "Deps", "where": "Nonsense == 3"])
        #expect(field["error"] == "org.relativityd.Data.FieldUnknown")
        #expect(field["parameters"]?.objectValue?["field"] == "Nonsense")
        let table = try error(["server": Self.sample, "table": "Nonsense"])
        #expect(table["error"] == "org.relativityd.Data.TableUnknown", "\(table)")
        #expect(table["parameters"]?.objectValue?["table"] == "Nonsense", "\(table)")
        client.send("Query", ["server": Self.sample, "sql": "SELECT * FROM Nonsense"], more: true)
        let statement = try client.reply()
        #expect(statement["error"] == "org.relativityd.Data.TableUnknown", "\(statement)")
        let limit = try error(["server": Self.sample, "table": "Deps", "limit": -1])
        #expect(limit["error"] == "org.varlink.service.InvalidParameter")
        let both = try error(["server": ["endpoint": "sample", "service": "a", "schema": "b"], "table": "Deps"])
        #expect(both["parameters"] == ["parameter": "server.schema"])
        let single = try client.call("Read", ["server": Self.sample, "table": "Deps"])
        #expect(single["error"] == "org.varlink.service.ExpectedMore")

        try await deployment.success("vault", "lock")
        try await eventually { try await deployment.json("adapter", "list") == .array([]) }
        let locked = try error(["server": Self.sample, "table": "Deps"])
        #expect(locked["error"] == "org.relativityd.Credentials.VaultLocked", "\(locked)")
        try await started.daemon.end()
        let gone = try error(["server": Self.sample, "table": "Deps"])
        #expect(gone["error"] == "org.relativityd.Data.DaemonUnavailable", "\(gone)")
    }

    @Test("a statement that runs here delays no other call, and ends with its connection")
    func longStatement() async throws {
        try await deployment.startWithLogin("--as", "delphi")
        let helper = try await DataHelper(deployment)
        var slow: DataClient? = try helper.connect()
        let tables = "abcdefgh".map { "Users \($0)" }.joined(separator: ", ")
        slow?.send("Query", ["server": Self.sample, "sql": .string("SELECT COUNT(*) FROM \(tables)")], more: true)
        let client = try helper.connect()
        let server: JSONObject = ["server": Self.sample, "table": "Deps"]
        #expect(try client.call("Count", server)["parameters"]?.objectValue?["count"] == 4)
        let pid = try await helper.pid()
        try await eventually { Self.processorTime(of: pid) > 50 }
        #expect(try client.call("Count", server)["parameters"]?.objectValue?["count"] == 4)
        slow = nil
        let sum = try client.rows("Query", ["server": Self.sample, "sql": "SELECT SUM(DepId) FROM Deps"])
        #expect(sum.rows == [[10]])
    }

    @Test("rows that grow end their call with the bound, and delay no other")
    func growth() async throws {
        try await deployment.startWithLogin("--as", "delphi", "--rows", "2000")
        let helper = try await DataHelper(deployment)
        let greedy = try helper.connect()
        let other = try helper.connect()
        let count: JSONObject = ["server": Self.sample, "table": "Deps"]
        _ = try other.call("Count", count)
        var read: JSONObject = ["server": Self.sample, "table": "Users"]
        let doubled = (1..<30).map { "A\($0 - 1) + A\($0 - 1)" }
        read["calculated"] = .array(
            (["text(Id) + 'abcdefgh'"] + doubled).enumerated().map { number, text in
                ["name": .string("A\(number)"), "expression": .string(text)]
            }
        )
        let wide = (0..<100).map { "printf('%.*c', 8000000, 'x') AS c\($0)" }.joined(separator: ", ")
        let calls: [(method: String, call: JSONObject, limit: Int64)] = [
            ("Read", read, 1 << 24),
            ("Query", ["server": Self.sample, "sql": .string("SELECT \(wide) FROM Deps")], 52 << 20),
            (
                "Query",
                [
                    "server": Self.sample,
                    "sql": "SELECT length(group_concat(printf('%.*c', 1000000, 'x'))) FROM Users",
                ], 18 << 20
            ),
        ]
        var slowest = Duration.zero
        for (method, call, limit) in calls {
            greedy.send(method, call, more: true)
            for _ in 0..<20 {
                let start = ContinuousClock.now
                _ = try other.call("Count", count)
                slowest = max(slowest, ContinuousClock.now - start)
            }
            var reply = try greedy.reply()
            while reply["continues"] == true { reply = try greedy.reply() }
            #expect(reply["error"] == "org.relativityd.Data.TooMuchToRead", "\(reply)")
            #expect(try reply.object("parameters")["limit"] == .integer(limit), "\(reply)")
        }
        let memory = try await helper.memory()
        #expect(memory < 160 << 20, "\(memory) bytes")
        print("slowest other call: \(slowest), \(memory) bytes of memory")
    }

    /// In clock ticks, 100 a second.
    private static func processorTime(of pid: Int) -> Int {
        let fields = TextFile.text(of: "/proc/\(pid)/stat").split(separator: " ")
        return fields.count > 13 ? Int(fields[13]) ?? 0 : 0
    }

    @Test("a slow reader gets 100,000 rows in order, within bounded memory; closing the connection ends the call")
    func slowReader() async throws {
        let (helper, client) = try await deployment.startData("--rows", "100000")
        client.send("Read", ["server": Self.sample, "table": "Users", "order": ["Id"]], more: true)
        var (count, batches, most) = (0, 0, 0)
        while true {
            let reply = try client.reply()
            let part = try reply.object("parameters")
            try #require(reply["error"] == nil, "\(reply)")
            for row in part["rows"]?.arrayValue ?? [] {
                count += 1
                try #require(row.arrayValue?.first == .integer(Int64(count)))
            }
            batches += 1
            // The pauses fill every buffer on the way. The whole reply has 10 MiB.
            if batches == 2 || batches % 16 == 0 {
                try await Task.sleep(for: .milliseconds(batches == 2 ? 1_000 : 20))
                most = max(most, try await helper.memory())
            }
            guard reply["continues"] == true else {
                #expect(part["count"] == .integer(Int64(count)))
                break
            }
        }
        #expect(count == 100_000 && batches > 20)
        #expect(most > 0 && most < 8 << 20, "\(most) bytes")
        print("\(count) rows in \(batches) replies, at most \(most) bytes of memory")

        var closing: DataClient? = try helper.connect()
        closing?.send("Read", ["server": Self.sample, "table": "Users"], more: true)
        #expect(try closing?.reply()["continues"] == true)
        #expect(try await deployment.json("adapter", "list").arrayValue?.count == 2)
        closing = nil
        try await eventually { try await deployment.json("adapter", "list").arrayValue?.count == 1 }
    }

    @Test("the helper ends when no client is connected, and needs a socket to start")
    func idle() async throws {
        try await deployment.startDaemon()
        let helper = try await DataHelper(deployment, options: ["--idle-seconds", "1"])
        var client: DataClient? = try helper.connect()
        let reply = try client?.call("ListTables", ["server": ["endpoint": "none"]])
        #expect(reply?["error"] == "org.relativityd.Registry.EndpointNotFound")
        let pid = try await helper.pid()
        try await Task.sleep(for: .milliseconds(1_500))
        #expect(kill(pid_t(pid), 0) == 0, "it does not end while a client is connected")
        client = nil
        try await eventually { access("/proc/\(pid)/exe", F_OK) != 0 }
        #expect(try await helper.program.end() == 0)
        let alone = try await Command([Products.path(of: "relativityd-data"), "serve"]).run()
        #expect(alone.status == 64 && alone.standardError.contains("systemd passed no socket"), "\(alone)")
    }

    @Test("it makes its socket without systemd, does not end when idle, and removes the socket at its end")
    func ownSocket() async throws {
        try await deployment.startWithLogin()
        let socket = deployment.home.path(of: "own")
        let serve = [Products.path(of: "relativityd-data"), "serve"]
        let helper = try Supervised(
            serve + ["--socket=\(socket)"],
            environment: deployment.environment,
            log: deployment.home.path(of: "data.log")
        )
        try await eventually { access(socket, F_OK) == 0 }
        var facts = stat()
        #expect(stat(socket, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        let opened = try DataClient(socket).call("Open", ["server": Self.sample])
        let place = try opened.object("parameters")
        #expect(try place.string("endpointName") == "sample" && place.string("service") == "DataService")
        #expect(try place.bool("readOnly") == false)
        let missing = try DataClient(socket).call("Open", ["server": ["endpoint": "none"]])
        #expect(missing["error"] == "org.relativityd.Registry.EndpointNotFound")
        let second = try await Command(serve + ["--socket", socket], environment: deployment.environment).run()
        #expect(second.status == 1 && second.standardError.contains("another server answers at"), "\(second)")
        #expect(try await helper.end() == 0)
        #expect(access(socket, F_OK) != 0)

        let brief = try await Command(
            serve + ["--idle-seconds", "1", "--socket", socket],
            environment: deployment.environment
        ).run()
        #expect(brief.status == 0 && access(socket, F_OK) != 0)
    }

    @Test("wrong arguments are errors of this program, with its usage")
    func usage() async throws {
        for (arguments, status, text) in [
            ([], 64, "USAGE: relativityd-data serve"), (["server"], 64, "USAGE: relativityd-data serve"),
            (["serve", "--socket"], 64, "'--socket' is unknown, or has no value"),
            (["serve", "--socket="], 64, "unknown option '--socket='"),
            (["serve", "--idle-seconds", "0"], 64, "from 1 to 86400"),
            (["serve", "-v", "1"], 64, "unknown option '-v'"),
            (["serve", "--socket", "/nowhere/s"], 1, "cannot listen on /nowhere/s: No such file or directory"),
        ] as [([String], Int32, String)] {
            let output = try await Command(
                [Products.path(of: "relativityd-data")] + arguments,
                environment: ["HOME": "/nonexistent", "XDG_STATE_HOME": "/nonexistent"]
            ).run()
            #expect(output.status == status && output.standardError.contains(text), "\(arguments): \(output)")
            #expect(output.standardError.hasPrefix("relativityd-data: error: "), "\(output)")
        }
        let help = try await Command([Products.path(of: "relativityd-data"), "--help"]).succeed()
        #expect(help.hasPrefix("USAGE: relativityd-data serve"))
    }

    @Test(
        "the example in Python prints a table with pandas",
        .enabled(
            if: Requirement.allMet([.program(Sources.python)], for: "pandas"),
            "scripts/python-env.sh"
        )
    )
    func pandas() async throws {
        try await deployment.startWithLogin()
        _ = try await DataHelper(deployment)
        let command = [Sources.python, Sources.root + "/docs/examples/python/table.py", "sample", "Deps", "DepId > 2"]
        let lines = try await Command(command, environment: deployment.environment).succeed().split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.split(separator: " ") == ["DepId", "DepName", "DepPhone"])
        // Since pandas 3 NULL in a column of text is printed as NaN, before as None.
        let last = lines.last?.split(separator: " ").suffix(2) ?? []
        #expect(last == ["Accounting", "NaN"] || last == ["Accounting", "None"], "\(lines)")
    }

    @Test("curl reads a table as a sequence of records")
    func curl() async throws {
        try await deployment.startWithLogin()
        let helper = try await DataHelper(deployment)
        let text = try await Command(
            [
                "curl", "--silent", "--unix-socket", helper.socket, "-N",
                "http://d/call/org.relativityd.Data.Read", "-d", #"{"server":{"endpoint":"sample"},"table":"Deps"}"#,
            ]
        ).succeed()
        #expect(text.contains(#"[1,"Sales","+1 555 0100"]"#) && text.contains(#""count":4"#), "\(text)")
        let status = try await Command(
            [
                "curl", "--silent", "--unix-socket", helper.socket, "-o", "/dev/null", "-w", "%{http_code}",
                "http://d/call/org.relativityd.Data.Read", "-d", #"{"server":{"endpoint":"none"},"table":"Deps"}"#,
            ]
        ).succeed()
        #expect(status == "404")
    }

    @Test(
        "another user is refused, and the helper never has the password or the passphrase",
        .enabled(
            if: Requirement.allMet([.root, .program("/usr/bin/python3"), .program(Sources.python)]),
            "needs root and scripts/python-env.sh"
        )
    )
    func secrets() async throws {
        let password = Canary("password")
        try await deployment.startDaemon()
        let server = try await deployment.startServer(["--any-password"])
        try await deployment.success("add", "sample", "127.0.0.1:\(server.port)")
        try await deployment.initialiseVault()
        try #require(try await deployment.addLogin(password: password.text).status == 0)
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()
        #expect(try client.rows("Read", ["server": Self.sample, "table": "Deps"]).rows.count == 4)
        let passphrase = Canary("passphrase", bytes: Array(Deployment.passphrase.utf8))
        let search = SecretSearch(canaries: [password, passphrase])
        let outcome = try await search.run(in: ["pid:\(try await helper.pid())"])
        #expect(outcome.hits.isEmpty && outcome.searchedBytes > 1 << 20, "\(outcome)")

        #expect(try await deployment.bytesForOtherUser(at: helper.socket) == 0)
    }

    @Test(
        "the example in JavaScript prints the rows of a table",
        .enabled(if: Requirement.allMet([.program("node")], for: "Node"), "node")
    )
    func node() async throws {
        try await deployment.startWithLogin()
        _ = try await DataHelper(deployment)
        let example = Sources.root + "/docs/examples/node/table.js"
        let output = try await Command(
            ["node", example, "sample", "Deps", "DepId < 3"],
            environment: deployment.environment
        ).succeed()
        #expect(
            output == """
                ["DepId","DepName","DepPhone"]
                [1,"Sales","+1 555 0100"]
                [2,"Support","+1 555 0101"]

                """
        )
        let failed = try await Command(["node", example, "none", "Deps"], environment: deployment.environment).run()
        #expect(failed.status == 1 && failed.standardError.contains("EndpointNotFound"))
    }
}
