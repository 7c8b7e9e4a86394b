// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc
import NIOCore
import Platform
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

    @Test("a statement ends after its time, with rows or without, and after its limit", .timeLimit(.minutes(1)))
    func time() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path, LocalDatabase.Bounds(time: .seconds(1)))
        var rows = RowCount()
        let start = ContinuousClock.now
        for columns in ["count(*)", "x"] {
            await #expect(throws: StatementError.late(seconds: 1)) {
                let sql = Self.numbers + "select \(columns) from n"
                _ = try await database.run(sql, tables: [:], parameters: [:], into: &rows)
            }
        }
        let all = Self.numbers + "select x from n"
        for limit in [0, 7] {
            #expect(try await database.run(all, tables: [:], parameters: [:], limit: limit, into: &rows) == limit)
        }
        #expect(rows.count == 7)
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

    @Test("8-bit text of servers with different code pages is read in them, and joined")
    func codePages() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        var tables: [NameKey: [DataColumn]] = [:]
        // An o with a diaeresis in both pages.
        for (name, page, byte) in [("a", "cp437", "\u{94}"), ("b", "windows-1252", "\u{F6}")] {
            var table = try DataTable(name: name, columns: [DataColumn("S", .string), DataColumn("N", .integer)])
            try table.append([.text("K\(byte)ln"), .integer(1)])
            table = table.reading(in: CodePage.named(page))
            try database.create(name, table.columns)
            try database.insert(table.rows, nil, into: name, table.head)
            tables[NameKey(name)] = table.columns
        }
        var rows = CollectedRows()
        let sql = "SELECT a.S, b.S, a.S || b.S FROM a JOIN b ON a.S = b.S"
        #expect(try await database.run(sql, tables: tables, parameters: [:], into: &rows) == 1)
        #expect(rows.rows == [[.text("Köln"), .text("Köln"), .text("KölnKöln")]])
        var own = CollectedRows()
        #expect(try await database.run("SELECT S FROM a", tables: tables, parameters: [:], into: &own) == 1)
        #expect(own.rows == [[.text("Köln")]] && own.heads[0].columns[0].type == .string)
    }

    @Test("names that differ in the case of a letter beyond ASCII are two tables, and parameters have any case")
    func names() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        var tables: [NameKey: [DataColumn]] = [:]
        for (name, type, value) in [
            ("Ä", DataType.currency, DataValue.currency(scaled: 1)), ("ä", .integer, .integer(2)),
        ] {
            var table = try DataTable(name: name, columns: [DataColumn("V", type)])
            try table.append([value])
            try database.create(name, table.columns)
            try database.insert(table.rows, nil, into: name, table.head)
            tables[NameKey(name)] = table.columns
        }
        for (sql, row) in [
            ("SELECT v FROM Ä WHERE v < :Ö", DataValue.currency(scaled: 1)),
            ("SELECT v FROM ä WHERE v < $Limit", .integer(2)),
        ] {
            var rows = CollectedRows()
            let parameters: [NameKey: DataValue] = ["Ö": .integer(3), "LIMIT": .integer(3)]
            #expect(try await database.run(sql, tables: tables, parameters: parameters, into: &rows) == 1)
            #expect(rows.rows == [[row]], "\(sql)")
        }
    }

    @Test("a text that cannot be read ends the statement with its row")
    func unreadable() throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        let schema = try TableSchema(fields: [
            SchemaEntry(field: "Id", .integer, isInPrimaryKey: true), SchemaEntry(field: "S", .string),
        ])
        let columns = [DataColumn("Id", .integer), DataColumn("S", .string)]
        var table = try DataTable(name: "t", columns: columns, schema: schema)
        try table.append([.integer(7), .text("\u{81}")])
        table = table.reading(in: CodePage.named("windows-1252"))
        try database.create("t", table.columns)
        do {
            try database.insert(table.rows, nil, into: "t", table.head)
            Issue.record("no error")
        } catch StatementError.unreadable(let cell) {
            #expect(cell.row == .key("Id=7") && cell.field == "S" && cell.byte == 0x81)
        }
    }

    @Test("only queries run, and none writes a file")
    func queries() async throws {
        let folder = TemporaryDirectory()
        let database = try LocalDatabase(in: folder.path)
        try database.create("T", [DataColumn("A", .integer)])
        let tables: [NameKey: [DataColumn]] = ["t": [DataColumn("A", .integer)]]
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
        for sql in ["select name from sqlite_master", "select count(*) from sqlite_master"] {
            var rows = RowCount()
            await #expect(throws: SQLiteError.self, "\(sql)") {
                try await database.run(Self.numbers + sql, tables: tables, parameters: [:], into: &rows)
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

    /// A database with one table of one row for each value of a column.
    private func database(
        _ folder: TemporaryDirectory,
        _ type: DataType,
        _ values: [DataValue]
    ) throws -> (LocalDatabase, [NameKey: [DataColumn]]) {
        let columns = [DataColumn("id", .integer), DataColumn("v", type)]
        let database = try LocalDatabase(in: folder.path)
        try database.create("T", columns)
        var builder = DataRowsBuilder(columns)
        for (index, value) in values.enumerated() { try builder.append([.integer(Int64(index)), value]) }
        let head = TableHead(name: "T", columns: columns, rowCount: values.count, schema: nil)
        try database.insert(builder.take(), nil, into: "T", head)
        return (database, ["t": columns])
    }

    @Test("midnight is one text, so that the rows of a day are its rows")
    func midnight() async throws {
        let folder = TemporaryDirectory()
        let days: [Double] = [45_292, 45_292 + 8 / 24.0, 45_293, -53_688, -693_593, -53_688.25]
        let (database, tables) = try database(folder, .dateTime, days.map { .dateTime(days: $0) })
        for (condition, expected) in [
            ("v >= '2024-01-01T00:00:00' and v < '2024-01-02T00:00:00'", [0, 1]), ("v = '2024-01-01'", [0]),
            ("v between '2024-01-01' and '2024-01-01 08:00'", [0, 1]), ("v in ('2024-01-02', '1753-01-01')", [2, 3]),
            ("v < '1800-01-01'", [3, 4, 5]), ("v = '1753-01-01?-53688.25'", [5]), ("v < '1753-01-01'", [4, 5]),
            ("v = (select min(v) from T)", [4]), ("v <= :day", [0, 3, 4, 5]),
        ] as [(String, [Int64])] {
            var rows = CollectedRows()
            let sql = "SELECT id FROM T WHERE \(condition) ORDER BY id"
            _ = try await database.run(sql, tables: tables, parameters: ["day": .text("2024-01-01")], into: &rows)
            #expect(rows.rows == expected.map { [.integer($0)] }, "\(condition)")
        }
        var rows = CollectedRows()
        _ = try await database.run("SELECT v FROM T ORDER BY id", tables: tables, parameters: [:], into: &rows)
        #expect(rows.rows == days.map { [.dateTime(days: PredicateDate(days: $0).days)] })
    }

    @Test("Currency and Decimal keep their decimals, compare exactly and sum exactly, or are refused")
    func amounts() async throws {
        let folder = TemporaryDirectory()
        let texts = ["0.10", "0.20", "1.5", "-999999999999.99", "0.30", "0.0000000000000000000000000001"]
        let decimals = texts.compactMap { DataDecimal($0).map { DataValue.decimal($0) } }
        let (database, tables) = try database(folder, .decimal, decimals)
        var rows = CollectedRows()
        _ = try await database.run("SELECT v FROM T ORDER BY id", tables: tables, parameters: [:], into: &rows)
        #expect(rows.rows.map { $0[0] } == decimals && rows.heads[0].columns[0].type == .decimal)
        await #expect(throws: StatementError.inexactSum(field: "v")) {
            try await database.run("SELECT sum(v) FROM T WHERE v < 1", tables: tables, parameters: [:], into: &rows)
        }
        let (prices, columns) = try self.database(
            folder,
            .currency,
            [1000, 2000, 14_315_100].map { .currency(scaled: $0) }
        )
        rows = CollectedRows()
        let sum = "SELECT sum(v) FROM T WHERE v < 1 HAVING sum(v) = 0.3"
        _ = try await prices.run(sum, tables: columns, parameters: [:], into: &rows)
        #expect(rows.rows == [[.currency(scaled: 3000)]] && rows.heads[0].columns[0].name == "sum(v)")
        rows = CollectedRows()
        _ = try await prices.run("SELECT v FROM T WHERE v > 1431.5", tables: columns, parameters: [:], into: &rows)
        #expect(rows.rows == [[.currency(scaled: 14_315_100)]])
        for (type, value, text) in [
            (.currency, .currency(scaled: .max), "922337203685477.5807"),
            (.decimal, .decimal(DataDecimal("12345678.901234567")!), "12345678.901234567"),
            (.largeUInt, .unsigned(.max), "18446744073709551615"),
        ] as [(DataType, DataValue, String)] {
            #expect(throws: StatementError.inexact(table: "T", field: "v", value: text)) {
                try self.database(folder, type, [value])
            }
        }
    }

    @Test("calculations with Currency and Decimal are exact, or have too many digits")
    func calculations() async throws {
        let folder = TemporaryDirectory()
        let texts = ["0.1", "0.2", "93162.82703855"]
        let decimals = texts.compactMap { DataDecimal($0).map { DataValue.decimal($0) } }
        let (database, tables) = try database(folder, .decimal, decimals)
        for (expression, text) in [
            ("SELECT sum(v * 3) FROM T WHERE v < 1", "0.9"), ("SELECT avg(v) FROM T WHERE v < 1", "0.15"),
            ("SELECT id FROM T WHERE v = 93162.82703855", "2"), ("SELECT id FROM T WHERE v IN ('93162.82703855')", "2"),
            ("SELECT count(*) FROM T WHERE v * 3 = 0.3 AND v + 0.2 - 0.3 = 0", "1"),
            ("SELECT v / 3 FROM T WHERE id = 1", "\(0.2 / 3)"), ("SELECT (v + id) * 10 FROM T WHERE id = 1", "12.0"),
            ("SELECT sum(CASE WHEN id < 2 THEN v ELSE 0 END) FROM T", "0.3"), ("SELECT -v FROM T WHERE id = 0", "-0.1"),
            ("SELECT sum(v) OVER (ORDER BY id) FROM T WHERE id < 2 ORDER BY id DESC LIMIT 1", "0.3"),
            ("SELECT coalesce(sum(v), 0) * 2 FROM T WHERE id < 2 HAVING sum(v) = 0.3", "0.6"),
            ("SELECT id / 2.0 + v * 0 FROM T WHERE id = 1", "0.5"), ("SELECT id / 2 + v FROM T WHERE id = 1", "0.2"),
            ("SELECT round(v * 3, 1) FROM T WHERE id = 0", "0.3"), ("SELECT sum(v) FROM T WHERE id < 0", "NULL"),
        ] {
            var rows = CollectedRows()
            _ = try await database.run(expression, tables: tables, parameters: [:], into: &rows)
            let found = rows.rows.first?[0].text(as: rows.heads[0].columns[0].type)
            #expect(rows.rows.count == 1 && found ?? "NULL" == text, "\(expression) \(rows.rows)")
        }
        for (expression, error) in [
            ("v * v * v", StatementError.unclearDecimals("v * v * v")), ("v * 12345678901 * 1000", .overflow),
            ("v * 100000000000000", .overflow), ("sum(id * 4000000000000000000)", .overflow),
        ] {
            var rows = RowCount()
            await #expect(throws: error, "\(expression)") {
                try await database.run("SELECT \(expression) FROM T", tables: tables, parameters: [:], into: &rows)
            }
        }
    }

    @Test(
        "a calculation of several levels is exact",
        arguments: [
            ("v * (v - 0.05) - id * (0.1 - v) + 1.25", "1.38"), ("v - (v - (0.1 - 2 * v))", "-0.3"),
            ("(v + 0.1) * (v - 0.25) - v", "-0.215"), ("v - v * v - (id - v) * 3 * id", "-2.24"),
        ]
    )
    func levels(expression: String, text: String) async throws {
        let folder = TemporaryDirectory()
        let decimals = ["0.10", "0.20"].compactMap { DataDecimal($0).map { DataValue.decimal($0) } }
        let (database, tables) = try database(folder, .decimal, decimals)
        var rows = CollectedRows()
        let sql = "SELECT \(expression) FROM T WHERE id = 1 AND \(expression) = \(text)"
        _ = try await database.run(sql, tables: tables, parameters: [:], into: &rows)
        #expect(rows.rows == [[.float(Double(text) ?? .nan)]])
    }

    @Test("two times of a day that are not certain are refused, because their order is not known")
    func unordered() throws {
        let folder = TemporaryDirectory()
        let days = [-53_688.25, -53_688.25, -53_689.5].map { DataValue.dateTime(days: $0) }
        _ = try database(folder, .dateTime, days)
        let error = StatementError.unordered(table: "T", field: "v", value: "1753-01-01?-53688.5")
        #expect(throws: error) { try self.database(folder, .dateTime, days + [.dateTime(days: -53_688.5)]) }
    }
}

private struct RowCount: RowConsumer {
    private(set) var count = 0

    func begin(_ table: TableHead) {}

    mutating func add(_ rows: DataRows, _ indices: [Int]?) { count += indices?.count ?? rows.count }

    func finish() {}
}
