// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import TestSupport
import Testing

@Suite("Arrow")
struct ArrowWriterTests {
    private static func bytes(
        _ table: DataTable,
        _ rule: ArrowDecimals.Rule = .declared,
        isFile: Bool = false
    ) throws -> [UInt8] {
        let sink = OutputSink()
        var options = FormatOptions()
        options.decimals.rule = rule
        var writer = ArrowWriter(sink, options, isFile: isFile)
        try writer.begin(table.head)
        try writer.add(table.rows, nil)
        try writer.finish()
        return sink.takeBytes()
    }

    private static func decimals(_ texts: String...) throws -> DataTable {
        try .column("d", .decimal, texts.map { .decimal(try #require(DataDecimal($0))) })
    }

    @Test("a value with more digits than the type is an error that names the field and the row, and is not rounded")
    func digits() throws {
        for text in ["1.234", "100", "-100.00", "0.001", "-0.0000000000000000000000000001"] {
            let table = try Self.decimals("1.50", text)
            #expect(throws: FormatError.tooManyDigits(column: "d", row: 2)) {
                try Self.bytes(table, .fixed(precision: 4, scale: 2))
            }
        }
        // Zeros after the last decimal are no digits.
        let table = try Self.decimals("99.990", "-99.99", "0.0000000000000000000000000000", "99")
        _ = try Self.bytes(table, .fixed(precision: 4, scale: 2))
        #expect(throws: FormatError.tooManyDigits(column: "d", row: 1)) {
            try Self.bytes(try Self.decimals("1"), .fixed(precision: 38, scale: 38))
        }
    }

    @Test("a number of days that is no certain time is an error that names the field and the row")
    func times() throws {
        for days in [-0.5, .nan, 2_958_466, -693_594] {
            let table = try DataTable.column("t", .dateTime, [.null, .dateTime(days: 1), .dateTime(days: days)])
            #expect(throws: FormatError.uncertainTime(column: "t", row: 3)) { try Self.bytes(table) }
        }
    }

    @Test(
        "the rule for Decimal as text",
        arguments: [
            ("float", .float), ("text", .text), ("18,4", .fixed(precision: 18, scale: 4)),
            ("38,38", .fixed(precision: 38, scale: 38)),
            ("39,2", nil), ("4,5", nil), ("0,0", nil), ("4", nil), ("4,-1", nil), ("4,2,1", nil), ("", nil),
        ] as [(String, ArrowDecimals.Rule?)]
    )
    func rule(text: String, rule: ArrowDecimals.Rule?) {
        #expect(ArrowDecimals.Rule(parsing: text) == rule)
    }

    @Test("a row beyond its limit is an error before more of it is kept")
    func rowLimit() throws {
        let text = DataValue.text(String(repeating: "é", count: 1000))
        let table = try DataTable.table([("a", .wideString), ("b", .wideString)], [[.text(""), text], [text, text]])
        var writer = ArrowWriter(OutputSink(), rowBytes: 3000)
        try writer.begin(table.head)
        try writer.add(table.rows, [0])
        #expect(throws: GrowthError.row(limit: 3000)) { try writer.add(table.rows, [1]) }
    }

    @Test("a small table has the bytes that PyArrow, Polars and DuckDB read")
    func small() throws {
        let table = try DataTable.table(
            [("Id", .integer), ("Name", .wideString)],
            [[.integer(1), .text("é")], [.integer(-2), .null]]
        )
        let bytes = try Self.bytes(table, isFile: true)
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == Self.file)
    }

    private static let file = """
        4152524f57310000ffffffffd0000000100000000c00180004000600080010000c00000004000100180000000000000000000000\
        0000000008000c000400080008000000000000000400000002000000180000005c000000100014000400080009000c0000001000\
        1000000010000000010200001c000000240000000200000049640000000000000800090004000800080000002000000001000000\
        00000000100014000400080009000c00000010001000000010000000011400001c0000001c000000040000004e616d6500000000\
        00000000040004000400000000000000ffffffffd0000000100000000c00180004000600080010000c0000000400030020000000\
        0000000030000000000000000000000000000a0018000800100014000a0000000000000002000000000000000c00000030000000\
        00000000020000000200000000000000000000000000000002000000000000000100000000000000000000000500000000000000\
        00000000000000000000000000000000000000000800000000000000080000000000000001000000000000001000000000000000\
        18000000000000002800000000000000020000000000000001000000feffffff0100000000000000000000000000000002000000\
        000000000200000000000000c3a9000000000000ffffffff00000000100000000c001400040008000c0010000c00000004000000\
        18000000b8000000bc0000000000000008000c000400080008000000000000000400000002000000180000005c00000010001400\
        0400080009000c00000010001000000010000000010200001c000000240000000200000049640000000000000800090004000800\
        08000000200000000100000000000000100014000400080009000c00000010001000000010000000011400001c0000001c000000\
        040000004e616d65000000000000000004000400040000000000000000000000000000000000000001000000e000000000000000\
        d8000000000000003000000000000000f80000004152524f5731
        """
}
