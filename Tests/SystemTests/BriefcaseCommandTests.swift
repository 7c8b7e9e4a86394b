// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Briefcases from the command line", .timeLimit(.minutes(3)))
struct BriefcaseCommandTests {
    private let deployment = Deployment()

    private func rows(_ path: String, _ options: String...) async throws -> [String] {
        let words = ["briefcase", "load", path, "Deps", "--format", "csv", "-q"] + options
        let output = try await deployment.relctl(words)
        try #require(output.status == 0, "\(output)")
        let text = output.standardOutput
        return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test("tables are saved, changed offline, refreshed with their changes, and compared", arguments: [false, true])
    func lifeCycle(isFolder: Bool) async throws {
        let started = try await deployment.startWithLogin()
        let path = deployment.home.path(of: "b")
        let save = ["briefcase", "save", "sample", "Deps", "Users", "--to", path] + (isFolder ? ["--folder"] : [])
        let saved = try await deployment.relctl(save + ["--version", "1", "--property", "a=b=c"])
        #expect(saved.standardOutput == "TABLE  ROWS  PENDING\nDeps   4     0\nUsers  30    0\n", "\(saved)")
        let shown = try await deployment.json("briefcase", "show", path).objectValue?.object("briefcase")
        #expect(try shown?.object("properties").string("a") == "b=c")
        #expect(try shown?.string("version") == "1" && shown?.string("form") == (isFolder ? "folder" : "file"))
        #expect(try (0...60).contains(shown?.integer("ageSeconds") ?? -1))
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == (isFolder ? 0o700 : 0o600))

        let other = try await deployment.relctl("table", "update", "sample", "Deps", "1", "DepName=Theirs")
        #expect(other.status == 0, "\(other)")
        let diff = ["briefcase", "diff", "sample", path]
        let differs = try await deployment.relctl(diff)
        #expect(differs.status == 17, "\(differs)")
        #expect(differs.standardOutput == "Deps: ~ 1: DepName Sales -> Theirs\n", "\(differs)")
        let one = try await deployment.relctl(diff + ["Users"])
        #expect(one.status == 0 && one.standardOutput.isEmpty, "\(one)")
        if isFolder {
            // The changes are a pending file.
            let pending = ["--pending", path + "/Changes.pending", "-q"]
            for words in [["update", "sample", "Deps", "2", "DepName=Mine"], ["delete", "sample", "Deps", "3"]] {
                let kept = try await deployment.relctl(["table"] + words + pending)
                #expect(kept.status == 0, "\(kept)")
            }
            let theirs = try await deployment.relctl("table", "update", "sample", "Deps", "2", "DepName=Theirs", "-q")
            #expect(theirs.status == 0, "\(theirs)")
        }
        try await started.server.end()
        // The server is away.
        let names = ["1,Sales,+1 555 0100", isFolder ? "2,Mine,+1 555 0101" : "2,Support,+1 555 0101"]
        #expect(try await rows(path, "--where", "DepId < 3", "--sort", "DepId") == names)
        #expect(try await rows(path, "--version", "1", "--limit", "2").count == 2)
        let away = try await deployment.relctl("briefcase", "refresh", "sample", path)
        #expect(away.status != 0 && away.standardOutput.isEmpty, "\(away)")
        #expect(try await rows(path).count == (isFolder ? 3 : 4))
        try await started.daemon.end()
    }

