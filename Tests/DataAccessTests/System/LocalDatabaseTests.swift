// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import NIOCore
import SQLite
import TestSupport
import Testing

@testable import DataAccess

@Suite("The database for statements")
struct LocalDatabaseTests {
    @Test("its file has no name, and was never readable for others")
    func mode() throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        #expect(folder.names().isEmpty)
        var modes: [mode_t] = []
        for descriptor in 0..<Int32(4096) {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
            let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            var facts = stat()
            guard path.hasPrefix(folder.path + "/relativityd-"), fstat(descriptor, &facts) == 0 else { continue }
            modes.append(facts.st_mode & 0o777)
        }
        #expect(modes == [0o600])
        try database.create("T", [DataColumn("A", .integer)])
    }

    @Test("a statement makes no value that is longer than the limit")
    func length() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path, LocalDatabase.Bounds(row: 500))
        #expect(folder.names().isEmpty)
        for (size, isMade) in [(1000, true), (1001, false)] {
            var rows = RowCount()
            let sql = "SELECT length(zeroblob(\(size)) || '')"
            do {
                let count = try await database.run(sql, tables: [:], parameters: [:], into: &rows)
                #expect(isMade && count == 1)
            } catch GrowthError.value(limit: 1000) {
                #expect(!isMade)
            }
            #expect(rows.count == (isMade ? 1 : 0))
        }
    }

    /// The numbers from 1 on.
    private static let numbers = "with recursive n(x) as (select 1 union all select x + 1 from n) "

    @Test(
        "memory, rows, temporary files and time without a row have bounds, and the database can be used after each",
        arguments: [
            // Values of a row, none of which is too long.
            (
                "select " + Array(repeating: "printf('%.*c', 1500000, 'x')", count: 200).joined(separator: ", "),
                GrowthError.memory(limit: 12 << 20)
            ),
            ("select printf('%.*c', 1200000, 'x'), printf('%.*c', 1200000, 'x')", .value(limit: 2 << 20)),
            ("select printf('%.*c', 600000, 'x')", .row(limit: 1 << 20)),
            (
                numbers + "select group_concat(printf('%.*c', 10000, 'x')) from (select x from n limit 1000)",
                .value(limit: 2 << 20)
            ),
            // A sort, an intermediate result, and the result.
            (
                numbers + "select printf('%.*c', 50000, 'x') || x as y from (select x from n limit 1000) order by y",
                .temporary(limit: 16 << 20)
            ),
            (
                numbers + "select count(*) from (select distinct printf('%.*c', 50000, 'x') || x from n)",
                .temporary(limit: 16 << 20)
            ),
            (numbers + "select printf('%.*c', 50000, 'x') from n", .temporary(limit: 16 << 20)),
        ] as [(String, GrowthError)]
    )
    func bounds(sql: String, error: GrowthError) async throws {
        let folder = TemporaryDirectory()
        let bounds = LocalDatabase.Bounds(memory: 2 << 20, row: 1 << 20, temporary: 16 << 20)
        let database = try LocalDatabase(in: folder.path, bounds)
        for _ in 0..<2 {
            var rows = RowCount()
            await #expect(throws: error) {
                try await database.run(sql, tables: [:], parameters: [:], into: &rows)
            }
            #expect(rows.count == 0)
            let ten = Self.numbers + "select x, printf('%.*c', 50000, 'x') as y from n limit 10"
            #expect(try await database.run(ten, tables: [:], parameters: [:], into: &rows) == 10)
        }
    }

    @Test("a statement without a row ends after its time")
    func time() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path, LocalDatabase.Bounds(time: .seconds(1)))
        var rows = RowCount()
        let start = ContinuousClock.now
        await #expect(throws: StatementError.noRow(seconds: 1)) {
            try await database.run(Self.numbers + "select count(*) from n", tables: [:], parameters: [:], into: &rows)
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try await database.run("select 1", tables: [:], parameters: [:], into: &rows) == 1)
    }

    @Test("a statement runs once, so that its types fit its values")
    func runsOnce() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        #expect(folder.names().isEmpty)
        // Each run may have another type.
        let sql = "SELECT CASE abs(random()) % 2 WHEN 0 THEN 'x' ELSE x'00' END AS A, random() AS B"
        for _ in 0..<20 {
            var rows = CollectedRows()
            // In a second run with the other type the value would become NULL or another text.
            #expect(try await database.run(sql, tables: [:], parameters: [:], into: &rows) == 1)
            switch (rows.heads[0].columns[0].type, rows.rows[0][0]) {
            case (.wideString, .text("x")): break
            case (.blob, .bytes(let bytes)): #expect(bytes.readableBytes == 1)
            case let other: Issue.record("\(other)")
            }
        }
        var rows = CollectedRows()
        let many = "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5) "
        #expect(try await database.run(many + "SELECT i, i FROM n", tables: [:], parameters: [:], into: &rows) == 5)
        #expect(rows.rows == (1...5).map { [.integer($0), .integer($0)] })
    }

    @Test("only queries run, and none writes a file")
    func queries() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        try database.create("T", [DataColumn("A", .integer)])
        let tables = ["t": [DataColumn("A", .integer)]]
        let file = folder.path + "/y.db"
        for sql in [
            "vacuum into '\(file)'", "/* x */ VACUUM", "reindex", "attach '\(file)' as y", "pragma user_version",
            "begin", "update T set A = 1", "with x as (select 1) insert into T select * from x", "analyze",
            "create table U (B)", "explain vacuum into '\(file)'", "explain select 1",
        ] {
            var rows = RowCount()
            await #expect(throws: StatementError.notAQuery, "\(sql)") {
                try await database.run(sql, tables: tables, parameters: [:], into: &rows)
            }
        }
        #expect(folder.names().isEmpty)
    }

    @Test("without attached databases, VACUUM writes no file")
    func attached() throws {
        let folder = TemporaryDirectory()
        let database = try SQLiteDatabase(.memory, .create)
        database.forbidAttaching()
        for sql in ["VACUUM INTO '\(folder.path)/y.db'", "ATTACH '\(folder.path)/y.db' AS y"] {
            #expect(throws: SQLiteError.self) { try database.execute(sql) }
        }
        #expect(folder.names().isEmpty)
    }

    @Test("recursive queries run")
    func recursion() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        let numbers = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 5) "
        for (end, expected) in [("select x from n", 5), ("select count(*) from n", 1), ("select 1 from n", 5)] {
            var rows = RowCount()
            let count = try await database.run(numbers + end, tables: [:], parameters: [:], into: &rows)
            #expect(count == expected && rows.count == expected)
        }
        for end in ["select name from sqlite_master", "select count(*) from sqlite_master"] {
            var rows = RowCount()
            await #expect(throws: SQLiteError.self) {
                try await database.run(numbers + end, tables: [:], parameters: [:], into: &rows)
            }
        }
    }
}

private struct RowCount: RowConsumer {
    private(set) var count = 0

    func begin(_ table: TableHead) {}

    mutating func add(_ rows: DataRows, _ indices: [Int]?) { count += indices?.count ?? rows.count }

    func finish() {}
}
