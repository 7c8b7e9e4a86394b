// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A server with 8-bit text, a row for each byte beyond ASCII: the byte in S, and `w` with the byte's number in W.
@Suite("Text in code pages from the command line", .timeLimit(.minutes(5)))
struct CodePageTests {
    private static let fields = [
        "name = 'Id', type = 'Integer', key = true", "name = 'S', type = 'String', size = 10",
        "name = 'W', type = 'WideString', size = 10",
    ]

    private let deployment = Deployment()

    @discardableResult
    private func start() async throws -> Supervised {
        let sql = """
            create table t (Id integer primary key, S text, W text);
            with recursive b(n) as (select 128 union all select n + 1 from b where n < 255)
            insert into t select n, 'a,"' || char(n) || char(10) || 'z', 'w' || n from b;
            """
        return try await deployment.startWithLogin(deployment.tableOptions(Self.fields, sql: sql)).daemon
    }

    private func setPage(_ page: String) async throws {
        try await deployment.success("endpoint", "set", "sample", "--code-page", page, "-q")
    }

    /// The texts of S by key.
    private func texts(_ options: String...) async throws -> [Int64: String] {
        let words = ["table", "get", "sample", "T", "--format", "jsonl", "-q"] + options
        let output = try await deployment.relctl(words)
        try #require(output.status == 0, "\(output)")
        var texts: [Int64: String] = [:]
        for line in output.standardOutput.split(separator: "\n") {
            let object = try #require(JSONValue(parsing: String(line)).objectValue)
            texts[try object.integer("Id")] = try object.string("S")
        }
        return texts
    }

    private func imported(_ text: String, _ options: String...) async throws -> Command.Output {
        try await deployment.relctl(["table", "import", "sample", "T", "-"] + options, input: text)
    }

    @Test("UTF-8 is read, found, printed and imported without a change")
    func utf8() async throws {
        try await start()
        let database = deployment.home.path(of: "shop.sqlite")
        // An o with a diaeresis, and a euro sign.
        let sql = "delete from t; insert into t values (1, char(195, 182, 226, 130, 172), 'w')"
        _ = try await Command(["sqlite3", database, sql]).succeed()
        try await setPage("utf-8")
        #expect(try await texts("--where", "S == 'ö€'") == [1: "ö€"])
        let printed = try await deployment.success("table", "get", "sample", "T", "--format", "csv", "-q")
        #expect(try await imported(printed).standardOutput == "0 inserted, 1 unchanged\n")
        #expect(try await imported("Id,S\r\n1,€\r\n").standardOutput == "0 inserted, 1 updated\n")
        let stored = "select unicode(S), length(S) from t"
        #expect(try await Command(["sqlite3", database, stored]).succeed() == "226|3\n")
    }

    @Test(
        "the Data API finds, shows and writes text in the page",
        .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate")
    )
    func dataAPI() async throws {
        try await start()
        try await setPage("cp437")
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()
        func found(_ condition: String) throws -> [[JSONValue]] {
            try client.rows(
                "Read",
                ["server": ["endpoint": "sample"], "table": "T", "where": .string(condition), "fields": ["Id", "S"]]
            ).rows
        }
        #expect(try found("S == 'a,\"ö\nz'") == [[148, "a,\"ö\nz"]])
        let edits: JSONValue = [
            ["action": "update", "table": "T", "where": "S BEGINSWITH 'a,\"ö'", "values": ["S": "Köln"]],
            [
                "action": "update", "table": "T", "key": ["Id": 129], "values": ["S": "ß"],
                "expected": ["S": "a,\"ü\nz"],
            ],
        ]
        let reply = try client.call("Edit", ["server": ["endpoint": "sample"], "edits": edits])
        #expect(reply["error"] == nil, "\(reply)")
        #expect(try found("S IN ('Köln', 'ß')") == [[129, "ß"], [148, "Köln"]])
        let refused: JSONValue = [["action": "update", "table": "T", "key": ["Id": 130], "values": ["S": "漢"]]]
        let error = try client.call("Edit", ["server": ["endpoint": "sample"], "edits": refused])
        #expect(error["error"] == "org.relativityd.Data.EditRefused", "\(error)")
        let stored = "select hex(cast(S as blob)) from t where Id in (129, 148)"
        let bytes = try await Command(["sqlite3", deployment.home.path(of: "shop.sqlite"), stored]).succeed()
        #expect(bytes == "C3A1\n4BC2946C6E\n")
    }

