// SPDX-License-Identifier: Apache-2.0

import NIOCore
import TestSupport

@testable import DataAbstract

extension DataValue {
    /// Returns a random value that a column of this type can hold, often null.
    static func random(as type: DataType, _ numbers: inout SeededRandom) -> DataValue {
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

extension ByteBuffer {
    /// Returns the bytes with some of them changed, and sometimes truncated.
    func mutated(_ numbers: inout SeededRandom) -> ByteBuffer {
        var bytes = self
        for _ in 0..<Int.random(in: 0...4, using: &numbers) {
            let values: [UInt8] = [0, 1, 2, 0x20, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &numbers)]
            let value = values[Int.random(in: values.indices, using: &numbers)]
            bytes.setInteger(value, at: Int.random(in: 0..<writerIndex, using: &numbers))
        }
        guard Int.random(in: 0..<5, using: &numbers) == 0 else { return bytes }
        return bytes.getSlice(at: 0, length: Int.random(in: 0...writerIndex, using: &numbers)) ?? bytes
    }
}
