// SPDX-License-Identifier: Apache-2.0

import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct TableStreamWriterTests {
    @Test("a stream that is written row by row equals the encoded tables", arguments: 0..<20)
    func rows(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        var tables: [DataTable] = []
        var writer = TableStreamWriter()
        for index in 0..<3 {
            let columns = (0..<5).map {
                DataColumn("C\($0)", DataType.allCases[Int.random(in: 1...26, using: &numbers)])
            }
            let schema =
                index == 1 ? try TableSchema(fields: columns.map { SchemaEntry(field: $0.name, $0.type) }) : nil
            var table = try DataTable(name: "T\(index)", columns: columns, schema: schema)
            try writer.begin("T\(index)", columns: columns, schema: schema)
            for _ in 0..<(10 * index) {
                let values = columns.map { DataValue.random(as: $0.type, &numbers) }
                try table.append(values)
                try writer.append(values)
            }
            tables.append(table)
        }
        #expect(try writer.finish() == TableStream(tables).encoded())
    }

    @Test("a row without a table, or of another length, is an error and adds nothing")
    func errors() throws {
        var writer = TableStreamWriter()
        #expect(throws: TableError.valueCount(expected: 0, found: 1)) { try writer.append([.integer(1)]) }
        try writer.begin("T", columns: [DataColumn("A", .integer)])
        #expect(throws: TableError.valueCount(expected: 1, found: 2)) { try writer.append([.integer(1), .null]) }
        #expect(throws: TableError.unfit(column: "A", type: .integer)) { try writer.append([.text("x")]) }
        #expect(try TableStream(decoding: writer.finish()).tables.map(\.rows.count) == [0])
        var none = TableStreamWriter()
        #expect(throws: TableError.unevenSchema) {
            try none.begin("T", columns: [DataColumn("A", .integer)], schema: TableSchema(fields: []))
        }
        #expect(try none.finish() == TableStream().encoded())
    }
}
