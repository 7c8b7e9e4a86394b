// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import TestSupport
import Testing

@testable import relativityd_data

@Suite("Edits from the command line", .timeLimit(.minutes(3)))
struct TableEditTests {
    private let deployment = Deployment()

    private func deps() async throws -> [String] {
        let text = try await deployment.success("table", "get", "sample", "Deps", "--format", "csv", "-q")
        return text.split(whereSeparator: \.isNewline).dropFirst().map(String.init)
    }

    @Test(
        "edits of one pending file, or of one briefcase, at the same time wait for each other",
        arguments: [false, true]
    )
    func together(isBriefcase: Bool) async throws {
        try await deployment.startWithLogin()
        let file = deployment.home.path(of: isBriefcase ? "changes.daBriefcase" : "changes")
        if isBriefcase { try await deployment.success("briefcase", "save", "sample", "Deps", "--to", file) }
        try await withThrowingTaskGroup(of: Command.Output.self) { group in
            for number in 0..<4 {
                group.addTask { [deployment] in
                    let words = ["table", "insert", "sample", "Deps", "DepName=\(number)", "--pending", file]
                    return try await deployment.relctl(words)
                }
            }
            for try await output in group { #expect(output.status == 0, "\(output)") }
        }
        let list = try await deployment.success("table", "pending", "list", file)
        #expect(list.split(separator: "\n").count { $0.contains("insert") } == 4, "\(list)")
    }

    @Test("a table that does not exist is named with those that do, and so is a data service")
    func unknownNames() async throws {
        try await deployment.startWithLogin()
        for words in [
            ["get", "sample", "Dep"], ["diff", "sample:Deps", "sample:Dep"], ["diff", "sample:Dep", "sample:Deps"],
        ] {
            let unknown = try await deployment.relctl(["table"] + words)
            #expect(unknown.status == 11 && unknown.standardError.contains("no table 'Dep'"), "\(unknown)")
            #expect(unknown.standardError.contains("Deps"), "\(unknown)")
        }
        let statement = try await deployment.relctl("sql", "sample", "select * from Dep")
        #expect(statement.status == 11 && statement.standardError.contains("no table 'Dep'"), "\(statement)")
        let service = try await deployment.relctl("table", "get", "sample", "Deps", "--schema", "Nope")
        #expect(service.standardError.contains("no data service DataService.Nope"), "\(service)")
        let word = try await deployment.relctl("table", "insert", "sample", "Deps", "x")
        #expect(word.status == 64 && word.standardError.contains("hint: relctl table insert --help"), "\(word)")
        let file = try await deployment.relctl("services", "--rodl", "/dev/null")
        #expect(file.status == 64 && file.standardError.contains("/dev/null"), "\(file)")
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
    private func startBehindProxy(cuts: Int) async throws {
        try await ServerBehindProxy("broken_reply", in: deployment).prepare("drop UpdateData \(cuts)")
    }

    @Test("a copy and an import whose reply is lost report how far they came, and name a few lines")
    func lostReplies() async throws {
        try await startBehindProxy(cuts: 2)
        let copy = ["table", "copy", "sample:Deps", "sample:Deps", "--where", "DepId < 4", "--login", "simple"]
        let copied = try await deployment.relctl(copy)
        #expect(copied.status == 18, "\(copied)")
        #expect(copied.standardOutput == "0 rows copied, 3 rows of unknown outcome\n", "\(copied)")
        #expect(copied.standardError.hasPrefix("relctl: error: the copy ended early: the server may have"), "\(copied)")
        deployment.home.write(Array("DepName\n1\n2\n3\n4\n5\n".utf8), to: "d.csv")
        let words = ["table", "import", "sample", "Deps", deployment.home.path(of: "d.csv"), "--login", "simple"]
        let cut = try await deployment.relctl(words)
        #expect(cut.status == 18 && cut.standardOutput == "0 inserted, 5 of unknown outcome\n", "\(cut)")
        let lines = cut.standardError.split(separator: "\n")
        try #require(lines.count == 5, "\(cut)")
        #expect(lines[2].hasSuffix("d.csv:4: the outcome is unknown"), "\(cut)")
        #expect(lines[3].hasSuffix("d.csv: 2 more lines have an unknown outcome"), "\(cut)")
        #expect(lines[4].contains("d.csv: the import ended early: at line 2: the server may have"), "\(cut)")
    }

    @Test("rows that the server did not process are not copied")
    func notProcessed() async throws {
        let columns = [DataColumn("Id", .integer)]
        var table = try DataTable(name: "T", columns: columns)
        for id in 1...3 as ClosedRange<Int64> { try table.append([.integer(id)]) }
        var copy = TableCopy(to: try RemoteDataAdapter(socketPath: "/nonexistent"), table.head, keys: ["Id"])
        try copy.begin(table.head)
        try await copy.add(table.rows, nil)
        var answer = Delta(name: "T", fields: columns, keys: ["Id"])
        for (record, status) in [(2, .failed), (3, .pending)] as [(Int32, DeltaChange.Status)] {
            let values = [DataValue.integer(Int64(record))]
            try answer.append(.insert, recordID: record, old: values, new: values, status: status, message: "no")
        }
        copy.received(DeltaStream([answer]))
        #expect(copy.copied == 1 && copy.failed == 2 && copy.refusals.map(\.key) == ["Id=2", "Id=3"])
        #expect(copy.refusals.map(\.message) == ["no", "not processed"])
    }

    @Test("a call without a reply is not repeated: the rows of the server are shown, and the user decides")
    func unknownOutcome() async throws {
        try await startBehindProxy(cuts: 1)
        let file = deployment.home.path(of: "changes")
        try await deployment.success("table", "insert", "sample", "Deps", "DepName=New", "--pending", file)
        let apply = ["table", "apply", "sample", "--pending", file]
        let cut = try await deployment.relctl(apply)
        #expect(cut.status == 18, "\(cut)")
        #expect(cut.standardError.contains("the server may have made the changes or not"), "\(cut)")
        #expect(cut.standardError.contains("note: insert Deps DepId=-1: was made: the row exists\n"), "\(cut)")
        let again = try await deployment.relctl(apply)
        #expect(again.status == 18 && again.standardError.contains("DepId = 5, DepName = 'New'"), "\(again)")
        #expect(try await deployment.success("table", "pending", "list", file).contains("(outcome unknown)"))
        #expect(try await deps().count == 5)
        try await Command(["cp", file, file + "2"]).succeed()
        #expect(try await deployment.success("table", "pending", "drop", file + "2") == "1 change dropped\n")
        #expect(access(file + "2", F_OK) != 0)
        #expect(try await deployment.relctl(apply + ["--retry"]).standardOutput == "inserted Deps DepId=6\n")
        #expect(access(file, F_OK) != 0)
    }

    @Test("at a terminal, relctl asks before several rows change")
    func question() async throws {
        try await deployment.startWithLogin()
        let words = [Products.path(of: "relctl"), "table", "delete", "sample", "Deps", "--where", "DepId < 3"]
        let first = try TerminalSession(words, environment: deployment.environment)
        try await first.answer("Delete 2 rows of Deps? [y/N] ", "n")
        try await first.wait(for: "nothing was changed")
        #expect(try await deps().count == 4)
        let second = try TerminalSession(words, environment: deployment.environment)
        try await second.answer("Delete 2 rows of Deps? [y/N] ", "y")
        try await second.wait(for: "deleted Deps DepId=2")
        #expect(try await deps().count == 2)
    }

    @Test("a row is edited in an editor, and an unchanged text changes nothing")
    func editor() async throws {
        try await deployment.startWithLogin()
        func edit(_ editor: String) async throws -> Command.Output {
            let words = [Products.path(of: "relctl"), "table", "edit", "sample", "Deps", "4"]
            let environment = deployment.environment.merging(["EDITOR": editor]) { $1 }
            return try await Command(words, environment: environment).run()
        }
        let same = try await edit("true")
        #expect(same.status == 0 && same.standardError.hasSuffix("nothing to change\n"), "\(same)")
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
        let removed = try await edit("rm")
        #expect(removed.status == 11 && removed.standardError.contains("No such file"), "\(removed)")
        let folders = kept.prefix(upTo: try #require(kept.lastIndex(of: "/")))
        #expect(try await Command(["sh", "-c", "ls -d \(folders)/relctl.* | wc -l"]).succeed() == "2\n")
        #expect(try await deps().last == "4,Accounting,+4")
    }

    @Test("at a terminal, relctl asks to edit a text again that is not a row")
    func editAgain() async throws {
        try await deployment.startWithLogin()
        let words = [Products.path(of: "relctl"), "table", "edit", "sample", "Deps", "4"]
        // The first run adds a bad line, the second one mends it.
        let editor = "sed -i -e 's/^nonsense/DepPhone = \"+4\"/; t; s/^DepPhone.*/nonsense/'"
        let session = try TerminalSession(words, environment: deployment.environment.merging(["EDITOR": editor]) { $1 })
        try await session.answer("Edit again? [y/N] ", "y")
        try await session.wait(for: "updated Deps DepId=4")
        #expect(try await session.end().status == 0)
        #expect(try await deps().last == "4,Accounting,+4")
    }
}
