// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("Edits from the command line", .timeLimit(.minutes(3)))
struct TableEditTests {
    private let deployment = Deployment()

    private func deps() async throws -> [String] {
        let text = try await deployment.success("table", "get", "sample", "Deps", "--format", "csv", "-q")
        return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test("rows are inserted, updated and deleted by key; --dry-run prints the delta and sends nothing")
    func byKey() async throws {
        let started = try await deployment.startWithLogin()
        let insert = ["table", "insert", "sample", "Deps", "DepName=Security", "DepPhone=555"]
        let dry = try await deployment.relctl(insert + ["--dry-run"])
        #expect(
            dry.standardOutput == "insert Deps DepId=-1\n  DepId: -1\n  DepName: 'Security'\n  DepPhone: '555'\n",
            "\(dry)"
        )
        #expect(try await deps().count == 4)
        #expect(try await deployment.relctl(insert).standardOutput == "inserted Deps DepId=5\n")
        let update = ["table", "update", "sample", "Deps", "5", "DepPhone:=null"]
        let shown = try await deployment.relctl(update + ["--dry-run"])
        #expect(shown.standardOutput == "update Deps DepId=5\n  DepPhone: '555' -> NULL\n", "\(shown)")
        #expect(try await deployment.relctl(update).standardOutput == "updated Deps DepId=5\n")
        #expect(try await deployment.relctl(update).standardOutput == "nothing to change\n")
        let file = deployment.home.path(of: "name")
        deployment.home.write(Array("Night, watch".utf8), to: "name")
        let object = try await deployment.json("table", "update", "sample", "Deps", "5", "DepName@\(file)")
        #expect(object.arrayValue?.first?.objectValue?["outcome"] == "accepted", "\(object)")
        #expect(try await deps().last == "5,\"Night, watch\",")
        #expect(try await deployment.relctl("table", "delete", "sample", "Deps", "5").status == 0)
        let gone = try await deployment.relctl("table", "delete", "sample", "Deps", "5")
        #expect(gone.status == 11 && gone.standardError.contains("Deps has no row 5"), "\(gone)")
        let wrong = try await deployment.relctl("table", "update", "sample", "Deps", "1", "Nope=1")
        #expect(wrong.status == 64 && wrong.standardError.contains("no field"), "\(wrong)")
        let taken = try await deployment.relctl("table", "insert", "sample", "Deps", "DepId=1", "DepName=x")
        let note = "relctl: login '\(Deployment.login)', the only one\n"
        #expect(taken.status == 15, "\(taken)")
        #expect(taken.standardError.hasPrefix(note + "relctl: error: Deps DepId=1: "), "\(taken)")
        try await started.daemon.end()
    }

    @Test("several rows need --yes without a terminal")
    func byCondition() async throws {
        let started = try await deployment.startWithLogin()
        let update = ["table", "update", "sample", "Deps", "--where", "DepId < 3", "DepPhone=0"]
        let refused = try await deployment.relctl(update)
        #expect(refused.status == 64 && refused.standardError.contains("2 rows of Deps"), "\(refused)")
        #expect(try await deps()[0] == "1,Sales,+1 555 0100")
        let done = try await deployment.relctl(update + ["--yes"])
        #expect(done.standardOutput == "updated Deps DepId=1\nupdated Deps DepId=2\n", "\(done)")
        let one = try await deployment.relctl("table", "delete", "sample", "Deps", "--where", "DepId = 4")
        #expect(one.status == 0, "\(one)")
        #expect(try await deps() == ["1,Sales,0", "2,Support,0", "3,Development,+1 555 0102"])
        try await started.daemon.end()
    }

