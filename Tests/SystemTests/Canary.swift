// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A secret that can be found anywhere: 24 random letters and digits, or bytes that a test produced.
struct Canary: Sendable {
    let name: String
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    init(_ name: String) {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        self.init(name, bytes: (0..<24).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    init(_ name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// The possible encodings to search for, each with its name.
    var forms: [(name: String, bytes: [UInt8])] {
        let digits = bytes.map { String(hexByte: $0) }
        let percent = digits.map { "%" + $0.uppercased() }.joined()
        let wide: [UInt8] = bytes.flatMap { byte -> [UInt8] in [byte, 0] }
        var forms: [(name: String, bytes: [UInt8])] = [
            ("plain", bytes),
            ("hex", Array(digits.joined().utf8)),
            ("HEX", Array(digits.joined().uppercased().utf8)),
            ("percent", Array(percent.utf8)),
            // Without the zero at either end it matches both byte orders of UTF-16.
            ("UTF-16", wide.dropLast()),
        ]
        // Base64 of the text within other bytes: three positions relative to the groups of three.
        for lead in 0..<3 {
            forms.append(("base64+\(lead)", Self.base64(Array(bytes.dropFirst(lead)))))
        }
        return forms.map { ("\(name)/\($0.name)", $0.bytes) }
    }

    /// Complete groups only, because the bytes after the text are unknown.
    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return stride(from: 0, to: bytes.count - 2, by: 3).flatMap { index in
            let group = bytes[index..<index + 3].reduce(0) { $0 << 8 | Int($1) }
            return [18, 12, 6, 0].map { alphabet[group >> $0 & 63] }
        }
    }
}

extension String {
    init(hexByte byte: UInt8) {
        let text = String(byte, radix: 16)
        self = byte < 16 ? "0" + text : text
    }
}
