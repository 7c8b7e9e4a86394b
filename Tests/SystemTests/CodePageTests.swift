// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

/// A server with 8-bit text, a row for each byte beyond ASCII: the byte in S, and `w` with the byte's number in W.
@Suite("Text in code pages from the command line", .timeLimit(.minutes(3)))
struct CodePageTests {
    private static let catalog = """
        [[domain]]
        name = "DASamples"
        [[domain.schema]]
        name = "Simple"
        database = "shop.sqlite"
        [[domain.schema.table]]
        name = "T"
        source = "t"
        field = [
            { name = "Id", type = "Integer", key = true }, { name = "S", type = "String", size = 10 },
            { name = "W", type = "WideString", size = 10 },
        ]
        [[account]]
        user = "simple"
        password = "simple"
        [[account.right]]
        domain = "DASamples"
        schema = "Simple"
        """

    private let deployment = Deployment()

    private func start() async throws -> (daemon: Supervised, server: Supervised, port: Int) {
        let sql = """
            create table t (Id integer primary key, S text, W text);
            with recursive b(n) as (select 128 union all select n + 1 from b where n < 255)
            insert into t select n, 'a,"' || char(n) || char(10) || 'z', 'w' || n from b;
            """
        _ = try await Command(["sqlite3", deployment.home.path(of: "shop.sqlite"), sql]).succeed()
        deployment.home.write(Array(Self.catalog.utf8), to: "catalog.toml")
        return try await deployment.startWithLogin("--catalog", deployment.home.path(of: "catalog.toml"))
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

    @Test("what is printed in any format is unchanged when it is imported, for each code page and byte")
    func importUnchanged() async throws {
        let started = try await start()
        for page in ["cp437", "cp866", "windows-1252", "iso-8859-15"] {
            try await setPage(page)
            let all = try await texts()
            let readable = all.filter { !$0.value.contains("\u{FFFD}") }.count
            #expect(readable == (page == "windows-1252" ? 123 : 128), "\(page)")
            let broken = all.filter { $0.value.contains("\u{FFFD}") }.map { "W != 'w\($0.key)'" }
            let condition = (["Id > 0"] + broken).joined(separator: " AND ")
            for format in ["csv", "jsonl"] {
                let get = ["table", "get", "sample", "T", "--where", condition, "--format", format, "-q"]
                let printed = try await deployment.relctl(get)
                try #require(printed.status == 0, "\(printed)")
                let words = ["table", "import", "sample", "T", "-"]
                let imported = try await deployment.relctl(words, input: printed.standardOutput)
                #expect(
                    imported.standardOutput == "0 inserted, \(readable) unchanged\n",
                    "\(page) \(format) \(imported)"
                )
            }
        }
        try await started.daemon.end()
    }

    @Test("condition, key, edit, pending change, briefcase and local SQL find and show the same text")
    func oneText() async throws {
        let started = try await start()
        try await setPage("cp437")
        // 0x94 is an o with a diaeresis, 0x81 a u.
        let text = "a,\"ö\nz"
        let condition = "S == 'a,\"ö\\u000Az' OR S BEGINSWITH 'a,\"ö'"
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
        try await started.daemon.end()
    }

    @Test("a character that the page does not have is refused before anything is sent")
    func unmappable() async throws {
        let started = try await start()
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
        try await started.daemon.end()
    }

    @Test("a cell with a byte without a character is shown, and never replaced")
    func unreadable() async throws {
        let started = try await start()
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
            "sql",
            "-t",
            "t=sample:T",
            "select W from t where Id = 129",
            "--format",
            "csv"
        )
        #expect(local.standardOutput == "W\r\nx\r\n", "\(local)")
        #expect(try await deployment.relctl("table", "delete", "sample", "T", "129").status == 0)
        try await started.daemon.end()
    }
}