    @Test("a refresh keeps changes and names conflicts; what is no briefcase is not touched")
    func refresh() async throws {
        let started = try await deployment.startWithLogin()
        let path = deployment.home.path(of: "b.briefcase")
        try await deployment.success("briefcase", "save", "sample", "Deps", "--to", path, "--folder", "-q")
        let pending = ["--pending", path + "/Changes.pending", "-q"]
        let kept = try await deployment.relctl(["table", "update", "sample", "Deps", "2", "DepName=Mine"] + pending)
        #expect(kept.status == 0, "\(kept)")
        let theirs = try await deployment.relctl("table", "update", "sample", "Deps", "2", "DepName=Theirs", "-q")
        #expect(theirs.status == 0, "\(theirs)")
        let refreshed = try await deployment.relctl("briefcase", "refresh", "sample", path, "--version", "5")
        #expect(refreshed.status == 15, "\(refreshed)")
        #expect(refreshed.standardOutput == "TABLE  ROWS  PENDING\nDeps   4     1\n", "\(refreshed)")
        let note = "relctl: note: Deps DepId=2: the server changed DepName too; the pending change stays\n"
        #expect(refreshed.standardError == note, "\(refreshed)")
        #expect(try await rows(path, "--where", "DepId = 2", "--version", "5") == ["2,Mine,+1 555 0101"])
        let again = try await deployment.relctl("briefcase", "save", "sample", "Deps", "--to", path, "--folder")
        #expect(again.status == 1 && again.standardError.contains("has pending changes"), "\(again)")
        let apply = ["table", "apply", "sample", "--force"] + pending
        #expect(try await deployment.relctl(apply).status == 0)
        try await deployment.success("briefcase", "refresh", "sample", path, "-q")
        #expect(try await deployment.relctl("briefcase", "diff", "sample", path).status == 0)

        for (name, text) in [("text.daBriefcase", "DABIN"), ("note", "note")] {
            deployment.home.write(Array(text.utf8), to: name)
            let file = deployment.home.path(of: name)
            for words in [["delete", file], ["save", "sample", "Deps", "--to", file], ["refresh", "sample", file]] {
                let refused = try await deployment.relctl(["briefcase"] + words)
                #expect(refused.status != 0, "\(refused)")
            }
            #expect(deployment.home.content(of: name) == Array(text.utf8))
        }
        mkdir(deployment.home.path(of: "d"), 0o700)
        deployment.home.write(Array("note".utf8), to: "d/note")
        let folder = try await deployment.relctl("briefcase", "delete", deployment.home.path(of: "d"), "--force")
        #expect(folder.status == 64 && folder.standardError.contains("is no briefcase"), "\(folder)")
        #expect(deployment.home.names(in: "d") == ["note"])
        let reserved = ["briefcase", "save", "sample", "Deps", "--to", deployment.home.path(of: "c")]
        #expect(try await deployment.relctl(reserved + ["--property", "Saved=now"]).status == 64)
        #expect(access(deployment.home.path(of: "c"), F_OK) != 0)
        let list = try await deployment.relctl("briefcase", "list", deployment.home.path)
        #expect(list.standardOutput.contains("\nb.briefcase  5 "), "\(list)")
        #expect(list.standardError.contains("text.daBriefcase: "), "\(list)")
        try await started.daemon.end()
    }

