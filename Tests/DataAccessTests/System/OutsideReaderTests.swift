// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Glibc
import TestSupport
import Testing

/// Programs of others read the formats and exports.
@Suite(
    "Outside readers",
    .enabled(if: Requirement.allMet([.program(Sources.python)], for: "the readers in Python"), "scripts/python-env.sh"),
    .timeLimit(.minutes(3))
)
struct OutsideReaderTests {
    private static let amounts: [Int64] = [
        9_223_372_036_854_775_000, -9_223_372_036_854_770_000, 1, -20_001, 123_456_789,
    ]
    /// NULL, the empty text, and texts that a reader could take for NULL, a number or the end of a line.
    private static let texts: [DataValue] = [.null, .text(""), .text("NA"), .text("a,\"b\"\r\nc"), .text("中é\\N")]
    private static var expectedTexts: String {
        #"[None, "", "NA", "a,\"b\"\r\nc", "中é\\N"]"#
    }

    private static func table() throws -> DataTable {
        let columns: [(String, DataType)] = [
            ("Id", .integer), ("Text", .wideString), ("Amount", .currency), ("Big", .largeInt), ("Time", .dateTime),
            ("Score", .float), ("Flag", .boolean),
        ]
        let fields = columns.map { SchemaEntry(field: $0.0, $0.1, isInPrimaryKey: $0.0 == "Id") }
        var table = try DataTable(
            name: "T",
            columns: columns.map { DataColumn($0.0, $0.1) },
            schema: TableSchema(fields: fields)
        )
        for (index, amount) in amounts.enumerated() {
            try table.append([
                .integer(Int64(index)), texts[index], .currency(scaled: amount), .integer(.max - Int64(index)),
                .dateTime(days: 43_861.5 + Double(index)), .float(0.1 * Double(index)), .boolean(index % 2 == 0),
            ])
        }
        return table
    }

    /// The exact sum of the amounts, computed as integers.
    private static var sum: String {
        let sum = amounts.reduce(0, +)
        let fraction = String(10_000 + sum % 10_000).dropFirst()
        return "\(sum / 10_000).\(fraction)"
    }

    /// Writes the table to a file.
    private static func write(
        _ name: String,
        in folder: TemporaryDirectory,
        _ make: (OutputSink) -> any RowConsumer
    ) async throws {
        let table = try table()
        let sink = OutputSink()
        var writer = make(sink)
        try await writer.begin(table.head)
        try await writer.add(table.rows, nil)
        try await writer.finish()
        folder.write(sink.takeBytes(), to: name)
    }

    /// Runs a script in the folder. It fails if an assertion does.
    private static func python(in folder: TemporaryDirectory, _ script: String) async throws {
        let start = "import os\nos.chdir('\(folder.path)')\ntexts = \(expectedTexts)\n"
        try await Command([Sources.python, "-"]).succeed(input: start + script, deadline: .seconds(120))
    }

    @Test("DuckDB reads CSV with exact amounts, and keeps NULL and the empty text apart")
    func duckCSV() async throws {
        let folder = TemporaryDirectory()
        try await Self.write("t.csv", in: folder) { CSVWriter($0) }
        try await Self.python(
            in: folder,
            """
            import duckdb
            rows = (
                "read_csv('t.csv', header=true, allow_quoted_nulls=false, columns={'Id': 'INTEGER', 'Text': 'VARCHAR',"
                "'Amount': 'DECIMAL(19,4)', 'Big': 'BIGINT', 'Time': 'TIMESTAMP', 'Score': 'DOUBLE',"
                "'Flag': 'BOOLEAN'})"
            )
            found = duckdb.sql('select * from ' + rows + ' order by Id').fetchall()
            assert [row[1] for row in found] == texts, found
            assert [row[3] for row in found] == [2**63 - 1 - i for i in range(5)], found
            assert [row[4].isoformat() for row in found][0] == '2020-01-31T12:00:00', found
            assert [row[5] for row in found] == [0.1 * i for i in range(5)], found
            assert [row[6] for row in found] == [True, False, True, False, True], found
            assert str(duckdb.sql('select sum(Amount) from ' + rows).fetchall()[0][0]) == '\(Self.sum)'
            """
        )
    }

