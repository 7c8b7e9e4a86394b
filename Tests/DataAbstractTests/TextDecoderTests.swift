// SPDX-License-Identifier: Apache-2.0

import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct TextDecoderTests {
    @Test("UTF-16 is decoded as String does, also with unpaired surrogates", arguments: 0..<20)
    func utf16(seed: UInt64) {
        var numbers = SeededRandom(seed: seed)
        let samples: [UInt16] = [
            0, 0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
        ]
        for count in 0..<60 {
            let isASCII = Bool.random(using: &numbers)
            let units = (0..<count).map { _ in
                isASCII ? .random(in: 0..<0x80, using: &numbers) : samples.randomElement(using: &numbers) ?? 0
            }
            let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let text = bytes.withUnsafeBytes { TextDecoder.utf16($0) }
            #expect(Array(text.utf8) == Array(String(decoding: units, as: UTF16.self).utf8))
        }
    }

    @Test("forEachValue returns the cells that iteration returns", arguments: 0..<20)
    func forEachValue(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let rows = try DataTable.random(rows: 20, &numbers).rows
        var values = rows.map { _ in [DataValue]() }
        rows.forEachValue { row, column, value in
            #expect(column == values[row].count)
            values[row].append(value)
        }
        #expect(values == rows.map(Array.init))
    }
}
