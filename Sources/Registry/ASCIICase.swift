// SPDX-License-Identifier: Apache-2.0

/// The only case that DNS does not tell apart (RFC 4343).
enum ASCIICase {
    static func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { isUpper($0) ? $0 + 0x20 : $0 }
    }

    static func lowered(_ text: String) -> String {
        text.utf8.contains(where: isUpper) ? String(decoding: lowered(text.utf8), as: UTF8.self) : text
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
