// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform
import TestSupport
import Testing

@Suite("Large reads from the command line", .timeLimit(.minutes(3)))
struct TableReadTests {
    private let deployment = Deployment()

    /// Enough for a reply that no buffer between the server and the reader holds.
    private static let manyRows = 100_000

    private static func relctl(_ deployment: Deployment, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess([Products.path(of: "relctl")] + arguments, environment: deployment.environment)
    }

    @Test("a reader that pauses for longer than the timeout gets everything", arguments: ["csv", "bin2", "arrow"])
    func slowReader(_ format: String) async throws {
        try await deployment.startWithLogin("--rows", "\(Self.manyRows)", "--compression", "0")
        let get = ["table", "get", "sample", "Users", "--format", format, "--timeout", "1s"]
        let file = deployment.home.path(of: "whole")
        #expect(try await deployment.relctl(get + ["--to", file]).status == 0)
        let child = try Self.relctl(deployment, get)
        let read = try await BlockingWork.run {
            var bytes = child.readOutput()
            sleep(3)
            while true {
                let piece = child.readOutput()
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        }
        #expect(child.wait() == 0)
        #expect(read.count > 2_000_000 && read == TextFile.bytes(of: file))
    }

    @Test("a statement that runs here ends soon after its time, its reader or relctl")
    func localStatement() async throws {
        try await deployment.startWithLogin()
        let numbers = "with recursive c(x) as (select 1 union all select x + 1 from c) select x from c"
        let sql = ["sql", "--local", "sample", numbers]
        let late = try await deployment.relctl(sql + ["--timeout", "1s"])
        #expect(late.status == 75 && late.standardError.contains("did not end within 1 s"), "\(late)")
        let limited = try await deployment.relctl(sql + ["--limit", "2", "--format", "csv"])
        #expect(limited.standardOutput == "x\r\n1\r\n2\r\n", "\(limited)")
        let script = "set -o pipefail; \"$@\" --timeout 10m | head -c 0"
        let unread = try await Command(
            ["timeout", "60", "bash", "-c", script, "bash", Products.path(of: "relctl")] + sql,
            environment: deployment.environment
        ).run()
        #expect(unread.status == 0, "\(unread)")
        let child = try Self.relctl(deployment, sql + ["--timeout", "10m"])
        var helper: Int32?
        try await eventually {
            let text = TextFile.text(of: "/proc/\(child.pid)/task/\(child.pid)/children")
            helper = text.split(separator: " ").first.flatMap { Int32($0) }
            return helper != nil
        }
        child.signal(SIGKILL)
        let pid = try #require(helper)
        try await eventually(within: 20) { access("/proc/\(pid)/exe", F_OK) != 0 }
    }

    @Test("an export that was killed goes on, and gives the same file")
    func resumed() async throws {
        try await deployment.startWithLogin("--rows", "30000")
        let (whole, file) = (deployment.home.path(of: "whole.db"), deployment.home.path(of: "export.db"))
        let export = ["table", "export", "sample", "Deps", "Users", "--page", "500", "-q", "--to"]
        #expect(try await deployment.relctl(["table", "export", "sample", "Deps", "Users", "--to", whole]).status == 0)
        #expect(deployment.requests(of: "DataService.GetData") == 1, "both tables are from one moment")
        let child = try Self.relctl(deployment, export + [file])
        try await eventually {
            var facts = stat()
            return stat("\(file).part", &facts) == 0 && facts.st_size > 150_000
        }
        let helper = TextFile.text(of: "/proc/\(child.pid)/task/\(child.pid)/children").split(separator: " ").first
        kill(try #require(helper.flatMap { Int32($0) }), SIGKILL)
        #expect(try await BlockingWork.run { child.wait() } == 128 + SIGKILL)
        #expect(access(file, F_OK) != 0)
        let sql = "select row_count from relativity_export where name = 'Users'"
        let rows = Int(try await Command(["sqlite3", "\(file).part", sql]).succeed().dropLast()) ?? 0
        #expect((1..<30_000).contains(rows), "\(rows)")
        let resumed = try await deployment.relctl(export + [file, "--resume", "--json"])
        #expect(resumed.status == 0 && resumed.standardOutput.contains(#""total":30000"#), "\(resumed)")
        let (left, right) = try await (dump(whole), dump(file))
        #expect(left == right && left.count > 1_000_000)
        #expect(access("\(file).part", F_OK) != 0)
        let keyless = try await deployment.relctl(export + [file, "--select", "Name"])
        #expect(keyless.status == 64 && keyless.standardError.contains("--select has no "), "\(keyless)")
    }

    private func dump(_ file: String) async throws -> String {
        try await Command(["sqlite3", file, ".dump"]).succeed()
    }

    @Test("a schema without commands shows that its server has none")
    func noCommands() async throws {
        try await deployment.startTable(
            ["name = 'Id', type = 'AutoInc', key = true"],
            sql: "create table t (id integer primary key); insert into t values (1);"
        )
        let options = ["--anonymous", "--service", "Open", "--probe", "--json"]
        let output = try await deployment.relctl(["table", "features", "sample"] + options)
        let features = try #require(JSONValue(parsing: output.standardOutput).objectValue?["features"]?.objectValue)
        #expect(features["commands"] == "no" && features["select"] == "yes", "\(output)")
    }

    @Test("text that is not Unicode is read in the code page of the option, of the endpoint, or as Latin-1 with a note")
    func codePages() async throws {
        try await deployment.startTable(
            ["name = 'Id', type = 'AutoInc', key = true", "name = 'Name', type = 'String', size = 20"],
            sql: "create table t (id integer primary key, name text); "
                + "insert into t values (1, '5 ' || char(128)), (2, 'x');"
        )
        let options = ["--anonymous", "--service", "Open"]
        let get = ["table", "get", "sample", "T", "--select", "Name", "--limit", "1", "--format", "csv"] + options
        func rows(_ more: String...) async throws -> [String] {
            let output = try await deployment.relctl(get + more)
            #expect(output.status == 0, "\(output)")
            return [output.standardOutput, output.standardError]
        }
        let unknown = try await rows()
        #expect(unknown[0] == "Name\r\n5 \u{80}\r\n")
        #expect(unknown[1].hasPrefix("relctl: note: sample: text that is not Unicode is read as Latin-1"))
        #expect(unknown[1].split(separator: "\n").count == 1)
        #expect(try await rows("--where", "Id = 2") == ["Name\r\nx\r\n", ""])
        #expect(try await rows("--code-page", "windows-1252") == ["Name\r\n5 €\r\n", ""])
        for page in ["a b", "klingon", "cp9", "utf-16"] {
            let refused = try await deployment.relctl("endpoint", "set", "sample", "--code-page", page)
            #expect(refused.status == 64 && refused.standardError.contains("windows-1252"), "\(refused)")
        }
        try await deployment.success("endpoint", "set", "sample", "--code-page", "utf8")
        try await deployment.success("endpoint", "set", "sample", "--code-page", "windows-1252")
        #expect(try await rows() == ["Name\r\n5 €\r\n", ""])
        #expect(try await rows("--code-page", "cp437")[0] == "Name\r\n5 Ç\r\n")
        let file = deployment.home.path(of: "t.db")
        let export = try await deployment.relctl(["table", "export", "sample", "T", "-q", "--to", file] + options)
        #expect(export.status == 0 && export.standardError == "", "\(export)")
        #expect(try await Command(["sqlite3", file, "select Name from T where Id = 1"]).succeed() == "5 €\n")
        let shown = try #require(try await deployment.json("show", "sample").objectValue)
        #expect(try shown.string("codePage") == "windows-1252")
        try await deployment.success("endpoint", "set", "sample", "--code-page", "")
        #expect(try await rows() == unknown)
    }

    @Test(
        "the stack trace of a .NET server is shown by --verbose only, and escaped",
        .enabled(if: Requirement.allMet([.program("/usr/bin/python3")], for: "exceptions"), "needs Debian's python3")
    )
    func stackTrace() async throws {
        try await ServerBehindProxy("wrong_reply", in: deployment).prepare("RO107 trace")
        let error = "relctl: error: the server answered with EShop: no rows\n"
        for command in [
            ["table", "get", "sample", "Rows"], ["sql", "sample", "select 1 from Rows"], ["schema", "show", "sample"],
        ] {
            let silent = try await deployment.relctl(command + ["--anonymous"])
            #expect(silent.status == 14 && silent.standardError == error, "\(silent)")
            let verbose = try await deployment.relctl(command + ["--anonymous", "--verbose"])
            let lines = verbose.standardError.split(separator: "\n").dropFirst()
            #expect(verbose.status == 14 && verbose.standardError.hasPrefix(error), "\(verbose)")
            #expect(lines.map { $0.drop { $0 == " " } } == ["at Shop.Service.GetData()", "at \\u{1B}[31mShop.Main()"])
        }
    }

    @Test("rows never replace what is no regular file")
    func specialFiles() async throws {
        try await deployment.startWithLogin()
        let get = ["table", "get", "sample", "Users", "--select", "Id", "--limit", "2", "--format", "csv", "--to"]
        for kind in SpecialFile.allCases {
            let path = deployment.home.path(of: "special-\(kind)")
            try #require(kind.create(at: path))
            let before = SpecialFile.mode(of: path)
            if kind == .fifo {
                let reader = try ChildProcess(["cat", path], environment: deployment.environment)
                #expect(try await deployment.relctl(get + [path]).status == 0)
                let text = try await BlockingWork.run { String(decoding: reader.readOutput(), as: UTF8.self) }
                #expect(text.split(whereSeparator: \.isNewline) == ["Id", "1", "2"])
                #expect(try await BlockingWork.run { reader.wait() } == 0)
            } else {
                #expect(try await deployment.relctl(get + [path]).status == (kind == .device ? 0 : 64))
            }
            #expect(SpecialFile.mode(of: path) == before)
        }
        let (file, link) = (deployment.home.path(of: "rows"), deployment.home.path(of: "link"))
        deployment.home.write([], to: "rows")
        symlink("rows", link)
        #expect(try await deployment.relctl(get + [link]).status == 0)
        #expect(SpecialFile.mode(of: link) & S_IFMT == S_IFLNK && TextFile.text(of: file).hasPrefix("Id"))
    }

    @Test("rows after a key come in the order of the key")
    func after() async throws {
        try await deployment.startWithLogin("--collation", "nocase")
        let shown = ["table", "get", "sample", "Users", "--select", "Id", "--format", "csv"]
        let get = shown + ["--after"]
        let ids = { (output: Command.Output) in output.standardOutput.split(whereSeparator: \.isNewline).dropFirst() }
        #expect(ids(try await deployment.relctl(get + ["27"])) == ["28", "29", "30"])
        #expect(ids(try await deployment.relctl(get + ["5", "--where", "Id > 2", "--limit", "2"])) == ["6", "7"])
        #expect(ids(try await deployment.relctl(get + ["5", "--limit", "0"])) == [])
        let wrong = try await deployment.relctl(get + ["x"])
        #expect(wrong.status == 64 && wrong.standardError.contains("is no value of the field"), "\(wrong)")
        let explained = try await deployment.relctl(get + ["5", "--limit", "2", "--explain"])
        #expect(explained.standardOutput.contains("limit sent: 3\n"), "\(explained)")
        for wrong in [
            ["--by-key", "--sort", "Id"], ["--by-key", "--format", "bin2"], ["--after", "5", "--format", "bin2"],
        ] {
            #expect(try await deployment.relctl(shown + wrong).status == 64, "\(wrong)")
        }
        // Then the order of the server is not that of the key.
        let move = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1]).executescript("create table Moved as select * from Users order by Id desc;"
                "drop table Users; alter table Moved rename to Users")
            """
        _ = try await Command(["python3", "-c", move, deployment.home.path(of: "server/sample.sqlite")]).succeed()
        #expect(ids(try await deployment.relctl(shown + ["--limit", "2"])) == ["30", "29"])
        #expect(ids(try await deployment.relctl(shown + ["--limit", "2", "--by-key"])) == ["1", "2"])
        #expect(ids(try await deployment.relctl(get + ["2", "--limit", "2", "--by-key"])) == ["3", "4"])
    }

    @Test("a terminal shows the bytes received of those expected")
    func progress() async throws {
        // Replies that come later than the line may appear: the first bytes of one show it, however fast the reader is.
        try await deployment.startWithLogin("--rows", "10000", "--compression", "0", "--delay", "300")
        let get = [Products.path(of: "relctl"), "table", "get", "sample", "Users", "--to"]
        for format in ["csv", "bin2"] {
            let file = deployment.home.path(of: "rows.\(format)")
            let terminal = try TerminalSession(get + [file, "--format", format], environment: deployment.environment)
            try await terminal.wait(for: "relctl: ")
            let line = try await terminal.wait(for: " MB, ")
            #expect(line.contains(" of ") && (format == "csv" || !line.contains("rows")), "\(line)")
            #expect(try await terminal.end().status == 0)
        }
    }

    @Test("blobs are exported as files")
    func blobs() async throws {
        try await deployment.startWithLogin()
        try await deployment.success("login", "remove", Deployment.login)
        #expect(try await deployment.addLogin(user: "Data", password: "Relativity").status == 0)
        let export = ["table", "export", "sample", "Products", "--schema", "PCTrade", "-q", "--to"]
        let (inside, outside) = (deployment.home.path(of: "inside.db"), deployment.home.path(of: "outside.db"))
        let folder = deployment.home.path(of: "blobs")
        #expect(try await deployment.relctl(export + [inside]).status == 0)
        #expect(try await deployment.relctl(export + [outside, "--blobs-to", folder]).status == 0)
        let hex = "select hex(Picture) from Products where Picture is not null order by Id"
        let path = "select Picture from Products where Picture is not null order by Id"
        let contents = try await Command(["sqlite3", inside, hex]).succeed().split(separator: "\n")
        let files = try await Command(["sqlite3", outside, path]).succeed().split(separator: "\n")
        #expect(!files.isEmpty && files.count == contents.count)
        for (file, content) in zip(files, contents) {
            #expect(file.hasPrefix(folder + "/Products/"))
            #expect(HexText.encode(TextFile.bytes(of: String(file))).uppercased() == content)
        }
    }
}
