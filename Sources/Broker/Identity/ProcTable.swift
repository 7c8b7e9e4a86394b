// SPDX-License-Identifier: Apache-2.0

import Platform

/// Parses the tables of `/proc/net`.
enum ProcTable {
    /// The fields of each line after the heading.
    static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst()
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) }
    }

    /// The bytes of an IPv4 address in network order. The kernel prints the address as a little-endian number.
    static func address(_ littleEndianHex: String) -> [UInt8]? {
        guard let bytes = HexText.decode(littleEndianHex), bytes.count == 4 else { return nil }
        return bytes.reversed()
    }
}
