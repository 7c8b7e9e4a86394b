// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Base64 (RFC 4648, section 4) between the caller's buffers, for bytes that must not become a `String`.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The length of the encoded text, with padding.
    package static func encodedCount(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// Encodes bytes into a buffer of at least `encodedCount(of: bytes.count)` bytes.
    ///
    /// - Returns: the number of bytes of the buffer that were used.
    package static func encode(_ bytes: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
            }
            for offset in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * offset) & 63)]
                room[filled] = offset <= group.count ? digit : padding
                filled += 1
            }
        }
        return filled
    }

    /// Decodes complete groups of four characters with correct padding. Any other form is rejected.
    ///
    /// - Returns: the number of bytes of `room` that were used; nil if the text is not base64 or `room` is too small.
    package static func decode(_ text: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let padded = text.reversed().prefix(2).prefix { $0 == padding }.count
        let count = text.count / 4 * 3 - padded
        guard count <= room.count else { return nil }
        var (bits, pending, filled): (UInt32, Int, Int) = (0, 0, 0)
        for character in text.dropLast(padded) {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            pending += 6
            if pending >= 8 {
                pending -= 8
                room[filled] = UInt8(truncatingIfNeeded: bits >> UInt32(pending))
                filled += 1
            }
        }
        let rest = bits & (1 << UInt32(pending) - 1)
        return rest == 0 ? filled : nil
    }

    /// - Returns: 0 to 63, or nil if the character is not a digit of base64. The padding character is not a digit.
    package static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Base64 as Varlink encodes bytes, for bytes that are not secret.
extension Base64 {
    /// Returns the bytes as base64 with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: encodedCount(of: bytes.count)) { room in
            bytes.withUnsafeBytes { encode($0, into: UnsafeMutableRawBufferPointer(room)) }
        }
    }

    /// - Returns: nil unless the text is the canonical encoding of some bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        let symbols = Array(text.utf8)
        var isSound = false
        let bytes = [UInt8](unsafeUninitializedCapacity: symbols.count / 4 * 3) { room, count in
            let decoded = symbols.withUnsafeBytes { decode($0, into: UnsafeMutableRawBufferPointer(room)) }
            count = decoded ?? 0
            isSound = decoded != nil
        }
        return isSound ? bytes : nil
    }
}

/// Lower-case hexadecimal text of bytes that are not secret.
package enum HexText {
    /// Returns two digits for each byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(Array(bytes)) }

    /// Returns two digits for each byte.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// - Returns: nil unless the text is an even number of hexadecimal digits, upper or lower case.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Reads a SHA-256 digest as users write it: 64 digits, with or without colons between the bytes and a leading
    /// `sha256:`.
    package static func decodeDigest(_ text: String) -> [UInt8]? {
        let prefix = "sha256:"
        let digits = text.lowercased().hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
        let bytes = decode(digits.filter { $0 != ":" })
        return bytes?.count == SHA256.byteCount ? bytes : nil
    }

    /// - Returns: 0 to 15, or nil if the ASCII byte is no hexadecimal digit.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// Byte string search in linear time, whatever the text and the needle are.
package enum ByteSearch {
    /// Whether `needle` occurs in `text`.
    package static func contains(_ text: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        guard let start = text.baseAddress, let needleStart = needle.baseAddress else { return needle.isEmpty }
        return relx_contains(start, text.count, needleStart, needle.count) != 0
    }
}
