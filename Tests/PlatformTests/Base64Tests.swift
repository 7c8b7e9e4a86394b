// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "the examples of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
    )
    func examples(plain: String, text: String) {
        #expect(Base64.encode(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(
        "decode rejects text that is not the canonical encoding",
        arguments: [
            "Z", "Zg", "Zg=", "Zh==", "Zg==\n", " Zg=", "Zm9=", "====", "Zg==Zg==", "Z===", "Zm9v\n\n\n\n", "Zm9-",
        ]
    )
    func refused(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("decode rejects text that does not fit the buffer")
    func room() {
        var room: [UInt8] = [0, 0]
        let count = Array("Zm9v".utf8).withUnsafeBytes { text in
            room.withUnsafeMutableBytes { Base64.decode(text, into: $0) }
        }
        #expect(count == nil)
    }

    @Test("decode returns the bytes that were encoded")
    func random() {
        var random = SeededRandom(seed: 64)
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }
}