    @Test("DuckDB reads JSON Lines, and exact amounts from numbers as text")
    func duckJSON() async throws {
        let folder = TemporaryDirectory()
        var options = FormatOptions()
        options.numbersAsText = true
        try await Self.write("t.jsonl", in: folder) { JSONRowWriter($0, .lines) }
        try await Self.write("text.jsonl", in: folder) { [options] in JSONRowWriter($0, .lines, options) }
        try await Self.write("t.json", in: folder) { JSONRowWriter($0, .array) }
        try await Self.python(
            in: folder,
            """
            import duckdb, json
            found = duckdb.sql("select Text, Big from 't.jsonl' order by Id").fetchall()
            assert [row[0] for row in found] == texts, found
            assert [row[1] for row in found] == [2**63 - 1 - i for i in range(5)], found
            columns = "{'Amount': 'DECIMAL(19,4)', 'Big': 'BIGINT'}"
            exact = f"read_json('text.jsonl', format='newline_delimited', columns={columns})"
            assert str(duckdb.sql('select sum(Amount) from ' + exact).fetchall()[0][0]) == '\(Self.sum)'
            assert json.loads(open('text.jsonl').readline())['Big'] == str(2**63 - 1)
            assert duckdb.sql("select count(*), count(Text) from 't.json'").fetchall()[0] == (5, 4)
            assert [row['Text'] for row in json.load(open('t.json'))] == texts
            """
        )
    }

    @Test("the generated code pages are those of Python")
    func codePages() async throws {
        let printed = try await Command([Sources.python, Sources.root + "/scripts/code-pages.py"]).succeed()
        let path = Sources.root + "/Sources/Relativity/Services/Values/Generated/CodePageData.swift"
        #expect(TextFile.bytes(of: path) == Array(printed.utf8))
    }

    @Test("pandas reads CSV with a text for NULL")
    func pandas() async throws {
        let folder = TemporaryDirectory()
        var options = FormatOptions()
        options.nullText = "<null>"
        try await Self.write("t.csv", in: folder) { [options] in CSVWriter($0, options) }
        try await Self.python(
            in: folder,
            """
            import pandas
            from decimal import Decimal
            table = pandas.read_csv('t.csv', keep_default_na=False, na_values=['<null>'], parse_dates=['Time'],
                converters={'Amount': Decimal})
            found = [None if pandas.isna(text) else text for text in table.Text]
            assert found == texts, found
            assert str(sum(table.Amount)) == '\(Self.sum)'
            assert list(table.Big) == [2**63 - 1 - i for i in range(5)] and table.Big.dtype == 'int64'
            assert str(table.Time[0]) == '2020-01-31 12:00:00' and table.Score.dtype == 'float64'
            assert list(table.Flag) == [True, False, True, False, True]
            """
        )
    }

    @Test("sqlite-utils and Python's sqlite3 read an export")
    func sqlite() async throws {
        let folder = TemporaryDirectory()
        let export = try SQLiteExport(to: folder.path(of: "t.db"), .new(replacesExisting: false))
        try export.write(Self.table())
        try export.finish()
        try await Self.python(
            in: folder,
            """
            import sqlite3, sqlite_utils
            from decimal import Decimal
            table = sqlite_utils.Database('t.db')['T']
            assert table.pks == ['Id'] and table.count == 5
            types = [column.name + ' ' + column.type for column in table.columns]
            assert types[:4] == ['Id INTEGER', 'Text TEXT', 'Amount REAL', 'Amount_exact TEXT'], types
            rows = list(table.rows)
            assert [row['Text'] for row in rows] == texts, rows
            assert str(sum(Decimal(row['Amount_exact']) for row in rows)) == '\(Self.sum)'
            assert sqlite3.connect('t.db').execute('pragma integrity_check').fetchone() == ('ok',)
            """
        )
    }
}
