// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
internal import NIOCore
package import TestSupport

extension DataValue {
    /// Returns a random value that a column of this type can hold, often null.
    package static func random(as type: DataType, _ numbers: inout SeededRandom) -> DataValue {
        func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> DataValue {
            .integer(Int64(Integer.random(in: .min ... .max, using: &numbers)))
        }
        guard Int.random(in: 0..<4, using: &numbers) > 0 else { return .null }
        switch type {
        case .unknown: return .null
        case .boolean: return .boolean(.random(using: &numbers))
        case .byte: return integer(UInt8.self)
        case .shortInt: return integer(Int8.self)
        case .word: return integer(UInt16.self)
        case .smallInt: return integer(Int16.self)
        case .integer, .autoInc: return integer(Int32.self)
        case .cardinal: return integer(UInt32.self)
        case .largeInt, .largeAutoInc: return integer(Int64.self)
        case .largeUInt: return .unsigned(.random(in: .min ... .max, using: &numbers))
        case .float: return .float(.random(in: -1e9...1e9, using: &numbers))
        case .singleFloat: return .float(Double(Float.random(in: -1e9...1e9, using: &numbers)))
        case .dateTime: return .dateTime(days: .random(in: 0...1e5, using: &numbers))
        case .currency: return .currency(scaled: .random(in: .min ... .max, using: &numbers))
        case .decimal:
            return DataDecimal("-\(UInt64.random(in: 0...(.max), using: &numbers)).50").map { .decimal($0) } ?? .null
        case .guid:
            return .text(String((0..<36).map { _ in "0123456789abcdefABCDEF-".randomElement(using: &numbers) ?? "0" }))
        case .string, .memo, .fixedChar: return .text(text("aÿé\u{0}\u{80}", &numbers))
        case .wideString, .wideMemo, .fixedWideChar, .xml: return .text(text("aé€😀\u{0}", &numbers))
        case .blob, .cursor:
            return .bytes(ByteBuffer(bytes: (0..<Int.random(in: 0...9, using: &numbers)).map { UInt8($0) }))
        }
    }

    private static func text(_ alphabet: String, _ numbers: inout SeededRandom) -> String {
        let scalars = Array(alphabet.unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...9, using: &numbers) {
            text.append(scalars[Int.random(in: scalars.indices, using: &numbers)])
        }
        return String(text)
    }
}

extension DataTable {
    /// Returns a table of 1 to 20 columns of random types, often with a schema.
    package static func random(rows: Int, _ numbers: inout SeededRandom) throws -> DataTable {
        let columns = (0..<Int.random(in: 1...20, using: &numbers)).map { index in
            DataColumn("Ä\(index)", DataType.allCases[Int.random(in: 1...26, using: &numbers)], size: Int32(index))
        }
        let schema = try TableSchema(fields: columns.map { SchemaEntry(field: $0.name, $0.type) })
        var table = try DataTable(
            name: "T",
            columns: columns,
            schema: Bool.random(using: &numbers) ? schema : nil
        )
        for _ in 0..<rows { try table.append(columns.map { .random(as: $0.type, &numbers) }) }
        return table
    }
}