    @Test("a refresh applies pending changes, names conflicts, and downloads again")
    func refreshApplies() async throws {
        let started = try await deployment.startWithLogin()
        let path = deployment.home.path(of: "b.briefcase")
        try await deployment.success("briefcase", "save", "sample", "Deps", "Users", "--to", path, "--folder", "-q")
        let refresh = ["briefcase", "refresh", "sample", path]
        #expect(try await deployment.relctl(refresh + ["--force"]).status == 64)
        let nothing = try await deployment.relctl(refresh + ["--apply"])
        #expect(nothing.status == 0, "\(nothing)")
        #expect(nothing.standardOutput == "TABLE  ROWS  PENDING\nDeps   4     0\nUsers  30    0\n", "\(nothing)")

        let pending = ["--pending", path + "/Changes.pending", "-q"]
        for words in [
            ["update", "Deps", "1", "DepName=Mine"], ["update", "Deps", "2", "DepName=Mine"], ["delete", "Deps", "3"],
        ] {
            let kept = try await deployment.relctl(["table", words[0], "sample"] + words.dropFirst() + pending)
            #expect(kept.status == 0, "\(kept)")
        }
        try await deployment.success("table", "update", "sample", "Deps", "2", "DepName=Theirs", "-q")
        let partly = try await deployment.relctl(refresh + ["--apply"])
        #expect(partly.status == 15, "\(partly)")
        let table = "TABLE  ROWS  PENDING\nDeps   3     1\nUsers  30    0\n"
        #expect(partly.standardOutput.hasSuffix(table), "\(partly)")
        #expect(partly.standardOutput.contains("updated Deps DepId=1\n"), "\(partly)")
        #expect(partly.standardOutput.contains("deleted Deps DepId=3\n"), "\(partly)")
        let conflict = "relctl: error: Deps DepId=2: another client changed the row; --force overwrites it\n"
        #expect(partly.standardError.contains(conflict), "\(partly)")
        #expect(!partly.standardError.contains("stays"), "the conflict is named once: \(partly)")
        #expect(try await rows(path, "--where", "DepId < 3", "--select", "DepName") == ["Mine", "Mine"])
        let server = ["--where", "DepId < 4", "--sort", "DepId", "--select", "DepName", "--format", "csv", "-q"]
        let get = try await deployment.relctl(["table", "get", "sample", "Deps"] + server)
        #expect(get.standardOutput == "DepName\r\nMine\r\nTheirs\r\n")

        let forced = try await deployment.relctl(refresh + ["--apply", "--force", "--json"])
        #expect(forced.status == 0, "\(forced)")
        let text = forced.standardOutput
        #expect(text.contains(#""outcome":"accepted""#) && text.contains(#""pending":0"#), "\(forced)")
        #expect(deployment.home.names(in: "b.briefcase").contains("Changes.pending") == false)
        #expect(try await deployment.relctl("briefcase", "diff", "sample", path).status == 0)

        // A change of a table that the briefcase does not have is not applied.
        let alone = deployment.home.path(of: "u.briefcase")
        try await deployment.success("briefcase", "save", "sample", "Users", "--to", alone, "--folder", "-q")
        let other = ["--pending", alone + "/Changes.pending", "-q"]
        let kept = try await deployment.relctl(["table", "update", "sample", "Deps", "1", "DepName=Other"] + other)
        #expect(kept.status == 0, "\(kept)")
        let refused = try await deployment.relctl("briefcase", "refresh", "sample", alone, "--apply")
        #expect(refused.status == 64 && refused.standardError.contains("changes of Deps are pending"), "\(refused)")
        #expect(deployment.home.names(in: "u.briefcase").contains("Changes.pending"))
        try await started.daemon.end()
    }

    @Test("a briefcase is edited without the server, and the changes are applied later", arguments: [false, true])
    func offlineEdits(isFolder: Bool) async throws {
        let started = try await deployment.startWithLogin()
        let path = deployment.home.path(of: "b")
        let save = ["briefcase", "save", "sample", "Deps", "--to", path, "-q"] + (isFolder ? ["--folder"] : [])
        #expect(try await deployment.relctl(save).status == 0)
        try await started.daemon.end()

        func edit(_ words: String...) async throws -> (status: Int32, error: String) {
            let output = try await deployment.relctl(
                ["table", words[0], "sample"] + words.dropFirst() + ["--pending", path]
            )
            return (output.status, output.standardError)
        }
        #expect(try await edit("update", "Deps", "2", "DepName=Mine").status == 0)
        #expect(try await edit("delete", "Deps", "--where", "DepName = 'Mine'", "--dry-run").status == 0)
        #expect(try await edit("delete", "Deps", "3").status == 0)
        #expect(try await edit("insert", "Deps", "DepName=New").status == 0)
        #expect(try await edit("update", "Deps", "--where", "DepName = 'New'", "DepPhone=5").status == 0)
        let several = try await edit("update", "Deps", "--where", "DepId < 3", "DepPhone=7")
        #expect(several.status != 0 && several.error.contains("3 rows"), "\(several)")
        for (words, error) in [
            (["update", "Deps", "3", "DepName=x"], "no row"), (["update", "Nothing", "3", "a=x"], "no table Nothing"),
            (["update", "Deps", "1", "Other=x"], "Other"),
        ] {
            let output = try await deployment.relctl(
                ["table", words[0], "sample"] + words.dropFirst() + ["--pending", path]
            )
            #expect(output.status != 0 && output.standardError.contains(error), "\(output)")
        }
        #expect(try await rows(path, "--sort", "DepId", "--select", "DepName,DepPhone").first == "New,5")
        #expect(try await edit("update", "Deps", "1", "DepName=Wrong").status == 0)
        #expect(try await deployment.relctl("table", "pending", "drop", path, "9").status == 11)
        let listed = try await deployment.relctl("table", "pending", "list", path)
        let lines = listed.standardOutput.split(separator: "\n")
        let wrong = try #require(lines.firstIndex { $0.contains("DepName: 'Sales' -> 'Wrong'") }, "\(listed)")
        let number = String(lines[wrong - 1].prefix { $0 != "." })
        #expect(try await deployment.relctl("table", "pending", "drop", path, number).status == 0)
        let left = try await deployment.relctl("table", "pending", "list", path).standardOutput
        #expect(left.contains("delete Deps DepId=3") && !left.contains("Wrong"), "\(left)")
        let names = ["2,Mine,+1 555 0101"]
        #expect(try await rows(path, "--where", "DepId = 2 OR DepId = 3") == names)

        let daemon = try await deployment.startDaemon()
        try await deployment.success("vault", "unlock", "--passphrase-stdin", input: Deployment.passphrase + "\n")
        let applied = try await deployment.relctl("briefcase", "refresh", "sample", path, "--apply")
        #expect(applied.status == 0, "\(applied)")
        #expect(applied.standardOutput.hasSuffix("TABLE  ROWS  PENDING\nDeps   4     0\n"), "\(applied)")
        #expect(try await rows(path, "--where", "DepName = 'New' AND DepId > 4 AND DepPhone = '5'").count == 1)
        #expect(try await deployment.relctl("briefcase", "diff", "sample", path).status == 0)
        try await daemon.end()
    }

