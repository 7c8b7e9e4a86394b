// SPDX-License-Identifier: Apache-2.0

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
