// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// The rule for characters inside of a format's quotation marks.
enum TextEscape {
    /// Characters as they are.
    case none
    /// A quotation mark is doubled.
    case csv
    /// The escapes of JSON.
    case json
}

// The text of cells as UTF-8.
extension TextBuffer {
    /// The characters that are transcoded between two checks of the space.
    private static let piece = 1024
    /// The bytes of a character at most: a JSON escape.
    private static let longestCharacter = 6

    /// Appends UTF-16. An unpaired surrogate becomes U+FFFD.
    mutating func append(utf16 bytes: UnsafeRawBufferPointer, _ escape: TextEscape) {
        let end = bytes.count & ~1
        var position = 0
        while position < end {
            let stop = min(position + 2 * Self.piece, end)
            // A surrogate pair may reach one unit beyond the piece.
            reserve((Self.piece + 1) * Self.longestCharacter)
            appendReserved { output in
                var filled = 0
                while position < stop {
                    let unit = Self.unit(bytes, position)
                    position += 2
                    if unit < 0x80 {
                        filled += Self.write(ascii: UInt8(truncatingIfNeeded: unit), escape, output + filled)
                        continue
                    }
                    var scalar = UInt32(unit)
                    if unit & 0xF800 == 0xD800 {
                        let next = unit < 0xDC00 && position < end ? Self.unit(bytes, position) : 0
                        if next & 0xFC00 == 0xDC00 {
                            scalar = 0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(next) & 0x3FF
                            position += 2
                        } else {
                            scalar = 0xFFFD
                        }
                    }
                    filled += Self.write(scalar, output + filled)
                }
                return filled
            }
        }
    }

    /// Appends text with one byte per character, or UTF-8.
    mutating func append(_ bytes: UnsafeRawBufferPointer, _ page: CodePage, _ escape: TextEscape) {
        guard let units = page.units else {
            // Invalid sequences are replaced.
            var text = bytes.allSatisfy { $0 < 0x80 } ? nil : String(decoding: bytes, as: UTF8.self)
            if text == nil { append(utf8: bytes, escape) }
            text?.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), escape) }
            return
        }
        page.willRead(bytes)
        units.withUnsafeBufferPointer { units in
            append(each: bytes, escape) { output, byte in Self.write(UInt32(units[Int(byte)]), output) }
        }
    }

    /// Appends valid UTF-8.
    mutating func append(utf8 bytes: UnsafeRawBufferPointer, _ escape: TextEscape) {
        append(each: bytes, escape) { output, byte in
            output.pointee = byte
            return 1
        }
    }

    /// - Parameter write: writes a byte that is not ASCII, and returns the number of bytes.
    @inline(__always)
    private mutating func append(
        each bytes: UnsafeRawBufferPointer,
        _ escape: TextEscape,
        _ write: (UnsafeMutablePointer<UInt8>, UInt8) -> Int
    ) {
        var position = 0
        while position < bytes.count {
            let stop = min(position + Self.piece, bytes.count)
            reserve(Self.piece * Self.longestCharacter)
            appendReserved { output in
                var filled = 0
                while position < stop {
                    let byte = bytes[position]
                    position += 1
                    filled +=
                        byte < 0x80 ? Self.write(ascii: byte, escape, output + filled) : write(output + filled, byte)
                }
                return filled
            }
        }
    }

    @inline(__always)
    private static func unit(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self))
    }

    @inline(__always)
    private static func write(ascii byte: UInt8, _ escape: TextEscape, _ output: UnsafeMutablePointer<UInt8>) -> Int {
        output.pointee = byte
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return 1 }
        return write(special: byte, escape, output)
    }

    private static func write(special byte: UInt8, _ escape: TextEscape, _ output: UnsafeMutablePointer<UInt8>) -> Int {
        switch (escape, byte) {
        case (.csv, UInt8(ascii: "\"")):
            output[1] = byte
            return 2
        case (.none, _), (.csv, _): return 1
        case (.json, UInt8(ascii: "\"")), (.json, UInt8(ascii: "\\")): output[1] = byte
        case (.json, 0x08): output[1] = UInt8(ascii: "b")
        case (.json, 0x09): output[1] = UInt8(ascii: "t")
        case (.json, 0x0A): output[1] = UInt8(ascii: "n")
        case (.json, 0x0C): output[1] = UInt8(ascii: "f")
        case (.json, 0x0D): output[1] = UInt8(ascii: "r")
        case (.json, _):
            write(jsonUnit: UInt16(byte), output)
            return 6
        }
        output[0] = UInt8(ascii: "\\")
        return 2
    }

    /// Appends `\u001b`.
    mutating func append(jsonUnit unit: UInt16) {
        reserve(Self.longestCharacter)
        appendReserved { output in
            Self.write(jsonUnit: unit, output)
            return Self.longestCharacter
        }
    }

    private static func write(jsonUnit unit: UInt16, _ output: UnsafeMutablePointer<UInt8>) {
        output[0] = UInt8(ascii: "\\")
        output[1] = UInt8(ascii: "u")
        for place in 0..<4 {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(12 - 4 * place) & 0xF)
            output[2 + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }

    @inline(__always)
    private static func write(_ scalar: UInt32, _ output: UnsafeMutablePointer<UInt8>) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
        if scalar < 0x80 {
            output[0] = UInt8(truncatingIfNeeded: scalar)
            return 1
        }
        if scalar < 0x800 {
            output[0] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
            output[1] = tail(0)
            return 2
        }
        if scalar < 0x10000 {
            output[0] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
            output[1] = tail(6)
            output[2] = tail(0)
            return 3
        }
        output[0] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
        output[1] = tail(12)
        output[2] = tail(6)
        output[3] = tail(0)
        return 4
    }

    /// Appends base64 with padding.
    mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count {
            // A multiple of three bytes, so that the pieces fit together.
            let stop = min(position + 3 * Self.piece, bytes.count)
            let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<stop])
            let size = Base64.encodedCount(of: piece.count)
            reserve(size)
            appendReserved { Base64.encode(piece, into: UnsafeMutableRawBufferPointer(start: $0, count: size)) }
            position = stop
        }
    }
}