    @Test(
        "apply sends the changes of a briefcase, which gets the server's rows without a download",
        arguments: [false, true]
    )
    func apply(isFolder: Bool) async throws {
        let started = try await deployment.startWithLogin()
        let path = deployment.home.path(of: "b")
        let save =
            ["briefcase", "save", "sample", "Deps", "Users", "--to", path, "-q"] + (isFolder ? ["--folder"] : [])
        #expect(try await deployment.relctl(save + ["--version", "3", "--property", "a=b"]).status == 0)
        let pending = ["--pending", path]
        for words in [["insert", "DepName=New"], ["update", "1", "DepName=Mine"], ["update", "2", "DepName=Mine"]] {
            let edit = ["table", words[0], "sample", "Deps"] + words.dropFirst() + pending
            #expect(try await deployment.relctl(edit + ["-q"]).status == 0)
        }
        let editor = ["EDITOR": "sed -i 's/^DepPhone = .*/DepPhone = \"5\"/'"]
        let edit = [Products.path(of: "relctl"), "table", "edit", "sample", "Deps", "4"] + pending
        let edited = try await Command(edit, environment: deployment.environment.merging(editor) { $1 }).run()
        #expect(edited.status == 0 && edited.standardOutput.hasPrefix("4 changes pending in "), "\(edited)")
        try await deployment.success("table", "update", "sample", "Deps", "2", "DepName=Theirs", "-q")
        let refused = try await deployment.relctl(save)
        #expect(refused.status == 1 && refused.standardError.contains("--force to drop them"), "\(refused)")

        let apply = ["table", "apply", "sample"] + pending
        let applied = try await deployment.relctl(apply)
        #expect(applied.status == 15 && applied.standardOutput.contains("updated Deps DepId=1\n"), "\(applied)")
        let conflict = "relctl: error: Deps DepId=2: another client changed the row"
        #expect(applied.standardError.contains(conflict), "\(applied)")
        #expect(try await rows(path, "--where", "DepId = 4") == ["4,Accounting,5"])
        #expect(try await rows(path, "--where", "DepName = 'New' AND DepId > 4").count == 1)
        let forced = try await deployment.relctl(apply + ["--force", "--json"])
        #expect(forced.status == 0 && forced.standardOutput.contains(#""outcome":"accepted""#), "\(forced)")
        #expect(try await deployment.relctl("table", "pending", "list", path).standardOutput.isEmpty)
        #expect(try await deployment.relctl("briefcase", "diff", "sample", path).status == 0)

        let update = ["table", "update", "sample", "Deps", "1", "DepName=Lost", "-q"] + pending
        #expect(try await deployment.relctl(update).status == 0)
        #expect(try await deployment.relctl(save + ["--force", "--version", "4"]).status == 0)
        let shown = try await deployment.json("briefcase", "show", path).objectValue?.object("briefcase")
        #expect(try shown?.string("version") == "4" && shown?.object("properties").string("a") == "b")
        #expect(try await rows(path, "--where", "DepId = 1") == ["1,Mine,+1 555 0100"])
        try await started.daemon.end()
    }
}