    @Test("changes are collected in a file, listed, dropped and applied; conflicts have both sides")
    func pending() async throws {
        let started = try await deployment.startWithLogin()
        let file = deployment.home.path(of: "changes")
        let options = ["--pending", file, "-q"]
        for words in [
            ["insert", "sample", "Deps", "DepName=New"], ["update", "sample", "Deps", "1", "DepName=Mine"],
            ["delete", "sample", "Deps", "2"], ["update", "sample", "Deps", "3", "DepName=Dropped"],
        ] {
            let kept = try await deployment.relctl(["table"] + words + options)
            #expect(kept.status == 0, "\(kept)")
        }
        #expect(try await deps().count == 4)
        let none = ["table", "delete", "sample", "Deps", "--where", "DepId = 99", "--pending", file]
        #expect(try await deployment.relctl(none).standardError.contains("no row matches"))
        // The changes are for the service of this endpoint alone.
        let elsewhere = try await deployment.relctl("table", "apply", "sample", "--service", "Other", "--pending", file)
        #expect(elsewhere.status == 64 && elsewhere.standardError.contains(" are for DataService of "), "\(elsewhere)")
        let list = try await deployment.success("table", "pending", "list", file)
        #expect(list.hasPrefix("1. insert Deps DepId=-1\n") && list.contains("\n4. delete Deps DepId=2\n"), "\(list)")
        #expect(list.contains("\n3. update Deps DepId=3\n"), "\(list)")
        #expect(try await deployment.success("table", "pending", "drop", file, "3") == "1 change dropped\n")
        #expect(try await deployment.relctl("table", "pending", "drop", file, "9").status == 11)
        let other = try await deployment.relctl("table", "update", "sample", "Deps", "1", "DepPhone=theirs")
        #expect(other.status == 0, "\(other)")
        let apply = ["table", "apply", "sample", "--pending", file]
        let applied = try await deployment.relctl(apply)
        #expect(applied.status == 15, "\(applied)")
        #expect(applied.standardOutput == "inserted Deps DepId=5\ndeleted Deps DepId=2\n", "\(applied)")
        #expect(
            applied.standardError == """
                relctl: login '\(Deployment.login)', the only one
                relctl: error: Deps DepId=1: another client changed the row; --force overwrites it
                relctl: error:   DepPhone: it was '+1 555 0100' and is 'theirs'

                """,
            "\(applied)"
        )
        #expect(try await deployment.relctl(apply + ["--force"]).status == 0)
        #expect(access(file, F_OK) != 0)
        #expect(try await deployment.relctl(apply).status == 11)
        #expect(try await deps()[0] == "1,Mine,+1 555 0100")
        try await started.daemon.end()
    }

    @Test("a new row of a pending file has a negative key, and is found by a condition")
    func pendingNewRows() async throws {
        let started = try await deployment.startWithLogin()
        let options = ["--pending", deployment.home.path(of: "changes")]
        func table(_ words: String...) async throws -> Command.Output {
            try await deployment.relctl(["table"] + words + options)
        }
        #expect(try await table("insert", "sample", "Deps", "DepName=New").status == 0)
        let byKey = try await table("update", "sample", "Deps", "-1", "DepPhone=1", "--dry-run")
        #expect(byKey.status == 0 && byKey.standardOutput.hasPrefix("insert Deps DepId=-1\n"), "\(byKey)")
        #expect(try await table("update", "sample", "Deps", "DepId=-1", "DepPhone=2").status == 0)
        let behind = ["table", "update"] + options + ["sample", "Deps", "--", "-1", "DepPhone=3"]
        #expect(try await deployment.relctl(behind).status == 0)
        let several = ["update", "sample", "Deps", "--where", "DepId < 2", "DepPhone=4"]
        let refused = try await deployment.relctl(["table"] + several + options)
        #expect(refused.status == 64 && refused.standardError.contains("2 rows of Deps"), "\(refused)")
        let question = try TerminalSession(
            [Products.path(of: "relctl"), "table"] + several + options,
            environment: deployment.environment
        )
        try await question.answer("Update 2 rows of Deps? [y/N] ", "y")
        try await question.wait(for: "2 changes pending")
        let typing = try await table("update", "sample", "Deps", "1", "DepPhone=4", "--dry-rnu")
        #expect(typing.status == 64 && typing.standardError.contains("--dry-rnu"), "\(typing)")
        #expect(try await table("delete", "sample", "Deps", "-1").status == 0)
        #expect(try await table("delete", "sample", "Deps", "-1", "-2").status == 64)
        let applied = try await deployment.relctl(["table", "apply", "sample"] + options)
        #expect(applied.standardOutput == "updated Deps DepId=1\n", "\(applied)")
        #expect(try await deps()[0] == "1,Sales,4")
        try await started.daemon.end()
    }

    @Test("an argument that is not UTF-8 is refused, before the daemon is asked")
    func notUTF8() async throws {
        let relctl = Products.path(of: "relctl")
        for (words, subject) in [
            ("table insert sample Deps 'DepName=x\\377'", "the value of DepName"), ("table list '\\377'", "argument 3"),
        ] {
            let command = try await Command(["/bin/sh", "-c", "eval \(relctl) $(printf \"\(words)\")"]).run()
            #expect(command.status == 64, "\(command)")
            #expect(command.standardError.hasPrefix("relctl: error: \(subject) is not UTF-8\n"), "\(command)")
        }
        // The character itself is allowed.
        let valid = try await Command([relctl, "table", "list", "\u{FFFD}"], environment: deployment.environment).run()
        #expect(!valid.standardError.contains("UTF-8"), "\(valid)")
    }

    /// A server whose replies to the first calls of UpdateData are lost.
    private func startBehindProxy(cuts: Int) async throws -> (programs: [Supervised], proxy: ChildProcess) {
        let daemon = try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let program = Sources.root + "/Tests/Tools/cutting_proxy.py"
        let proxy = try ChildProcess(["/usr/bin/python3", program, "\(server.port)", "\(cuts)"])
        var port = ""
        for await line in proxy.outputLines(silence: .seconds(30)) {
            port = line
            break
        }
        try await deployment.success("add", "sample", "127.0.0.1:\(port)")
        try await deployment.initialiseVault()
        let login = try await deployment.addLogin()
        #expect(login.status == 0, "\(login)")
        return ([daemon, server.program], proxy)
    }

    @Test("a copy and an import whose reply is lost report how far they came, and name a few lines")
    func lostReplies() async throws {
        let (programs, proxy) = try await startBehindProxy(cuts: 2)
        let copy = ["table", "copy", "sample:Deps", "sample:Deps", "--where", "DepId < 4", "--login", "simple"]
        let copied = try await deployment.relctl(copy)
        #expect(copied.status == 1, "\(copied)")
        #expect(copied.standardOutput == "0 rows copied, 3 rows of unknown outcome\n", "\(copied)")
        #expect(copied.standardError.hasPrefix("relctl: error: the copy ended early: the server may have"), "\(copied)")
        deployment.home.write(Array("DepName\n1\n2\n3\n4\n5\n".utf8), to: "d.csv")
        let words = ["table", "import", "sample", "Deps", deployment.home.path(of: "d.csv"), "--login", "simple"]
        let cut = try await deployment.relctl(words)
        #expect(cut.status == 1 && cut.standardOutput == "0 inserted, 5 of unknown outcome\n", "\(cut)")
        let lines = cut.standardError.split(separator: "\n")
        try #require(lines.count == 5, "\(cut)")
        #expect(lines[2].hasSuffix("d.csv:4: the outcome is unknown"), "\(cut)")
        #expect(lines[3].hasSuffix("d.csv: 2 more lines have an unknown outcome"), "\(cut)")
        #expect(lines[4].contains("d.csv: the import ended early: at line 2: the server may have"), "\(cut)")
        proxy.signal(SIGTERM)
        _ = proxy.wait()
        for program in programs { try await program.end() }
    }

    @Test("a call without a reply is not repeated: the rows of the server are shown, and the user decides")
    func unknownOutcome() async throws {
        let (programs, proxy) = try await startBehindProxy(cuts: 1)
        let file = deployment.home.path(of: "changes")
        try await deployment.success("table", "insert", "sample", "Deps", "DepName=New", "--pending", file)
        let apply = ["table", "apply", "sample", "--pending", file]
        let cut = try await deployment.relctl(apply)
        #expect(cut.status == 1, "\(cut)")
        #expect(cut.standardError.contains("the server may have made the changes or not"), "\(cut)")
        #expect(cut.standardError.contains("note: insert Deps DepId=-1: was made: the row exists\n"), "\(cut)")
        let again = try await deployment.relctl(apply)
        #expect(again.status == 1 && again.standardError.contains("DepId = 5, DepName = 'New'"), "\(again)")
        #expect(try await deployment.success("table", "pending", "list", file).contains("(outcome unknown)"))
        #expect(try await deps().count == 5)
        try await Command(["cp", file, file + "2"]).succeed()
        #expect(try await deployment.success("table", "pending", "drop", file + "2") == "1 change dropped\n")
        #expect(access(file + "2", F_OK) != 0)
        #expect(try await deployment.relctl(apply + ["--retry"]).standardOutput == "inserted Deps DepId=6\n")
        #expect(access(file, F_OK) != 0)
        proxy.signal(SIGTERM)
        _ = proxy.wait()
        for program in programs { try await program.end() }
    }

    @Test("at a terminal, relctl asks before several rows change")
    func question() async throws {
        let started = try await deployment.startWithLogin()
        let words = [Products.path(of: "relctl"), "table", "delete", "sample", "Deps", "--where", "DepId < 3"]
        let first = try TerminalSession(words, environment: deployment.environment)
        try await first.answer("Delete 2 rows of Deps? [y/N] ", "n")
        try await first.wait(for: "nothing was changed")
        #expect(try await deps().count == 4)
        let second = try TerminalSession(words, environment: deployment.environment)
        try await second.answer("Delete 2 rows of Deps? [y/N] ", "y")
        try await second.wait(for: "deleted Deps DepId=2")
        #expect(try await deps().count == 2)
        try await started.daemon.end()
    }

    @Test("a row is edited in an editor, and an unchanged text changes nothing")
    func editor() async throws {
        let started = try await deployment.startWithLogin()
        func edit(_ editor: String) async throws -> Command.Output {
            let words = [Products.path(of: "relctl"), "table", "edit", "sample", "Deps", "4"]
            let environment = deployment.environment.merging(["EDITOR": editor]) { $1 }
            return try await Command(words, environment: environment).run()
        }
        let same = try await edit("true")
        #expect(same.status == 0 && same.standardError.contains("nothing to change"), "\(same)")
        let copy = deployment.home.path(of: "copy")
        let change = "s/^DepPhone = null/DepPhone = \"+4\"/"
        let done = try await edit("f() { cp \"$1\" \(copy); sed -i '\(change)' \"$1\"; }; f")
        #expect(done.standardOutput == "updated Deps DepId=4\n", "\(done)")
        #expect(
            try await Command(["cat", copy]).succeed() == "# DepId = \"4\"\nDepName = \"Accounting\"\nDepPhone = null\n"
        )
        let wrong = try await edit("f() { echo nonsense >> \"$1\"; }; f")
        #expect(wrong.status == 1 && wrong.standardError.contains("line 4"), "\(wrong)")
        let kept = try #require(wrong.standardError.firstMatch(of: /the text is kept in (.+)\/row.toml/)).1
        #expect(try await Command(["tail", "-n", "1", "\(kept)/row.toml"]).succeed() == "nonsense\n")
        #expect(try await Command(["stat", "-c", "%a", "\(kept)", "\(kept)/row.toml"]).succeed() == "700\n600\n")
        let null = try await edit("sed -i 's/\"Accounting\"/null/'")
        #expect(null.status == 64 && null.standardError.contains("the text is kept in "), "\(null)")
        let failed = try await edit("false")
        #expect(failed.status == 1 && !failed.standardError.contains("kept"), "\(failed)")
        let folders = kept.prefix(upTo: try #require(kept.lastIndex(of: "/")))
        #expect(try await Command(["sh", "-c", "ls -d \(folders)/relctl.* | wc -l"]).succeed() == "2\n")
        #expect(try await deps().last == "4,Accounting,+4")
        try await started.daemon.end()
    }

    @Test("at a terminal, relctl asks to edit a text again that is not a row")
    func editAgain() async throws {
        let started = try await deployment.startWithLogin()
        let words = [Products.path(of: "relctl"), "table", "edit", "sample", "Deps", "4"]
        // The first run adds a bad line, the second one mends it.
        let editor = "sed -i -e 's/^nonsense/DepPhone = \"+4\"/; t; s/^DepPhone.*/nonsense/'"
        let session = try TerminalSession(words, environment: deployment.environment.merging(["EDITOR": editor]) { $1 })
        try await session.answer("Edit again? [y/N] ", "y")
        try await session.wait(for: "updated Deps DepId=4")
        #expect(try await session.end().status == 0)
        #expect(try await deps().last == "4,Accounting,+4")
        try await started.daemon.end()
    }

    @Test("a file is imported, with failures by line")
    func imports() async throws {
        let started = try await deployment.startWithLogin()
        deployment.home.write(Array("DepId,DepName\n1,One\nx,Bad\n9,Nine\n".utf8), to: "d.csv")
        let words = ["table", "import", "sample", "Deps", deployment.home.path(of: "d.csv")]
        let dry = try await deployment.relctl(words + ["--dry-run"])
        #expect(dry.standardOutput == "would be: 1 inserted, 1 updated, 1 failed\n", "\(dry)")
        let done = try await deployment.relctl(words)
        #expect(done.status == 15 && done.standardOutput == "1 inserted, 1 updated, 1 failed\n", "\(done)")
        #expect(
            done.standardError.contains("d.csv:3: the value 'x' of Deps.DepId is no AutoInc: expected a whole number"),
            "\(done)"
        )
        deployment.home.write(Array("{\"DepName\":\"Nine\",\"DepPhone\":\"9\"}\n".utf8), to: "d.jsonl")
        let lines = deployment.home.path(of: "d.jsonl")
        let matched = try await deployment.relctl("table", "import", "sample", "Deps", lines, "--match", "DepName")
        #expect(matched.standardOutput == "0 inserted, 1 updated\n", "\(matched)")
        #expect(try await deps().last == "9,Nine,9")
        try await started.daemon.end()
    }

    @Test("a read-only endpoint refuses edits")
    func readOnly() async throws {
        let started = try await deployment.startWithLogin()
        try await deployment.success("endpoint", "set", "sample", "--read-only", "on")
        let refused = try await deployment.relctl("table", "delete", "sample", "Deps", "1")
        #expect(refused.status == 1 && refused.standardError.contains("nothing was changed: "), "\(refused)")
        #expect(try await deps().count == 4)
        try await started.daemon.end()
    }
}
