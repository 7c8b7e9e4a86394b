// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A secret that is found wherever it goes: 24 random letters and digits, or bytes that came up in a test.
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

    /// The ways in which it may be written: what is searched for, and how that is called.
    var forms: [(name: String, bytes: [UInt8])] {
        let digits = bytes.map { String(hexByte: $0) }
        let percent = digits.map { "%" + $0.uppercased() }.joined()
        let wide: [UInt8] = bytes.flatMap { byte -> [UInt8] in [byte, 0] }
        var forms: [(name: String, bytes: [UInt8])] = [
            ("plain", bytes),
            ("hex", Array(digits.joined().utf8)),
            ("HEX", Array(digits.joined().uppercased().utf8)),
            ("percent", Array(percent.utf8)),
            // Without the zero at either end it is both kinds of UTF-16.
            ("UTF-16", wide.dropLast()),
        ]
        // Base64 of it somewhere inside other bytes: three ways to be cut into groups of three.
        for lead in 0..<3 {
            forms.append(("base64+\(lead)", Self.base64(Array(bytes.dropFirst(lead)))))
        }
        return forms.map { ("\(name)/\($0.name)", $0.bytes) }
    }

    /// Whole groups only: what follows is not known.
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
