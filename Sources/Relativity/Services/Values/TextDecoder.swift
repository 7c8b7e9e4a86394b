// SPDX-License-Identifier: Apache-2.0

/// Decodes the texts of cells. The initialisers of `String` for other encodings than UTF-8 take several times as long.
package enum TextDecoder {
    /// Decodes a text with one byte for each character.
    package static func latin1(_ bytes: UnsafeRawBufferPointer) -> String {
        // Not `contains`, which tests one byte at a time because it stops at the first one found.
        guard bytes.reduce(0, |) >= 0x80 else { return String(decoding: bytes, as: UTF8.self) }
        let size = bytes.reduce(0) { $0 + ($1 < 0x80 ? 1 : 2) }
        return String(unsafeUninitializedCapacity: size) { space in
            var text = Writer(space)
            for byte in bytes { text.write(UInt32(byte)) }
            return text.count
        }
    }

    /// Decodes a text with one byte for each character.
    ///
    /// - Parameter units: the UTF-16 unit of each byte.
    package static func text(_ bytes: UnsafeRawBufferPointer, _ units: [UInt16]) -> String {
        units.withUnsafeBufferPointer { units in
            let size = bytes.reduce(0) { sum, byte in
                let unit = units[Int(byte)]
                return sum + (unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)
            }
            return String(unsafeUninitializedCapacity: size) { space in
                var text = Writer(space)
                for byte in bytes { text.write(UInt32(units[Int(byte)])) }
                return text.count
            }
        }
    }

    /// Decodes UTF-16. An unpaired surrogate becomes U+FFFD.
    ///
    /// - Precondition: the number of bytes is even.
    package static func utf16(_ bytes: UnsafeRawBufferPointer) -> String {
        let count = bytes.count / 2
        func unit(_ index: Int) -> UInt16 {
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
        var seen: UInt16 = 0
        for index in 0..<count { seen |= unit(index) }
        guard seen >= 0x80 else {
            return String(unsafeUninitializedCapacity: count) { space in
                for index in 0..<count { space[index] = UInt8(truncatingIfNeeded: unit(index)) }
                return count
            }
        }
        var size = 0
        for index in 0..<count { size += unit(index) < 0x80 ? 1 : unit(index) < 0x800 ? 2 : 3 }
        return String(unsafeUninitializedCapacity: size) { space in
            var text = Writer(space)
            var index = 0
            while index < count {
                let first = unit(index)
                index += 1
                guard first & 0xF800 == 0xD800 else {
                    text.write(UInt32(first))
                    continue
                }
                guard first < 0xDC00, index < count, unit(index) & 0xFC00 == 0xDC00 else {
                    text.write(0xFFFD)
                    continue
                }
                text.write(0x1_0000 + UInt32(first & 0x3FF) << 10 + UInt32(unit(index) & 0x3FF))
                index += 1
            }
            return text.count
        }
    }

    /// Writes UTF-8 to memory that is large enough for it.
    private struct Writer {
        private let space: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(_ space: UnsafeMutableBufferPointer<UInt8>) {
            self.space = space
        }

        mutating func write(_ scalar: UInt32) {
            switch scalar {
            case ..<0x80: put(scalar)
            case ..<0x800:
                put(0xC0 | scalar >> 6)
                put(0x80 | scalar & 0x3F)
            case ..<0x1_0000:
                put(0xE0 | scalar >> 12)
                put(0x80 | scalar >> 6 & 0x3F)
                put(0x80 | scalar & 0x3F)
            default:
                put(0xF0 | scalar >> 18)
                put(0x80 | scalar >> 12 & 0x3F)
                put(0x80 | scalar >> 6 & 0x3F)
                put(0x80 | scalar & 0x3F)
            }
        }

        private mutating func put(_ byte: UInt32) {
            space[count] = UInt8(truncatingIfNeeded: byte)
            count += 1
        }
    }
}