    @Test(
        "a page that is not known, from the file of another version, is an error and never Latin-1",
        .enabled(if: Requirement.allMet([.program("systemd-socket-activate")], for: "data"), "systemd-socket-activate")
    )
    func unknownPage() async throws {
        let earlier = try await start()
        try await setPage("cp437")
        try await earlier.end()
        let file = deployment.home.path(of: "data/relativityd/endpoints.json")
        let text = TextFile.text(of: file)
        try #require(text.contains("cp437"))
        try #require(TextFile.write(text.replacing("cp437", with: "klingon"), to: file))
        _ = try await deployment.startDaemon()
        let unlocked = try await deployment.relctl(
            ["vault", "unlock", "--passphrase-stdin"],
            input: Deployment.passphrase + "\n"
        )
        try #require(unlocked.status == 0, "\(unlocked)")
        let read = try await deployment.relctl("table", "get", "sample", "T")
        #expect(read.status == 64 && read.standardError.contains("klingon"), "\(read)")
        let helper = try await DataHelper(deployment)
        let client = try helper.connect()
        let server: JSONObject = ["endpoint": "sample"]
        let edits: JSONValue = [["action": "update", "table": "T", "key": ["Id": 148], "values": ["S": "Köln"]]]
        client.send("Read", ["server": .object(server), "table": "T"], more: true)
        for reply in [try client.reply(), try client.call("Edit", ["server": .object(server), "edits": edits])] {
            #expect(reply["error"] == "org.relativityd.Data.Unsupported", "\(reply)")
        }
    }

    @Test(
        "relctl table browse shows and filters text in the page",
        .enabled(if: Requirement.allMet([.program("tmux")], for: "relctl table browse"), "needs tmux")
    )
    func browse() async throws {
        try await start()
        let sql = "update t set S = 'K' || char(148) || 'ln' where Id = 148"
        _ = try await Command(["sqlite3", deployment.home.path(of: "shop.sqlite"), sql]).succeed()
        try await setPage("cp437")
        let terminal = try await TmuxSession(deployment)
        try await terminal.enter("relctl table browse sample T --where \"S BEGINSWITH 'Kö'\"")
        try await terminal.wait(for: "Köln", "w148", "q quit")
        try await terminal.keys("q")
        try await terminal.waitForShell()
    }

