// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import NIOCore
import Testing

@Suite("Rows as JSON arrays")
struct JSONRowArraysTests {
    private static func table() throws -> DataTable {
        let decimal = try #require(DataDecimal("-0.50"))
        let guid = "01234567-89ab-cdef-0123-456789abcdef"
        let text = String(String.UnicodeScalarView((0...0xFF).map { Unicode.Scalar(UInt8($0)) }))
        let columns: [(String, DataType)] = [
            ("i", .integer), ("l", .largeInt), ("u", .largeUInt), ("c", .currency), ("d", .decimal), ("f", .float),
            ("s", .singleFloat), ("b", .boolean), ("t", .dateTime), ("g", .guid), ("w", .wideString), ("m", .memo),
            ("x", .blob),
        ]
        return try DataTable.table(
            columns,
            [
                [
                    .integer(-1), .integer(.max), .unsigned(.max), .currency(scaled: 5), .decimal(decimal), .float(0.1),
                    .float(0.5), .boolean(true), .dateTime(days: 43_831.5), .text(guid), .text(text + "中😀"),
                    .text(text),
                    .bytes(ByteBuffer(bytes: [0, 1, 2])),
                ],
                columns.map { _ in .null },
                [
                    .integer(7), .integer(0), .unsigned(0), .currency(scaled: -1), .decimal(decimal), .float(-2),
                    .float(3),
                    .boolean(false), .dateTime(days: 0), .text(guid), .text(""), .text(""), .bytes(ByteBuffer()),
                ],
            ]
        )
    }

    /// The text of all rows.
    private static func text(
        _ arrays: inout JSONRowArrays,
        _ rows: DataRows,
        _ indices: [Int]? = nil
    ) throws -> [UInt8] {
        var left = (indices ?? Array(rows.indices))[...]
        let text = try arrays.text(of: rows, &left)
        #expect(left.isEmpty)
        return text
    }

    private static func rows(_ text: [UInt8]) throws -> [[JSONValue]] {
        try #require(try JSONValue(parsing: text).arrayValue).map { try #require($0.arrayValue) }
    }

    @Test("the values are those of JSON lines, and no zero byte ends a message early", arguments: [false, true])
    func values(numbersAsText: Bool) async throws {
        let table = try Self.table()
        var options = FormatOptions()
        options.numbersAsText = numbersAsText
        let lines = try await output(of: table, nil, options) { JSONRowWriter($0, .lines, $1) }
        let expected = try lines.split(separator: "\n").map { line in
            try #require(try JSONValue(parsing: Array(line.utf8)).objectValue).map(\.value)
        }
        var arrays = try JSONRowArrays(table.head, options)
        #expect(arrays.columns.map(\.name) == table.columns.map(\.name))
        #expect(arrays.columns.map(\.type) == table.columns.map(\.type))
        let text = try Self.text(&arrays, table.rows)
        #expect(!text.contains(0))
        #expect(try Self.rows(text) == expected)
        #expect(expected.count == 3 && expected[1].allSatisfy { $0 == .null })
    }

    @Test("only the chosen rows are in the text, and the next batch begins a new one")
    func batches() throws {
        let table = try DataTable.column("n", .integer, (1...5).map { .integer($0) })
        var arrays = try JSONRowArrays(table.head)
        #expect(try Self.text(&arrays, table.rows, [1, 3]) == Array("[[2],[4]]".utf8))
        #expect(try Self.text(&arrays, table.rows, []) == Array("[]".utf8))
        #expect(try Self.text(&arrays, table.rows) == Array("[[1],[2],[3],[4],[5]]".utf8))
    }

    @Test("NaN is an error with the column and the number of the row, counted over all batches")
    func notANumber() throws {
        let table = try DataTable.column("f", .float, [.float(1), .float(.nan)])
        var arrays = try JSONRowArrays(table.head)
        _ = try Self.text(&arrays, table.rows, [0])
        #expect(throws: FormatError.notANumber(column: "f", row: 3)) { try Self.text(&arrays, table.rows) }
    }

    @Test("a text ends after 1 MiB, with whole rows, and a row of more than 64 MiB is refused")
    func pieces() throws {
        // A character of six bytes.
        let text = String(repeating: "\u{1}", count: 100_000)
        let table = try DataTable.table([("t", .wideString)], (0..<5).map { _ in [.text(text)] })
        var arrays = try JSONRowArrays(table.head)
        var left = table.rows.indices[...].map { $0 }[...]
        var counts: [Int] = []
        var found = 0
        while !left.isEmpty {
            let before = left.count
            let part = try arrays.text(of: table.rows, &left, opening: "{\"rows\":", closing: "}")
            counts.append(before - left.count)
            found += try #require(
                try JSONValue(parsing: part, limits: JSONLimits(bytes: 8 << 20)).objectValue?["rows"]?.arrayValue
            ).count
        }
        #expect(counts == [2, 2, 1] && found == 5)
        var options = FormatOptions()
        options.columns = Array(repeating: "t", count: 120)
        var wide = try JSONRowArrays(table.head, options)
        left = [0]
        #expect(throws: GrowthError.row(limit: 64 << 20)) { try wide.text(of: table.rows, &left) }
    }
}
