// SPDX-License-Identifier: Apache-2.0

/// The only case that DNS does not tell apart (RFC 4343).
enum ASCIICase {
    static func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map(lowered)
    }

    static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte + 0x20 : byte }

    static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { lowered($0) == lowered($1) }
    }

    static func lowered(_ text: String) -> String {
        text.utf8.contains(where: isUpper) ? String(decoding: lowered(text.utf8), as: UTF8.self) : text
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
