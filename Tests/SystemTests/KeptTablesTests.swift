// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Kept tables", .timeLimit(.minutes(3)))
struct KeptTablesTests {
    private let deployment = Deployment()
    private var directory: String { deployment.home.path(of: "state/relativityd/briefcases") }

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
        let names = deployment.home.names(in: "state/relativityd/briefcases")
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
        #expect(wrong.status == 11 && wrong.standardError.contains("Orders is not kept"), "\(wrong)")
        let some = try await deployment.success("briefcase", "unkeep", "sample", "DEPS")
        #expect(some == "no longer kept: Deps\n")
        try await started.daemon.end()
        // Neither the daemon nor the server is needed.
        try await deployment.success("briefcase", "unkeep", "sample", "--schema", "Simple", "-q")
        #expect(try await kept().map(tables) == [["Users 30"]])
        try await deployment.success("briefcase", "unkeep", "sample", "-q")
        #expect(try await kept().isEmpty)
        #expect(deployment.home.names(in: "state/relativityd/briefcases").isEmpty)
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
}
