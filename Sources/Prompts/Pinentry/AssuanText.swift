// SPDX-License-Identifier: Apache-2.0

/// The percent escapes of the Assuan protocol.
enum AssuanText {
    /// What libassuan takes as one line, with its end.
    static let longestLine = 1_000

    /// One command with a text as its argument.
    ///
    /// - Returns: nil if that is longer than a line.
    static func command(_ name: String, _ text: String) -> [UInt8]? {
        var line = Array(name.utf8) + [UInt8(ascii: " ")]
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "%"), 0..<0x20, 0x7F: line += escape(byte)
            // Some show a text with tags in it as rich text, and ours comes from the network in part.
            case UInt8(ascii: "<"): line += Array("\\u{3C}".utf8)
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\n"))
        return line.count <= longestLine ? line : nil
    }

    /// Takes the escapes out of a line of data.
    ///
    /// - Returns: how many bytes of the room were used; nil for an escape that is none, or where the room is too small.
    static func decode(_ bytes: Slice<UnsafeRawBufferPointer>, into room: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        var rest = bytes
        while let byte = rest.popFirst() {
            var plain = byte
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                plain = high << 4 | low
            }
            guard count < room.count else { return nil }
            room[count] = plain
            count += 1
        }
        return count
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}
