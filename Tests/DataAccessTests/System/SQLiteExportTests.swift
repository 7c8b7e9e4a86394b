// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc
import NIOCore
import Platform
import SQLite
import TestSupport
import Testing

@Suite(
    "Export to SQLite",
    .enabled(if: Requirement.allMet([.program("sqlite3")], for: "the exports"), "needs sqlite3"),
    .timeLimit(.minutes(5))
)
struct SQLiteExportTests {
    @Test("columns have the types, keys and constraints of the schema, and the exact values")
    func types() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let export = try SQLiteExport(to: path, .new(replacesExisting: false))
        #expect(access(path, F_OK) != 0, "the file appears when it is complete")
        try export.write(ExportSample.allTypes())
        try export.finish()
        #expect(folder.names() == ["out.db"])
        let sqlite = SQLiteShell(path)
        #expect(try await sqlite.run("PRAGMA integrity_check") == "ok")
        #expect(
            try await sqlite.run("SELECT name, type, \"notnull\", pk FROM pragma_table_info('all \"types\" here')")
                == """
                Id|INTEGER|1|1
                Name|TEXT|1|0
                Note|TEXT|0|0
                Amount|REAL|0|0
                Amount_exact_2|TEXT|0|0
                Price|REAL|0|0
                Price_exact|TEXT|0|0
                Amount_exact|INTEGER|0|0
                Big|REAL|0|0
                Big_exact|TEXT|0|0
                Flag|BOOLEAN|0|0
                Time|TEXT|0|0
                Score|REAL|0|0
                Data|BLOB|0|0
                Code|TEXT|0|0
                """
        )
        let rows = try await sqlite.run(
            """
            SELECT Id, quote(Name), quote(Note), typeof(Amount), quote(Amount_exact_2), typeof(Price), quote(Price_exact),
            Amount_exact, quote(Big_exact), Big = 18446744073709551615.0, typeof(Flag), Flag, quote(Time), Score, hex(Data),
            quote(Code) FROM "all ""types"" here" ORDER BY Id
            """
        )
        #expect(
            rows == """
                1|'中''s'|'é'|real|'922337203685477.5807'|real|'-0.50'|7|'18446744073709551615'|1|integer|1|\
                '2020-01-31T12:00:00'|0.1|00FF|'01234567-89ab-cdef-0123-456789abcdef'
                2|''|NULL|null|NULL|null|NULL||NULL||null||NULL|||NULL
                """
        )
    }

    @Test("an error leaves no file, and an existing file is replaced only if that is wanted")
    func failures() throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        folder.write(Array("old".utf8), to: "out.db")
        #expect(throws: ExportError.exists(path: path)) { try SQLiteExport(to: path, .new(replacesExisting: false)) }
        for kind in [SQLiteExport.Kind.new(replacesExisting: true), .resumable(replacesExisting: true), .update] {
            #expect(throws: ExportError.notDatabase(path: path)) { try SQLiteExport(to: path, kind) }
        }
        #expect(folder.names() == ["out.db"] && folder.content(of: "out.db") == Array("old".utf8))
        unlink(path)
        let first = try SQLiteExport(to: path, .new(replacesExisting: false))
        try first.write(ExportSample.amounts(1...1))
        try first.finish()
        let old = folder.content(of: "out.db")
        let nullKey = try ExportSample.amounts(1...2, extra: [.null, .currency(scaled: 1)])
        #expect(throws: ExportError.nullInKey(table: "Amounts", column: "Id", row: 3)) {
            let export = try SQLiteExport(to: path, .new(replacesExisting: true))
            #expect(folder.names().count == 2)
            try export.write(nullKey)
        }
        #expect(folder.names() == ["out.db"] && folder.content(of: "out.db") == old)
        let twice = try ExportSample.amounts(1...2, extra: [.integer(1), .currency(scaled: 1)])
        #expect(throws: SQLiteError.self) { try SQLiteExport(to: path, .new(replacesExisting: true)).write(twice) }
        let export = try SQLiteExport(to: path, .new(replacesExisting: true))
        try export.write(ExportSample.amounts(1...2))
        #expect(throws: ExportError.tableExists("Amounts")) { try export.begin(ExportSample.amounts(1...2).head) }
        try export.finish()
        #expect(folder.names() == ["out.db"] && folder.content(of: "out.db") != old)
    }

    @Test("no value of a Float or a DateTime ends an export")
    func everyNumber() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let fields = [SchemaEntry(field: "f", .float, isRequired: true), SchemaEntry(field: "t", .dateTime)]
        let columns = [DataColumn("f", .float), DataColumn("t", .dateTime)]
        var table = try DataTable(name: "T", columns: columns, schema: TableSchema(fields: fields))
        for number in [Double.nan, .infinity, -.infinity, -1.5, 0] {
            try table.append([.float(number), .dateTime(days: number)])
        }
        let export = try SQLiteExport(to: path, .new(replacesExisting: false))
        try export.write(table)
        try export.write(try ExportSample.amounts(1...2))
        try export.finish()
        let found = try await SQLiteShell(path).run(
            "SELECT coalesce(f, 'NULL'), t FROM T; SELECT count(*) FROM Amounts"
        )
        #expect(
            found == """
                NULL|9999-99-99?nan
                Inf|9999-99-99?inf
                -Inf|0000-00-00?-inf
                -1.5|1899-12-29?-1.5
                0.0|1899-12-30T00:00:00
                2
                """
        )
    }

    @Test("only a regular file is replaced", arguments: SpecialFile.allCases)
    func specialFiles(_ kind: SpecialFile) throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        try #require(kind.create(at: path))
        let before = SpecialFile.mode(of: path)
        let found = try #require(FileKind(of: path))
        for destination in [path, folder.path(of: "link")] {
            if destination != path { symlink("out.db", destination) }
            for export in [SQLiteExport.Kind.new(replacesExisting: true), .resumable(replacesExisting: true), .update] {
                #expect(throws: ExportError.notRegular(path: destination, found)) {
                    try SQLiteExport(to: destination, export, blobFolder: folder.path(of: "blobs"))
                }
            }
        }
        #expect(SpecialFile.mode(of: path) == before && folder.names() == ["link", "out.db"])
        let other = folder.path(of: "other.db")
        try #require(kind.create(at: other + ".part"))
        for continues in [true, false] {
            #expect(throws: ExportError.notRegular(path: other + ".part", found)) {
                try SQLiteExport(to: other, .resumable(replacesExisting: true, continues: continues))
            }
        }
        #expect(SpecialFile.mode(of: other + ".part") == before)

        // A destination that changes its kind meanwhile.
        let late = folder.path(of: "late.db")
        let export = try SQLiteExport(to: late, .new(replacesExisting: true))
        try export.write(ExportSample.amounts(1...2))
        try #require(kind.create(at: late))
        #expect(throws: ExportError.notRegular(path: late, found)) { try export.finish() }
        #expect(SpecialFile.mode(of: late) == before)
    }

    @Test(
        "a database that exists keeps its other tables",
        arguments: [SQLiteExport.Kind.new(replacesExisting: true), .resumable(replacesExisting: true)]
    )
    func otherTables(_ kind: SQLiteExport.Kind) async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let shell = SQLiteShell(path)
        _ = try await shell.run(
            "CREATE TABLE Mine (a); INSERT INTO Mine VALUES (7); CREATE TABLE AMOUNTS (old); CREATE INDEX i ON Mine (a)"
        )
        for _ in 0..<2 {
            let export = try SQLiteExport(to: path, kind, tables: ["Amounts"])
            try export.write(ExportSample.amounts(1...2))
            try export.finish()
        }
        #expect(
            try await shell.run("SELECT a FROM Mine INDEXED BY i; SELECT count(Amount_exact) FROM Amounts") == "7\n2"
        )
        // A table that comes after the beginning.
        // A row of another table that comes after it.
        let isResumable = kind != .new(replacesExisting: true)
        let changed = isResumable ? ExportError.changed(path: path) : .busy(path: path)
        do {
            let stale = try SQLiteExport(to: path, kind, tables: ["Amounts"])
            try stale.write(ExportSample.amounts(1...3))
            _ = try await shell.run("INSERT INTO Mine VALUES (8)")
            #expect(throws: changed) { try stale.finish() }
        }
        if isResumable {
            #expect(throws: changed) { try SQLiteExport(to: path, kind, tables: ["Amounts"]) }
        }
        unlink(path + ".part")
        #expect(try await shell.run("SELECT count(*) FROM Mine; SELECT count(*) FROM Amounts") == "2\n2")
        let late = try SQLiteExport(to: path, kind, tables: ["Amounts"])
        try late.write(ExportSample.amounts(1...3))
        _ = try await shell.run("CREATE TABLE Late (a)")
        #expect(throws: isResumable ? changed : .otherTable(path: path, table: "Late")) { try late.finish() }
        #expect(try await shell.run("SELECT count(*) FROM Late; SELECT count(*) FROM Amounts") == "0\n2")
    }

    @Test("a database that another process has changed, in a log, is not replaced")
    func openLog() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let other = try SQLiteDatabase(.file(path), .create)
        try other.execute("PRAGMA journal_mode = WAL; CREATE TABLE Mine (a)")
        #expect(throws: ExportError.busy(path: path)) { try SQLiteExport(to: path, .new(replacesExisting: true)) }
        #expect(folder.names().allSatisfy { !$0.contains("part") })
        try other.execute("INSERT INTO Mine VALUES (1)")
    }

    @Test("a symbolic link is followed, also if its file does not exist")
    func links() throws {
        let folder = TemporaryDirectory()
        folder.write([], to: "out.db")
        symlink("out.db", folder.path(of: "link"))
        let export = try SQLiteExport(to: folder.path(of: "link"), .new(replacesExisting: true))
        try export.write(ExportSample.amounts(1...2))
        try export.finish()
        #expect(SpecialFile.mode(of: folder.path(of: "link")) & S_IFMT == S_IFLNK)
        #expect(folder.names() == ["link", "out.db"] && !folder.content(of: "out.db").isEmpty)
        symlink("new.db", folder.path(of: "dangling"))
        try SQLiteExport(to: folder.path(of: "dangling"), .new(replacesExisting: true)).finish()
        #expect(folder.names() == ["dangling", "link", "new.db", "out.db"])
    }

    @Test("several tables, chosen columns and rows without a schema")
    func severalTables() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        var options = FormatOptions()
        options.columns = ["b", "A"]
        let export = try SQLiteExport(to: path, .new(replacesExisting: false), options)
        var table = try DataTable.table([("a", .integer), ("b", .decimal), ("c", .byte)], [[.null, .null, .null]])
        for name in ["one", "two; --"] {
            table.name = name
            try export.begin(table.head)
            try export.add(table.rows, [0])
            try export.add(table.rows, [])
        }
        try export.finish()
        #expect(export.addedRows == 2)
        let sql = "SELECT sql FROM sqlite_schema ORDER BY name; SELECT count(*) FROM \"two; --\" WHERE a IS NULL"
        #expect(
            try await SQLiteShell(path).run(sql) == """
                CREATE TABLE "one" ("b" REAL, "b_exact" TEXT, "a" INTEGER)
                CREATE TABLE "two; --" ("b" REAL, "b_exact" TEXT, "a" INTEGER)
                1
                """
        )
    }

    @Test("keys that a Double cannot tell apart are different rows, also when rows are replaced by their keys")
    func largeKeys() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let schema = try TableSchema(fields: [SchemaEntry(field: "Id", .largeUInt, isInPrimaryKey: true)])
        var table = try DataTable(name: "Keys", columns: [DataColumn("Id", .largeUInt)], schema: schema)
        for id in [UInt64.max, UInt64.max - 1] { try table.append([.unsigned(id)]) }
        for kind in [SQLiteExport.Kind.new(replacesExisting: false), .update] {
            let export = try SQLiteExport(to: path, kind)
            try export.begin(table.head)
            try export.add(table.rows, nil)
            try export.finish()
        }
        #expect(
            try await SQLiteShell(path).run("SELECT Id_exact FROM Keys ORDER BY 1") == """
                18446744073709551614
                18446744073709551615
                """
        )
    }

    @Test("a file that appears during the export is kept")
    func race() throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        do {
            let export = try SQLiteExport(to: path, .new(replacesExisting: false))
            folder.write([1], to: "out.db")
            #expect(throws: ExportError.exists(path: path)) { try export.finish() }
        }
        #expect(folder.names() == ["out.db"] && folder.content(of: "out.db") == [1])
    }

    /// - Parameter stop: the number of rows after which the exporting process kills itself; nil to end.
    /// - Returns: the exit code, or the negative number of the signal.
    private func probe(_ action: String, _ path: String, stopAfter stop: Int?) async throws -> Int32 {
        let stop = "\(stop ?? 1_000_000)"
        return try await Command([Products.path(of: "table-probe"), action, path, stop]).run().status
    }

    @Test("after 50 kills the file is the same as without")
    func kills() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        folder.write([], to: "out.db.part-of-something")
        let expected = folder.path(of: "expected.db")
        #expect(try await probe("export", expected, stopAfter: nil) == 0)
        let content = folder.content(of: "expected.db")
        for kill in 0..<50 {
            #expect(try await probe("export", path, stopAfter: kill * 5000 / 49) == -SIGKILL)
            let names = folder.names()
            #expect(!names.contains("out.db") && names.count == 3, "only the part of the last kill remains")
        }
        #expect(try await probe("export", path, stopAfter: nil) == 0)
        #expect(folder.names() == ["expected.db", "out.db", "out.db.part-of-something"])
        #expect(folder.content(of: "out.db") == content)
    }

    @Test("a resumed export continues after the last key, and has the same rows after kills")
    func resumes() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        var least = 0
        for kill in 1...10 {
            let stop = kill * 5000 / 11
            #expect(try await probe("resume", path, stopAfter: stop) == -SIGKILL)
            #expect(access(path, F_OK) != 0)
            let export = try SQLiteExport(to: path, .resumable(replacesExisting: false))
            let progress = try #require(try export.progress(of: "Amounts"))
            #expect(progress.rowCount == stop / 250 * 250 && !progress.isDone)
            #expect(progress.lastKey == (progress.rowCount == 0 ? [] : [String(progress.rowCount)]))
            #expect(progress.rowCount >= least)
            least = progress.rowCount
        }
        #expect(try await probe("resume", path, stopAfter: nil) == 0)
        let sqlite = SQLiteShell(path)
        #expect(try await sqlite.run("PRAGMA integrity_check") == "ok")
        #expect(try await sqlite.run("SELECT count(*), min(Id), max(Id) FROM Amounts") == "5000|1|5000")
        #expect(try await sqlite.run("SELECT count(*) FROM sqlite_schema") == "1")
        #expect(folder.names() == ["out.db"])
    }

    @Test("a file of the user that has the name of an interrupted export stays")
    func otherPart() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        for isDatabase in [false, true] {
            if isDatabase {
                unlink(path + ".part")
                _ = try await SQLiteShell(path + ".part").run("CREATE TABLE Mine (a)")
            } else {
                folder.write(Array("mine".utf8), to: "out.db.part")
            }
            let content = folder.content(of: "out.db.part")
            for continues in [false, true] {
                #expect(throws: ExportError.notPart(path: path + ".part")) {
                    try SQLiteExport(to: path, .resumable(replacesExisting: true, continues: continues))
                }
            }
            #expect(folder.content(of: "out.db.part") == content && folder.names() == ["out.db.part"])
        }
    }

    @Test("a second process cannot resume at the same time")
    func busy() throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let first = try SQLiteExport(to: path, .resumable(replacesExisting: false))
        #expect(throws: ExportError.busy(path: path + ".part")) {
            try SQLiteExport(to: path, .resumable(replacesExisting: false))
        }
        withExtendedLifetime(first) {}
    }

    @Test("an update replaces rows by their keys, adds others, and knows the greatest value")
    func update() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        for rows in [1...10, 8...12] {
            let export = try SQLiteExport(to: path, .update)
            let isFirst = rows.lowerBound == 1
            #expect(try export.greatestValue(of: "id", in: "Amounts") == (isFirst ? nil : .integer(10)))
            #expect(try export.greatestValue(of: "amount", in: "Amounts") == (isFirst ? nil : .text("79.1900")))
            #expect(try export.greatestValue(of: "none", in: "Amounts") == nil)
            try export.write(ExportSample.amounts(rows, factor: isFirst ? 1 : -1))
            try export.finish()
        }
        let sqlite = SQLiteShell(path)
        #expect(
            try await sqlite.run("SELECT count(*), sum(Amount < 0), min(Id), max(Id) FROM Amounts") == "12|5|1|12"
        )
        let other = try SQLiteExport(to: path, .update)
        #expect(throws: ExportError.noKey(table: "T")) { try other.begin(DataTable.column("a", .integer, []).head) }
        let schema = try TableSchema(fields: [SchemaEntry(field: "Id", .integer, isInPrimaryKey: true)])
        let narrow = try DataTable(name: "Amounts", columns: [DataColumn("Id", .integer)], schema: schema)
        #expect(throws: ExportError.otherColumns(table: "Amounts")) { try other.begin(narrow.head) }
    }

    @Test("blobs are written to files that are named by the key, and the names cannot leave the folder")
    func blobFiles() async throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        let blobs = folder.path(of: "blobs")
        let fields = [SchemaEntry(field: "K", .wideString, isInPrimaryKey: true), SchemaEntry(field: "../D", .blob)]
        var table = try DataTable(
            name: "../T",
            columns: [DataColumn("K", .wideString), DataColumn("../D", .blob)],
            schema: try TableSchema(fields: fields)
        )
        let keys = ["../../x", "a-b", "..", String(repeating: "long", count: 100), "row4"]
        for (number, key) in keys.enumerated() {
            try table.append([.text(key), .bytes(ByteBuffer(bytes: [UInt8(number)]))])
        }
        try table.append([.text("null"), .null])
        let export = try SQLiteExport(to: path, .new(replacesExisting: false), blobFolder: blobs)
        try export.write(table)
        try export.finish()
        #expect(folder.names() == ["blobs", "out.db"] && folder.names(in: "blobs") == ["%2E.%2FT"])
        let digest = HexText.encode(SHA256.digest(of: Array(keys[3].utf8)))
        let names = [
            "%2E.%2F..%2Fx-%2E.%2FD.bin", "a%2Db-%2E.%2FD.bin", "%2E.-%2E.%2FD.bin", "%key\(digest)-%2E.%2FD.bin",
            "row4-%2E.%2FD.bin",
        ]
        #expect(folder.names(in: "blobs/%2E.%2FT") == names.sorted())
        for (number, name) in names.enumerated() {
            #expect(folder.content(of: "blobs/%2E.%2FT/" + name) == [UInt8(number)])
        }
        let stored = try await SQLiteShell(path).run("SELECT quote(\"../D\") FROM \"../T\"")
        #expect(stored == (names.map { "'\(blobs)/%2E.%2FT/\($0)'" } + ["NULL"]).joined(separator: "\n"))
    }

    @Test("a file that replaces a private one is private from the beginning")
    func modes() throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        func mode(_ path: String) -> mode_t {
            var facts = stat()
            return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : 0
        }
        for kind in [SQLiteExport.Kind.new(replacesExisting: true), .resumable(replacesExisting: true), .update] {
            unlink(path)
            try SQLiteExport(to: path, .new(replacesExisting: false)).finish()
            #expect(mode(path) & 0o044 != 0, "the test needs the usual umask")
            chmod(path, 0o400)
            let export = try SQLiteExport(to: path, kind)
            let part = try #require(folder.names().first { $0.hasPrefix("out.db.part") })
            #expect(mode(folder.path(of: part)) == 0o600)
            try export.finish()
            #expect(mode(path) == 0o600)
        }
    }

    @Test("the pages of an earlier export are dropped on request, but not while it runs")
    func restart() throws {
        let folder = TemporaryDirectory()
        let path = folder.path(of: "out.db")
        var export: SQLiteExport? = try SQLiteExport(to: path, .resumable(replacesExisting: true))
        try export?.begin(ExportSample.amounts(1...2).head)
        try export?.add(ExportSample.amounts(1...2).rows, nil)
        try export?.endPage()
        for continues in [false, true] {
            #expect(throws: ExportError.busy(path: path + ".part")) {
                try SQLiteExport(to: path, .resumable(replacesExisting: true, continues: continues))
            }
        }
        #expect(try export?.progress(of: "Amounts")?.rowCount == 2)
        export = nil
        let again = try SQLiteExport(to: path, .resumable(replacesExisting: true, continues: false))
        #expect(try again.progress(of: "Amounts") == nil)
        try again.write(ExportSample.amounts(1...3))
        try again.finish()
        #expect(folder.names() == ["out.db"])
    }
}
