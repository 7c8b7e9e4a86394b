// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Kept tables", .timeLimit(.minutes(3)))
struct KeptTablesTests {
    private let deployment = Deployment()
    private var directory: String { deployment.home.path(of: "state/relativityd-kept") }

    private func kept() async throws -> [JSONObject] {
        try #require(try await deployment.json("briefcase", "list", "--kept").arrayValue?.compactMap(\.objectValue))
    }

    private func departments(_ path: String, _ condition: String) async throws -> String {
        let load = ["briefcase", "load", path, "Deps", "--where", condition]
        return try await deployment.relctl(load + ["--select", "DepName", "--format", "jsonl"]).standardOutput
    }

    @Test("kept tables are for their owner alone, by service, and are removed without daemon and server")
    func lifeCycle() async throws {
        let started = try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        try await deployment.success("briefcase", "keep", "sample", "deps", "Users", "-q")
        try await deployment.success("briefcase", "keep", "sample", "Deps", "--schema", "Simple", "-q")
        let refused = try await deployment.relctl("briefcase", "keep", "sample", "Nothing", "--service", "Other")
        #expect(refused.status != 0, "\(refused)")
        let sets = try await kept()
        #expect(try sets.map { try $0.string("service") } == ["DataService", "DataService.Simple"])
        let names = deployment.home.names(in: "state/relativityd-kept")
        let areDigests = names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{20}\.briefcase/) != nil }
        #expect(names.count == 2 && areDigests, "\(names)")
        let path = try #require(sets.first).string("path")
        var facts = stat()
        #expect(stat(directory, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
        #expect(stat(path + "/Deps.daBriefcase", &facts) == 0 && facts.st_mode & 0o777 == 0o600)

        let wrong = try await deployment.relctl("briefcase", "unkeep", "sample", "Orders")
        #expect(wrong.status == 11 && wrong.standardError.contains("do not have Orders"), "\(wrong)")
        try await deployment.success("briefcase", "unkeep", "sample", "DEPS")
        try await started.daemon.end()
        try await deployment.success("briefcase", "unkeep", "sample", "--schema", "Simple", "-q")
        #expect(try await kept().map { try $0.objects("tables").map { try $0.string("name") } } == [["Users"]])
        try await deployment.success("briefcase", "unkeep", "sample", "-q")
        #expect(try await kept().isEmpty && deployment.home.names(in: "state/relativityd-kept").isEmpty)
        let gone = try await deployment.relctl("briefcase", "unkeep", "sample")
        #expect(gone.status == 11 && gone.standardError.contains("no tables of 'sample' are kept"), "\(gone)")
    }

    @Test("a refresh goes on after a server that is away, and skips logins that a locked vault has")
    func skips() async throws {
        let started = try await deployment.startWithLogin()
        let other = try await deployment.startServer(data: "other")
        try await deployment.success("add", "away", "127.0.0.1:\(other.port)")
        let login = try await deployment.addLogin(to: "away")
        #expect(login.status == 0, "\(login)")
        try await deployment.success("briefcase", "keep", "away", "Deps", "-q")
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        try await other.program.end()
        try await deployment.success("table", "update", "sample", "Deps", "1", "DepName=New", "-q")

        let refreshed = try await deployment.relctl("briefcase", "refresh", "--kept", "--json")
        #expect(refreshed.status == 12, "\(refreshed)")
        let reply = try JSONValue(parsing: refreshed.standardOutput).objectValue
        let sets = try #require(try reply?.objects("kept"))
        #expect(try sets.map { try $0.string("outcome") } == ["unreachable", "refreshed"], "\(refreshed)")
        let path = try #require(try await kept().last).string("path")
        #expect(try await departments(path, "DepId = 1") == "{\"DepName\":\"New\"}\n")

        try await deployment.success("vault", "lock")
        let locked = try await deployment.relctl("briefcase", "refresh", "--kept")
        #expect(locked.status == 0 && locked.standardOutput.isEmpty, "\(locked)")
        let notes = locked.standardError.split(separator: "\n")
        #expect(notes.count == 2 && notes.allSatisfy { $0.contains(", DataService: not refreshed: ") }, "\(locked)")
        try await started.daemon.end()
        let noDaemon = try await deployment.relctl("briefcase", "refresh", "--kept")
        #expect(noDaemon.status == 69, "\(noDaemon)")
    }

    @Test("a table that the server refuses does not stop the refresh of the others")
    func refusedTable() async throws {
        try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "Users", "-q")
        let before = try #require(try await kept().first)
        let drop = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('drop table Users')"
        _ = try await Command(["python3", "-c", drop, deployment.home.path(of: "server/sample.sqlite")]).succeed()
        try await deployment.success("table", "update", "sample", "Deps", "1", "DepName=New", "-q")

        let refreshed = try await deployment.relctl("briefcase", "refresh", "--kept")
        #expect(refreshed.status == 15, "\(refreshed)")
        #expect(refreshed.standardError.hasPrefix("relctl: error: Users stays as it was: "), "\(refreshed)")
        #expect(refreshed.standardOutput.hasSuffix("Deps   4     0\nUsers  30    0\n"), "\(refreshed)")
        let path = try before.string("path")
        #expect(try await departments(path, "DepId = 1") == "{\"DepName\":\"New\"}\n")
    }

    @Test("a refresh sends a change of a row in which another client changed another field, and none of the same field")
    func otherFields() async throws {
        try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        let update = ["table", "update", "sample", "Deps", "1", "-q"]
        let refresh = ["briefcase", "refresh", "--kept", "--apply"]
        try await deployment.success(update + ["DepPhone=7", "--offline"])
        try await deployment.success(update + ["DepName=Other"])
        let sent = try await deployment.relctl(refresh)
        #expect(sent.status == 0 && sent.standardOutput.contains("updated Deps DepId=1\n"), "\(sent)")
        let load = ["table", "get", "sample", "Deps", "--where", "DepId = 1", "--format", "csv"]
        for place in ["--online", "--offline"] {
            let rows = try await deployment.relctl(load + [place])
            #expect(rows.standardOutput.contains("1,Other,7"), "\(rows)")
        }
        try await deployment.success(update + ["DepPhone=8", "--offline"])
        try await deployment.success(update + ["DepPhone=9"])
        let refused = try await deployment.relctl(refresh)
        #expect(refused.status == 15 && refused.standardError.contains("another client changed the row"), "\(refused)")
        try await deployment.success(refresh + ["--force"])
        #expect(try await deployment.relctl(load).standardOutput.contains("1,Other,8"))
    }

    /// The rows of Deps as `table get` prints them, and its standard error.
    private func get(_ options: String...) async throws -> (rows: [String], error: String, status: Int32) {
        let words = ["table", "get", "sample", "Deps", "--select", "DepName", "--sort", "DepId", "--format", "csv"]
        let output = try await deployment.relctl(words + options)
        let lines = output.standardOutput.split(whereSeparator: \.isNewline).map(String.init)
        return (Array(lines.dropFirst()), output.standardError, output.status)
    }

    @Test("kept tables are read if the server is away, and a warning has their age")
    func fallback() async throws {
        let started = try await deployment.startWithLogin()
        // The session stays open, so that the adapter opens when the server is away.
        try await deployment.success("briefcase", "keep", "sample", "Deps", "Users", "-q")
        try await deployment.success("table", "update", "sample", "Deps", "1", "DepName=New", "-q")
        #expect(try await get("--limit", "2").rows == ["New", "Support"])
        let offline = try await get("--limit", "2", "--offline")
        #expect(offline.rows == ["Sales", "Support"])
        let age = try Regex("relctl: note: the kept tables are [0-9]+ s old, from 20[-0-9]+T[:0-9]+Z\\n")
        #expect(try age.wholeMatch(in: offline.error) != nil, "\(offline)")
        try await started.server.end()

        for daemonKnows in [false, true] {
            let away = try await get("--where", "DepId < 3", "-q")
            #expect(away.status == 0 && away.rows == ["Sales", "Support"], "\(away)")
            #expect(away.error.hasPrefix("relctl: warning: ") && away.error.contains(" s old, from 20"), "\(away)")
            let online = try await get("--online")
            #expect(online.status == 12 && online.rows.isEmpty, "\(online) \(daemonKnows)")
            let other = try await deployment.relctl("table", "get", "sample", "Clients")
            #expect(other.status == 12 && !other.standardError.contains("kept"), "\(other)")
            let after = try await get("--lookup", "x=DepId:Users.Id:Name")
            #expect(after.status == 12 && !after.error.contains("kept"), "\(after)")
            // The daemon forgets the session.
            if !daemonKnows {
                try await deployment.success("vault", "lock", "-q")
                let unlock = ["vault", "unlock", "--passphrase-stdin", "-q"]
                #expect(try await deployment.relctl(unlock, input: Deployment.passphrase + "\n").status == 0)
            }
        }
        let counted = try await deployment.relctl("table", "count", "sample", "Deps", "Users", "--json")
        let count = try #require(try JSONValue(parsing: counted.standardOutput).objectValue)
        #expect(try count.bool("offline") && count.string("saved").hasSuffix("Z"), "\(counted)")
        #expect(try count.objects("counts").map { try $0.integer("rows") } == [4, 30])
        let document = try await deployment.relctl("table", "get", "sample", "Users", "--limit", "1", "--json")
        let rows = try #require(try JSONValue(parsing: document.standardOutput).objectValue)
        #expect(try rows.bool("offline") && rows.array("rows").count == 1, "\(document)")
        let listed = try await deployment.relctl("table", "list", "sample")
        #expect(listed.standardOutput == "TABLE  FIELDS  KEY\nDeps   3       DepId\nUsers  4       Id\n", "\(listed)")
        try await started.daemon.end()
        let noDaemon = try await get("--limit", "1")
        #expect(noDaemon.status == 69, "\(noDaemon)")
        #expect(try await get("--limit", "1", "--offline").rows == ["Sales"])
        let unsupported = try await get("--after", "1", "--offline")
        #expect(unsupported.status == 64, "\(unsupported)")
    }
}
