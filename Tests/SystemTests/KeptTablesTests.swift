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

    private func tables(_ set: JSONObject) throws -> [String] {
        try set.objects("tables").map { "\(try $0.string("name")) \(try $0.integer("rows"))" }
    }

    private func departments(_ path: String, _ condition: String) async throws -> String {
        let load = ["briefcase", "load", path, "Deps", "--where", condition]
        return try await deployment.relctl(load + ["--select", "DepName", "--format", "jsonl"]).standardOutput
    }

    @Test("tables are kept, listed, refreshed and removed")
    func lifeCycle() async throws {
        let started = try await deployment.startWithLogin()
        #expect(try await kept().isEmpty)
        let none = try await deployment.relctl("briefcase", "refresh", "--kept")
        #expect(none.status == 0 && none.standardError == "relctl: note: no tables are kept\n", "\(none)")
        let keep = try await deployment.relctl("briefcase", "keep", "sample", "Deps")
        #expect(keep.status == 0 && keep.standardOutput == "TABLE  ROWS  PENDING\nDeps   4     0\n", "\(keep)")
        #expect(keep.standardError.isEmpty, "\(keep)")
        try await deployment.success("briefcase", "keep", "sample", "deps", "Users", "-q")
        try await deployment.success("briefcase", "keep", "sample", "Deps", "--schema", "Simple", "-q")
        let refused = try await deployment.relctl("briefcase", "keep", "sample", "Nothing", "--service", "Other")
        #expect(refused.status != 0, "\(refused)")

        let sets = try await kept()
        #expect(try sets.map { try $0.string("service") } == ["DataService", "DataService.Simple"])
        let set = try #require(sets.first)
        #expect(try tables(set) == ["Deps 4", "Users 30"])
        #expect(try set.string("name") == "sample" && set.string("login") == Deployment.login)
        let names = deployment.home.names(in: "state/relativityd-kept")
        let areDigests = names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{20}\.briefcase/) != nil }
        #expect(names.count == 2 && areDigests, "\(names)")
        var facts = stat()
        #expect(stat(directory, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
        #expect(stat(try set.string("path") + "/Deps.daBriefcase", &facts) == 0 && facts.st_mode & 0o777 == 0o600)

        try await deployment.success("table", "update", "sample", "Deps", "1", "DepName=New", "-q")
        let refreshed = try await deployment.relctl("briefcase", "refresh", "--kept")
        #expect(refreshed.status == 0 && refreshed.standardError.isEmpty, "\(refreshed)")
        let shown = """
            sample, DataService:
            TABLE  ROWS  PENDING
            Deps   4     0
            Users  30    0
            sample, DataService.Simple:
            TABLE  ROWS  PENDING
            Deps   4     0

            """
        #expect(refreshed.standardOutput == shown)
        let path = try set.string("path")
        #expect(try await departments(path, "DepId = 1") == "{\"DepName\":\"New\"}\n")

        let wrong = try await deployment.relctl("briefcase", "unkeep", "sample", "Orders")
        #expect(wrong.status == 11 && wrong.standardError.contains("do not have Orders"), "\(wrong)")
        let some = try await deployment.success("briefcase", "unkeep", "sample", "DEPS")
        #expect(some == "no longer kept: Deps\n")
        try await started.daemon.end()
        // Neither the daemon nor the server is needed.
        try await deployment.success("briefcase", "unkeep", "sample", "--schema", "Simple", "-q")
        #expect(try await kept().map(tables) == [["Users 30"]])
        try await deployment.success("briefcase", "unkeep", "sample", "-q")
        #expect(try await kept().isEmpty)
        #expect(deployment.home.names(in: "state/relativityd-kept").isEmpty)
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
        let started = try await deployment.startWithLogin()
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
        try await started.daemon.end()
    }

    @Test("a refresh names conflicts, and applies what was changed offline if it is told to")
    func conflicts() async throws {
        let started = try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        let path = try #require(try await kept().first).string("path")
        for key in ["1", "2"] {
            let update = ["table", "update", "sample", "Deps", key, "DepName=Mine", "--pending", path, "-q"]
            #expect(try await deployment.relctl(update).status == 0)
        }
        try await deployment.success("table", "update", "sample", "Deps", "2", "DepName=Theirs", "-q")
        let unkept = try await deployment.relctl("briefcase", "unkeep", "sample")
        #expect(unkept.status == 1 && unkept.standardError.contains("2 pending changes would be lost"), "\(unkept)")

        let refreshed = try await deployment.relctl("briefcase", "refresh", "--kept", "--json")
        #expect(refreshed.status == 15, "\(refreshed)")
        let set = try #require(
            try JSONValue(parsing: refreshed.standardOutput).objectValue?.objects("kept").first
        )
        #expect(try set.string("outcome") == "incomplete" && set["changes"] == nil)
        let conflict = try #require(try set.objects("conflicts").first)
        #expect(try conflict.string("kind") == "changed" && conflict.object("key").integer("DepId") == 2)
        let field = try #require(try conflict.objects("fields").first)
        #expect(try field.string("mine") == "Mine" && field.string("theirs") == "Theirs", "\(field)")

        let applied = try await deployment.relctl("briefcase", "refresh", "--kept", "--apply", "--force")
        #expect(applied.status == 0 && applied.standardOutput.contains("updated Deps DepId=1\n"), "\(applied)")
        let get = ["table", "get", "sample", "Deps", "--where", "DepId < 3", "--select", "DepName", "-q"]
        let rows = try await deployment.relctl(get + ["--format", "jsonl"]).standardOutput
        #expect(rows == "{\"DepName\":\"Mine\"}\n{\"DepName\":\"Mine\"}\n", "\(rows)")
        try await started.daemon.end()
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

    @Test("kept tables are edited offline, and a refresh applies the changes")
    func offlineEdits() async throws {
        let started = try await deployment.startWithLogin()
        try await deployment.success("briefcase", "keep", "sample", "Deps", "-q")
        try await started.daemon.end()
        let update = ["table", "update", "sample", "Deps", "2", "DepName=Mine", "--offline"]
        let updated = try await deployment.relctl(update)
        #expect(updated.status == 0 && updated.standardOutput == "1 change pending in the kept tables\n", "\(updated)")
        try await deployment.success("table", "insert", "sample", "Deps", "DepName=New", "--offline", "-q")
        try await deployment.success("table", "delete", "sample", "Deps", "3", "--offline", "-q")
        let edit = ["table", "edit", "sample", "Deps", "4", "--offline"]
        let editor = ["EDITOR": "sed -i 's/^DepName = .*/DepName = \"Written\"/'"]
        let edited = try await Command(
            [Products.path(of: "relctl")] + edit,
            environment: editor.merging(deployment.environment) { $1 }
        ).run()
        #expect(edited.status == 0, "\(edited)")
        let missing = try await deployment.relctl("table", "delete", "sample", "Users", "3", "--offline")
        #expect(missing.status == 11 && missing.standardError.contains("the kept tables do not have Users"))
        let offline = try await get("--offline")
        #expect(offline.rows == ["New", "Sales", "Mine", "Written"], "\(offline)")
        #expect(offline.error.contains("with 4 pending changes"), "\(offline)")
        let count = try await deployment.relctl("table", "count", "sample", "Deps", "--offline", "-q")
        #expect(count.standardOutput == "4\n", "\(count)")

        let daemon = try await deployment.startDaemon()
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        let applied = try await deployment.relctl("briefcase", "refresh", "--kept", "--apply")
        #expect(applied.status == 0, "\(applied)")
        #expect(try await get("--online").rows == ["Sales", "Mine", "Written", "New"])
        #expect(try await get("--offline").rows == ["Sales", "Mine", "Written", "New"])
        try await daemon.end()
    }
}
