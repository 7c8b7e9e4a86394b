// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("The extension of SQLite, interrupted and cut off", .timeLimit(.minutes(3)))
struct SQLiteCutTests {
    private static let fields = [
        #"name = "Id", type = "Integer", key = true"#, #"name = "Name", type = "WideString", size = 50"#,
        #"name = "Amount", type = "Currency""#,
    ]

    /// A table of as many rows, each about 30 bytes in a reply.
    private static func rows(_ count: Int) -> String {
        """
        create table t (Id integer primary key, Name, Amount);
        with recursive n(x) as (select 1 union all select x + 1 from n where x < \(count))
        insert into t select x, 'row ' || x, x * 2500 from n;
        """
    }

    private let deployment = Deployment()
    private let extensionPath: String

    init() async throws { extensionPath = try await deployment.sqliteExtension() }

    private func start(rows: Int) async throws -> DataHelper {
        try await deployment.startWithLogin(try await deployment.tableOptions(Self.fields, sql: Self.rows(rows)))
        return try await DataHelper(deployment)
    }

    /// Runs a program of Tests/Tools with the extension.
    private func run(_ program: String, _ arguments: String...) async throws -> String {
        let path = "\(Sources.root)/Tests/Tools/\(program)"
        let command = ["/usr/bin/python3", path, extensionPath] + arguments
        return try await Command(command, environment: deployment.environment).succeed(deadline: .seconds(90))
    }

    /// The descriptors and the children of a process.
    private func belongings(of process: Int) async throws -> String {
        let listing = "ls /proc/\(process)/fd | wc -l; cat /proc/\(process)/task/*/children"
        return try await Command(["sh", "-c", listing]).succeed()
    }

    @Test("an interrupt ends a statement that waits for the server, within 50 ms")
    func interrupt() async throws {
        let helper = try await start(rows: 10)
        let slow = try await deployment.startServer()
        try await deployment.success("add", "slow", "127.0.0.1:\(slow.port)")
        #expect(try await deployment.addLogin(to: "slow").status == 0)
        let folder = deployment.home.path(of: "signs")
        mkdir(folder, 0o700)
        async let output = run("interrupt_read.py", folder)
        try await eventually { access(folder + "/ready", F_OK) == 0 }
        slow.program.send("STOP")
        deployment.home.write([], to: "signs/stopped")
        let words = try await output.split(whereSeparator: \.isWhitespace)
        try #require(words.count == 3, "\(words)")
        #expect(words[0] == "interrupted" && words[2] == "0", "\(words)")
        #expect(Int(words[1]).map { $0 <= 50 } == true, "\(words[1]) ms")
        slow.program.send("CONT")
        try await eventually { try await deployment.json("adapter", "list") == [] }
        #expect(try await belongings(of: helper.pid()).split(separator: "\n").count == 1, "no child is left")
    }

    @Test("an interrupt ends a statement that waits before it runs, and the next one runs")
    func interruptedPlan() async throws {
        let output = try await run("interrupt_plan.py", deployment.home.path(of: "plan"))
        #expect(output == "GetSchema interrupted [(5,)]\nCount interrupted [(5,)]\n")
    }

    @Test("a connection that is cut at any byte is an error, and leaves nothing behind")
    func cut() async throws {
        let helper = try await start(rows: 5000)
        let server: JSONObject = ["endpoint": .string("sample")]
        let read: JSONObject = ["server": .object(server), "table": .string("T"), "limit": .integer(1)]
        _ = try helper.connect().rows("Read", read)
        try await eventually { try await deployment.json("adapter", "list") == [] }
        let process = try await helper.pid()
        let before = try await belongings(of: process)
        let output = try await run("cut_replies.py", helper.socket, deployment.home.path(of: "relay.sock"))
        // Before byte 300 no statement can have had its rows; later only the end of the last reply may be lost.
        let words = output.split(whereSeparator: \.isWhitespace)
        try #require(words.count == 4, "\(output)")
        #expect((Int(words[1]) ?? 0) >= 301 + 50, "\(output)")
        #expect((Int(words[3]) ?? 0) >= 150, "\(output)")
        try await eventually { try await deployment.json("adapter", "list") == [] }
        try await eventually { try await belongings(of: process) == before }
    }

    @Test("a key or a limit reads a few rows of the server, and not the table")
    func read() async throws {
        let helper = try await start(rows: 60_000)
        _ = try helper.connect().call("ListPending", [:])
        let process = try await helper.pid()
        func bytesRead() async throws -> Int {
            let text = try await Command(["sed", "-n", "s/^rchar: //p", "/proc/\(process)/io"]).succeed()
            return try #require(Int(text.split(separator: "\n")[0]))
        }
        for (statement, expected, most) in [
            ("select Name from t where Id = 5;", "row 5\n", 30_000),
            ("select Id from t order by Id desc limit 10;", (0..<10).map { "\(60_000 - $0)\n" }.joined(), 30_000),
            ("select count(*) from t;", "60000\n", Int.max),
        ] {
            let before = try await bytesRead()
            let table = "create virtual table temp.t using relativity('sample', 'T');"
            let input = [".load \(extensionPath)", table, statement].joined(separator: "\n")
            let shell = Command(["sqlite3", "-bail", ":memory:"], environment: deployment.environment)
            #expect(try await shell.succeed(input: input) == expected)
            let count = try await bytesRead() - before
            #expect(count < most, "\(statement) \(count) bytes")
            if most == .max { #expect(count > 300_000, "the measure sees what is read: \(count) bytes") }
        }
    }
}
