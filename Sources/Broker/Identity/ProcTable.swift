// SPDX-License-Identifier: Apache-2.0

import Platform

/// Reads the tables of `/proc/net`.
enum ProcTable {
    /// The fields of each line below the heading.
    static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst()
            .map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init) }
    }

    /// The kernel prints IPv4 addresses as little-endian numbers; the bytes come in network order.
    static func address(_ littleEndianHex: String) -> [UInt8]? {
        guard let bytes = HexText.decode(littleEndianHex), bytes.count == 4 else { return nil }
        return bytes.reversed()
    }
}
