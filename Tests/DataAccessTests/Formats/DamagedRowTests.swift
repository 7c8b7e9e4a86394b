// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import NIOCore
import TestSupport
import Testing

@Suite("Damaged rows")
struct DamagedRowTests {
    /// A table with a column of each type, twice the same values.
    private static func table() throws -> DataTable {
        let types = DataType.allCases.filter { $0 != .unknown }
        let row = try types.map { type -> DataValue in
            switch type {
            case .boolean: .boolean(true)
            case .largeUInt: .unsigned(12)
            case .float, .singleFloat: .float(1.25)
            case .dateTime: .dateTime(days: 40_000.5)
            case .currency: .currency(scaled: 12_345)
            case .decimal: .decimal(try #require(DataDecimal("-12.345")))
            case .blob, .cursor: .bytes(ByteBuffer(bytes: [1, 2, 3]))
            case .guid: .text("01234567-89ab-cdef-0123-456789abcdef")
            case .string, .memo, .fixedChar, .wideString, .wideMemo, .fixedWideChar, .xml: .text("a \"text\", é")
            default: .integer(7)
            }
        }
        let columns = types.map { ($0.name, $0) }
        return try .table(columns, [row, types.map { _ in .null }, row])
    }

    @Test("every stream that can be read can be written in all formats, as valid text")
    func formats() async throws {
        var random = SeededRandom(seed: 29)
        let stream = try TableStream([Self.table()]).encoded()
        var read = 0
        for _ in 0..<2_000 {
            var bytes = stream
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let value: UInt8 =
                    [0, 0x7F, 0x80, 0xD8, 0xFF, .random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
                bytes.setInteger(value, at: Int.random(in: 40..<bytes.writerIndex, using: &random))
            }
            guard let table = try? TableStream(decoding: bytes).tables.first else { continue }
            read += 1
            try await Self.check(table)
        }
        #expect(read > 500)
    }

    private static func check(_ table: DataTable) async throws {
        let sinks = (0..<4).map { _ in OutputSink() }
        var consumers: [any RowConsumer] = [
            CSVWriter(sinks[0]), TextTableWriter(sinks[1], .test(width: 80), FormatOptions()),
            JSONRowWriter(sinks[2], .lines),
        ]
        var options = FormatOptions()
        options.terminal = .test()
        consumers.append(JSONRowWriter(sinks[3], .lines, options))
        for (index, consumer) in consumers.enumerated() {
            var consumer = consumer
            do {
                try await consumer.begin(table.head)
                try await consumer.add(table.rows, nil)
                try await consumer.finish()
            } catch FormatError.notANumber {
                continue
            }
            let bytes = sinks[index].takeBytes()
            #expect(String(validating: bytes, as: UTF8.self) != nil)
            guard index >= 2 else { continue }
            let lines = bytes.split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == table.rows.count)
            for line in lines {
                let object = try JSONValue(parsing: Array(line)).objectValue
                #expect(object?.count == table.columns.count)
            }
        }
    }
}
