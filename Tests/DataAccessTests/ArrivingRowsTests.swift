// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Locks
import Testing

@testable import DataAccess

@Suite("Rows while they arrive")
struct ArrivingRowsTests {
    private static func rows(_ numbers: ClosedRange<Int64>) throws -> DataRows {
        var table = try DataTable(name: "T", columns: [DataColumn("Id", .largeInt)])
        for number in numbers { try table.append([.integer(number)]) }
        return table.rows
    }

    @Test("a table is shown at the first rows and whenever they have doubled, and has all rows so far")
    func tables() throws {
        let shown = Lock<[Int]>([])
        let table = try EditableTable(name: "T", fields: [EditableField(DataColumn("Id", .largeInt), nil)])
        var rows = ArrivingRows(CompleteRows(limit: 100, mostBytes: 1 << 20), of: table) { count, table in
            guard let table else { return }
            #expect(table.count == count)
            shown.withLock { $0.append(count) }
        }
        rows.begin(TableHead(name: "T", columns: [DataColumn("Id", .largeInt)], rowCount: 100, schema: nil))
        #expect(!rows.hasRows)
        for number in 1...10 { try rows.add(try Self.rows(Int64(number)...Int64(number)), nil) }
        #expect(shown.withLock { $0 } == [1, 2, 4, 8] && rows.complete.count == 10 && rows.hasRows)
    }

    @Test("rows that have too many bytes are refused, and those before them stay")
    func tooManyBytes() throws {
        let table = try EditableTable(name: "T", fields: [EditableField(DataColumn("Id", .largeInt), nil)])
        var rows = ArrivingRows(CompleteRows(limit: 100, mostBytes: 100), of: table) { _, _ in }
        rows.begin(TableHead(name: "T", columns: [DataColumn("Id", .largeInt)], rowCount: 100, schema: nil))
        try rows.add(try Self.rows(1...3), nil)
        #expect(throws: TableEditError.tooManyBytes(table: "T", limit: 100)) {
            try rows.add(try Self.rows(1...90), nil)
        }
        #expect(rows.complete.rows.count == 1 && rows.hasRows)
    }
}