    @Test("condition, key, edit, pending change, briefcase and local SQL find and show the same text")
    func oneText() async throws {
        try await start()
        try await setPage("cp437")
        // 0x94 is an o with a diaeresis, 0x81 a u.
        let text = "a,\"ö\nz"
        let condition = "S == 'a,\"ö\nz'"
        #expect(try await texts("--where", condition) == [0x94: text])
        let explained = try await deployment.relctl("table", "get", "sample", "T", "--where", "S == 'ö'", "--explain")
        #expect(
            explained.standardOutput == "sent: a request for all rows and fields\nevaluated here: S == 'ö'\n",
            "\(explained)"
        )
        let update = ["table", "update", "sample", "T", "--where", "S BEGINSWITH 'a,\"ö'", "S=Grün"]
        let dry = try await deployment.relctl(update + ["--dry-run"])
        #expect(dry.standardOutput.contains("ö\\u{A}z' -> 'Grün'"), "\(dry)")
        let pending = deployment.home.path(of: "p")
        #expect(try await deployment.relctl(update + ["--pending", pending]).status == 0)
        let listed = try await deployment.relctl("table", "pending", "list", pending)
        #expect(listed.standardOutput.contains("ö\\u{A}z' -> 'Grün'"), "\(listed)")
        let applied = try await deployment.relctl("table", "apply", "sample", "--pending", pending)
        #expect(applied.status == 0, "\(applied)")
        #expect(try await texts("--where", "S == 'Grün'") == [0x94: "Grün"])
        let stored = "select hex(cast(S as blob)) from t where Id = 148"
        // The sample server has a character for each byte.
        let bytes = try await Command(["sqlite3", deployment.home.path(of: "shop.sqlite"), stored]).succeed()
        #expect(bytes == "4772C2816E\n")
        let local = ["sql", "-t", "t=sample:T", "select Id from t where S = 'Grün'", "--format", "csv", "-q"]
        #expect(try await deployment.relctl(local).standardOutput == "Id\r\n148\r\n")
        let server = try await deployment.relctl("sql", "sample", "select Id from T where S = 'Grün'")
        #expect(server.status == 64 && server.standardError.contains("cp437"), "\(server)")
        let ascii = try await deployment.relctl("sql", "sample", "select Id from T where W = 'w148'", "--format", "csv")
        #expect(ascii.standardOutput == "Id\r\n148\r\n", "\(ascii)")
        let briefcase = deployment.home.path(of: "b.daBriefcase")
        #expect(try await deployment.relctl("briefcase", "save", "sample", "T", "--to", briefcase).status == 0)
        try await setPage("")
        let load = ["briefcase", "load", briefcase, "T", "--where", "S == 'Grün'", "--select", "S", "--format", "csv"]
        #expect(try await deployment.relctl(load).standardOutput == "S\r\nGrün\r\n")
        let edit = ["table", "update", "sample", "T", "148", "S=Köln", "--pending", briefcase]
        #expect(try await deployment.relctl(edit).status == 0)
        let kept = try await deployment.relctl("table", "pending", "list", briefcase)
        #expect(kept.standardOutput.contains("'Grün' -> 'Köln'"), "\(kept)")
        try await setPage("cp437")
        let refreshed = try await deployment.relctl("briefcase", "refresh", "sample", briefcase, "--apply")
        #expect(refreshed.status == 0, "\(refreshed)")
        #expect(try await texts("--where", "Id = 148") == [148: "Köln"])
    }

    @Test("a character that the page does not have is refused before anything is sent")
    func unmappable() async throws {
        try await start()
        try await setPage("cp437")
        let before = try await texts()
        let lines = "Id,S\r\n128,ok\r\n129,漢\r\n500,neu\r\n"
        for input in [["-"], [deployment.home.path(of: "lines.csv")]] {
            deployment.home.write(Array(lines.utf8), to: "lines.csv")
            let refused = try await deployment.relctl(["table", "import", "sample", "T"] + input, input: lines)
            #expect(refused.status == 15 && refused.standardOutput == "0 inserted, 1 failed\n", "\(refused)")
            #expect(
                refused.standardError.contains(":3: T: field \"S\": cp437 has no character \"漢\" (U+6F22)"),
                "\(refused)"
            )
            #expect(refused.standardError.contains("nothing was sent"), "\(refused)")
        }
        for words in [["update", "sample", "T", "128", "S=漢"], ["get", "sample", "T", "--where", "S == '漢'"]] {
            let refused = try await deployment.relctl(["table"] + words)
            #expect(refused.status == 64 && refused.standardError.contains("cp437 has no character"), "\(refused)")
        }
        #expect(try await texts() == before)
        let wide = try await deployment.relctl("table", "update", "sample", "T", "128", "W=漢")
        #expect(wide.status == 0, "\(wide)")
    }

    @Test("a cell with a byte without a character is shown, and never replaced")
    func unreadable() async throws {
        try await start()
        try await setPage("windows-1252")
        let row = "row Id=129, field \"S\": windows-1252 has no character for the byte 0x81"
        #expect(try await texts("--where", "Id = 129")[129] == "a,\"\u{FFFD}\nz")
        let printed = try await deployment.success("table", "get", "sample", "T", "--format", "csv", "-q")
        let commands: [(words: [String], input: String)] = [
            (["table", "get", "sample", "T", "--where", "S == 'x'", "--local"], ""),
            (["table", "update", "sample", "T", "129", "S=x"], ""),
            (["table", "update", "sample", "T", "--where", "S LIKE 'é*'", "W=x"], ""),
            (["table", "import", "sample", "T", "-"], printed),
            (["sql", "-t", "t=sample:T", "select S from t"], ""),
        ]
        for (words, input) in commands {
            let refused = try await deployment.relctl(words, input: input)
            #expect(refused.status != 0 && refused.standardError.contains(row), "\(words) \(refused)")
        }
        let stored = "select hex(cast(S as blob)) from t where Id = 129"
        let database = deployment.home.path(of: "shop.sqlite")
        let before = try await Command(["sqlite3", database, stored]).succeed()
        let other = try await deployment.relctl("table", "update", "sample", "T", "129", "W=x")
        #expect(other.status == 0, "\(other)")
        #expect(try await Command(["sqlite3", database, stored]).succeed() == before)
        let local = try await deployment.relctl(
            ["sql", "-t", "t=sample:T", "select W from t where Id = 129", "--format", "csv"]
        )
        #expect(local.standardOutput == "W\r\nx\r\n", "\(local)")
        #expect(try await deployment.relctl("table", "delete", "sample", "T", "129").status == 0)
    }
}
