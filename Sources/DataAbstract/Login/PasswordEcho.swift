// SPDX-License-Identifier: Apache-2.0

import Glibc
import Remoting

/// Looks for a password in the text of a server, also in the forms that programs give to what they log: UTF-16, hex,
/// Base64, percent encoding, escaped quotes.
///
/// It is the text that gets decoded: the password is compared where it stands, and never copied. This finds what a
/// careless server says. One that means to smuggle the password out can always find another form.
struct PasswordEcho {
    /// As much as `Printable` ever shows of a text; what follows is searched for the rest of what begins before.
    static let textLimit = 16_384
    /// The most bytes of text for one of the password, as in the hex digits of UTF-16.
    private static let widest = 6
    private static let quote = UInt8(ascii: "\"")
    private static let hexDigits = Array("0123456789abcdef".utf8)
    private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private let password: UnsafeRawBufferPointer

    /// - Parameter password: as in a login string, quotes doubled; valid for as long as this value is used.
    init(of password: UnsafeRawBufferPointer) {
        self.password = password
    }

    /// False for an empty password, which every text contains.
    func isFound(in text: String) -> Bool {
        guard !password.isEmpty else { return false }
        let bytes = Array(text.utf8.prefix(Self.textLimit + Self.widest * password.count))
        // Text in no UTF-8 was read as Latin-1, a character for each byte.
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        let narrow = scalars.allSatisfy { $0.value <= 0xFF } ? scalars.map { UInt8($0.value) } : []
        let escaped = [Self.withoutBackslashes(bytes), Self.percentDecoded(bytes)]
        return ([bytes, narrow] + escaped + Self.digitsDecoded(bytes)).contains(where: isFoundInAnyText)
    }

    /// Bytes that may be text in an 8-bit encoding or in UTF-16.
    private func isFoundInAnyText(_ bytes: [UInt8]) -> Bool {
        isFound(in: bytes) || isFound(in: Array(AnsiString(bytes: bytes).text.utf8))
            || [0, 1].contains { start in
                isFound(in: Self.fromUTF16(bytes[min(start, bytes.count)...]) { UInt16($0) | UInt16($1) << 8 })
                    || isFound(in: Self.fromUTF16(bytes[min(start, bytes.count)...]) { UInt16($0) << 8 | UInt16($1) })
            }
    }

    private func isFound(in text: [UInt8]) -> Bool {
        if stands(in: text) { return true }
        return text.contains(Self.quote) && stands(in: text.flatMap { $0 == Self.quote ? [$0, $0] : [$0] })
    }

    private func stands(in text: [UInt8]) -> Bool {
        guard let password = password.baseAddress, text.count >= self.password.count else { return false }
        return text.withUnsafeBytes { text in
            guard let start = text.baseAddress else { return false }
            return (0...(text.count - self.password.count)).contains {
                memcmp(start + $0, password, self.password.count) == 0
            }
        }
    }

    private static func fromUTF16(_ bytes: ArraySlice<UInt8>, _ unit: (UInt8, UInt8) -> UInt16) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private static func withoutBackslashes(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            if !isEscaped { result.append(byte) }
        }
        return result
    }

    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(hexValue)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                result.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return result
    }

    /// Hex and Base64, whatever stands between the digits, from each place where a byte may begin.
    private static func digitsDecoded(_ bytes: [UInt8]) -> [[UInt8]] {
        let hex = bytes.compactMap(hexValue)
        let base64 = bytes.compactMap(base64Value)
        return (0..<2).map { decoded(hex.dropFirst($0), bitsEach: 4) }
            + (0..<4).map { decoded(base64.dropFirst($0), bitsEach: 6) }
    }

    private static func decoded(_ digits: ArraySlice<Int>, bitsEach: Int) -> [UInt8] {
        var result: [UInt8] = []
        var bits = 0
        var count = 0
        for digit in digits {
            bits = (bits << bitsEach | digit) & 0xFFFF
            count += bitsEach
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return result
    }

    private static func hexValue(_ byte: UInt8) -> Int? {
        hexDigits.firstIndex(of: (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte)
    }

    /// Also of the alphabet for URLs.
    private static func base64Value(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: base64Digits.firstIndex(of: byte)
        }
    }
}
