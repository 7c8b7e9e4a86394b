// SPDX-License-Identifier: Apache-2.0

/// Digits that stand for bytes.
enum DigitForm {
    case hexadecimal
    /// Of either alphabet, that for mail and that for URLs.
    case base64

    /// At how many of the first digits a byte may begin.
    var starts: Int {
        switch self {
        case .hexadecimal: 2
        case .base64: 4
        }
    }

    private var bits: Int {
        switch self {
        case .hexadecimal: 4
        case .base64: 6
        }
    }

    /// Decodes all digits of a text but the first few, whatever stands between them.
    ///
    /// - Parameter output: emptied first; has room for as many bytes as the text.
    func decode(_ text: UnsafeRawBufferPointer, from start: Int, into output: inout ScratchBytes) {
        output.removeAll()
        var skipped = 0
        var bits = 0
        var count = 0
        for byte in text {
            guard let digit = value(byte) else { continue }
            guard skipped == start else {
                skipped += 1
                continue
            }
            bits = (bits << self.bits | digit) & 0xFFFF
            count += self.bits
            guard count >= 8 else { continue }
            count -= 8
            output.append(UInt8(truncatingIfNeeded: bits >> count))
        }
    }

    private func value(_ byte: UInt8) -> Int? {
        switch self {
        case .hexadecimal: EscapeDecoder.digit(byte).map(Int.init)
        case .base64: Self.base64(byte)
        }
    }

    private static func base64(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
