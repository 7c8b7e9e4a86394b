// SPDX-License-Identifier: Apache-2.0

/// Letters and digits of ASCII. Protocols and names of files compare these alone, whatever the language.
package enum ASCII {
    /// The byte, with a capital letter made small.
    @inlinable
    package static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }

    /// The text, with capital letters made small.
    package static func lowered(_ text: String) -> String {
        text.utf8.contains(where: isUpper) ? String(decoding: text.utf8.map(lowered), as: UTF8.self) : text
    }

    /// Compares without regard to case, as DNS does (RFC 4343).
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool { areAlike(one, other) }

    /// Compares without regard to case, as DNS does (RFC 4343).
    package static func areEqual(_ one: String, _ other: String) -> Bool { areAlike(one.utf8, other.utf8) }

    /// Generic code is specialised in its own module only. Without that a comparison takes ten times as long.
    private static func areAlike(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { lowered($0) == lowered($1) }
    }

    /// Whether a text has only letters, digits and these marks. It may be empty.
    package static func isWord(_ text: some StringProtocol, marks: String) -> Bool {
        text.utf8.allSatisfy { isAlphanumeric($0) || marks.utf8.contains($0) }
    }

    /// Whether a byte is a letter or a digit.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Whether a byte is a capital letter.
    @inlinable
    package static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
