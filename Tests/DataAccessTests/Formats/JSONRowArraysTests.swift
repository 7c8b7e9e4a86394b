// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import NIOCore
import Testing

@Suite("Rows as JSON arrays")
struct JSONRowArraysTests {
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

    @Test("no zero byte ends a message early")
    func zeroByte() throws {
        let table = try DataTable.column("\0", .memo, [.text("a\0"), .null])
        var arrays = try JSONRowArrays(table.head)
        #expect(try Self.text(&arrays, table.rows) == Array(#"[["a\u0000"],[null]]"#.utf8))
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
