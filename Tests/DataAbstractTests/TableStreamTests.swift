// SPDX-License-Identifier: Apache-2.0

import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct TableStreamTests {
    private static let columns = DataType.allCases.dropFirst().map { DataColumn("C\($0.rawValue)", $0) }

    /// `RandomRunTests` tries more of them, in an optimised program.
    @Test("tables survive encoding and decoding, with columns of any type")
    func roundTrip() throws {
        print(try RoundTrips.tables(60))
    }

    @Test("iteration and subscript return the same cells", arguments: 0..<20)
    func access(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let table = try DataTable.random(rows: 10, &numbers)
        for row in table.rows {
            #expect(Array(row) == (0..<row.count).map { row[$0] })
            for (column, value) in row.enumerated() {
                #expect(row.isNull(column) == value.isNull)
                let bytes = row.bytes(column)
                switch value {
                case .null: #expect(bytes == nil)
                case .bytes(let blob): #expect(bytes == blob)
                default: #expect(bytes != nil)
                }
            }
        }
    }

    @Test("decoding rejects a stream truncated at any length")
    func cutShort() throws {
        for bytes in try TableVector.streams("dataset-stream") {
            for length in 0..<bytes.readableBytes {
                let cut = bytes.getSlice(at: 0, length: length) ?? ByteBuffer()
                #expect(throws: TableError.self) { try TableStream(decoding: cut) }
            }
        }
    }

    @Test("invalid counts are rejected before memory is allocated for them")
    func counts() throws {
        var table = try DataTable(name: "T", columns: [DataColumn("A", .integer)])
        try table.append([.integer(1)])
        let bytes = try TableStream([table]).encoded()
        // The directory, the rows, the columns, the length of a name.
        for offset in [8, 17, 21, 25] {
            for number in [Int32.max, Int32.min, -2, 1 << 24] {
                var changed = bytes
                changed.setInteger(number, at: offset, endianness: .little)
                #expect(throws: TableError.self, "\(offset)") { try TableStream(decoding: changed) }
            }
        }
    }

    @Test("rows without columns are rejected, because they would take no bytes")
    func emptyRows() throws {
        var bytes = try TableStream([DataTable(name: "T", columns: [])]).encoded()
        bytes.setInteger(Int32(1), at: 17, endianness: .little)
        #expect(throws: TableError.malformed(reason: "rows without columns", offset: 25)) {
            try TableStream(decoding: bytes)
        }
    }

    @Test("schema entries without properties are rejected, because they would take no bytes")
    func emptyEntries() throws {
        let schema = try TableSchema(fields: [SchemaEntry([]), SchemaEntry([])])
        let bytes = try TableStream([DataTable(name: "T", columns: [], schema: schema)]).encoded()
        #expect {
            try TableStream(decoding: bytes)
        } throws: { error in
            guard case .malformed(let reason, _) = error as? TableError else { return false }
            return reason == "fields without properties"
        }
    }

    /// A stream of two tables `T`, and the limits that it just keeps.
    static func limited() throws -> (bytes: ByteBuffer, exact: TableLimits) {
        let field = SchemaEntry(field: "A", .wideString)
        let column = DataColumn("A", .wideString)
        var table = try DataTable(name: "T", columns: [column, column], schema: TableSchema(fields: [field, field]))
        for _ in 0..<3 { try table.append([.text("four"), .null]) }
        let bytes = try TableStream([table, table]).encoded()
        let exact = TableLimits(
            bytes: bytes.readableBytes,
            tables: 2,
            columns: 2,
            rows: 6,
            cell: 8,
            text: 13,
            items: 2 * (2 + 14 + 2)
        )
        return (bytes, exact)
    }

    @Test("every limit is enforced")
    func limits() throws {
        let (bytes, exact) = try Self.limited()
        #expect(throws: Never.self) { try TableStream(decoding: bytes, limits: exact) }
        let fields: [WritableKeyPath<TableLimits, Int>] = [
            \.bytes, \.tables, \.columns, \.rows, \.cell, \.text, \.items,
        ]
        for field in fields {
            var limits = exact
            limits[keyPath: field] -= 1
            #expect("\(field)") {
                _ = try TableStream(decoding: bytes, limits: limits)
            } throws: { error in
                if case .tooMany = error as? TableError { true } else { false }
            }
        }
    }

    @Test("append rejects a value that its column cannot hold and leaves the table unchanged")
    func unfit() throws {
        let cases: [(DataType, DataValue)] = [
            (.byte, .integer(-1)), (.byte, .integer(256)), (.shortInt, .integer(128)), (.word, .integer(-1)),
            (.smallInt, .integer(1 << 15)), (.integer, .integer(1 << 31)), (.cardinal, .integer(-1)),
            (.largeUInt, .integer(-1)), (.largeInt, .unsigned(1)), (.string, .text("€")), (.guid, .text("{}")),
            (.blob, .text("x")), (.float, .integer(1)), (.boolean, .integer(1)), (.wideString, .bytes(ByteBuffer())),
            (.decimal, .text("1")), (.dateTime, .float(1)), (.currency, .float(1)),
        ]
        for (type, value) in cases {
            var table = try DataTable(name: "T", columns: [DataColumn("A", .boolean), DataColumn("B", type)])
            #expect(throws: TableError.unfit(column: "B", type: type)) { try table.append([.boolean(true), value]) }
            #expect(throws: TableError.valueCount(expected: 2, found: 1)) { try table.append([.null]) }
            #expect(table.rows.isEmpty && table.rows.bytes.readableBytes == 0)
        }
    }

    @Test("without a schema, columns have the given types, or else those of their type bytes")
    func types() throws {
        var table = try DataTable(name: "T", columns: [DataColumn("A", .integer)])
        try table.append([.integer(-1)])
        let bytes = try TableStream([table]).encoded()
        #expect(try TableStream(decoding: bytes).tables[0].rows[0][0] == .integer(-1))
        let known = try TableStream(decoding: bytes, types: ["T": [.cardinal]])
        #expect(known.tables[0].rows[0][0] == .integer(Int64(UInt32.max)))
        #expect(throws: TableError.self) { try TableStream(decoding: bytes, types: ["T": []]) }
    }

    @Test("type names are parsed ignoring case")
    func names() {
        for type in DataType.allCases { #expect(DataType(name: type.name.uppercased()) == type) }
        #expect(DataType.largeUInt.name == "datLargeUInt")
        #expect(DataType(name: "Integer") == nil)
    }
}
