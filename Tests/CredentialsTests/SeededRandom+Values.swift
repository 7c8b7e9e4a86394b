// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension SeededRandom {
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ part: Int, of whole: Int) -> Bool { number(1...whole) <= part }

    /// One of the values, of which there must be at least one.
    mutating func element<Value>(_ values: [Value]) -> Value { values[number(0...(values.count - 1))] }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes += $0.prefix(count - bytes.count) } }
        return bytes
    }

    /// Letters of several alphabets, combining marks, emoji, and sometimes a control character.
    mutating func text(upTo count: Int) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0x20...0x7E, 0xA1...0x17F, 0x300...0x36F, 0x391...0x3A9, 0x5D0...0x5EA, 0x627...0x64A,
            0x4E00...0x9FFF, 0xAC00...0xD7A3, 0x200B...0x200F, 0x1F300...0x1F5FF, 0x00...0x1F,
        ]
        var text = ""
        for _ in 0..<number(0...count) {
            let range = element(ranges)
            let value = UInt32.random(in: range, using: &self)
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
