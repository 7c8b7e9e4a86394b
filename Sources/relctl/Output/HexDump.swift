// SPDX-License-Identifier: Apache-2.0

import Platform

/// Bytes for people: offset, 16 bytes in hexadecimal, and what of them is ASCII.
enum HexDump {
    private static let width = 16

    static func lines(of bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: width).map { start in
            let row = bytes[start..<min(start + width, bytes.count)]
            let offset = String(start, radix: 16)
            let hex = row.map { HexText.encode([$0]) }.joined(separator: " ")
            let text = String(decoding: row.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
            return padded(offset, 4, before: true) + "  " + padded(hex, 3 * width - 1, before: false) + "  " + text
        }
    }

    private static func padded(_ text: String, _ count: Int, before: Bool) -> String {
        let room = String(repeating: before ? "0" : " ", count: max(0, count - text.utf8.count))
        return before ? room + text : text + room
    }
}
