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

    @Test("rows of single cells and of UTF-8 are the same bytes as rows of values", arguments: 0..<20)
    func cells(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let columns = (0..<9).map { DataColumn("C\($0)", DataType.allCases[Int.random(in: 1...26, using: &numbers)]) }
        var (whole, single) = (TableStreamWriter(), TableStreamWriter())
        try whole.begin("T", columns: columns)
        try single.begin("T", columns: columns)
        for _ in 0..<30 {
            let values = columns.map { DataValue.random(as: $0.type, &numbers) }
            try whole.append(values)
            try single.beginRow()
            for value in values {
                if case .text(var text) = value {
                    try text.withUTF8 { try single.append(utf8: UnsafeRawBufferPointer($0)) }
                } else {
                    try single.append(cell: value)
                }
            }
            try single.endRow()
        }
        #expect(try single.finish() == whole.finish())
    }

    @Test("a row with an unfit cell, with too many or too few is removed")
    func unfitCells() throws {
        var writer = TableStreamWriter()
        #expect(throws: TableError.valueCount(expected: 0, found: 0)) { try writer.beginRow() }
        try writer.begin("T", columns: [DataColumn("A", .wideString), DataColumn("B", .byte)])
        try writer.beginRow()
        try Array("ab\u{E9}".utf8).withUnsafeBytes { try writer.append(utf8: $0) }
        try writer.append(cell: .null)
        try writer.endRow()
        for count in [1, 3] {
            try writer.beginRow()
            #expect(throws: TableError.valueCount(expected: 2, found: count)) {
                for _ in 0..<count { try writer.append(cell: .null) }
                try writer.endRow()
            }
        }
        try writer.beginRow()
        try writer.append(cell: .text("x"))
        #expect(throws: TableError.unfit(column: "B", type: .byte)) { try writer.append(cell: .integer(256)) }
        try writer.beginRow()
        try [UInt8](arrayLiteral: 0x80, 0xC3, 0xBF, 0x78).withUnsafeBytes { try writer.append(utf8: $0) }
        try writer.append(cell: .integer(255))
        try writer.endRow()
        let rows = try TableStream(decoding: writer.finish()).tables[0].rows.map(Array.init)
        #expect(rows == [[.text("abé"), .null], [.text("\u{FFFD}\u{FF}x"), .integer(255)]])
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
