// SPDX-License-Identifier: Apache-2.0

/// Base64 (RFC 4648, section 4) between the caller's buffers, for bytes that must not become a `String`.
package enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The length of the encoded text, with padding.
    package static func encodedCount(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }

    /// - Parameter room: at least `encodedCount(of: bytes.count)` bytes.
    /// - Returns: the number of bytes of `room` that were used.
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
