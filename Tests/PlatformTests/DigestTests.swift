// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite("SHA-256 and HMAC-SHA-256")
struct DigestTests {
    @Test(
        "known answers of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func sha256(message: String, digest: String) throws {
        let bytes = Array(message.utf8)
        #expect(HexText.encode(try SHA256.digest(of: bytes)) == digest)
        var pieces = try SHA256()
        for byte in bytes { try pieces.update([byte]) }
        #expect(HexText.encode(try pieces.finalize()) == digest)
    }

    @Test(
        "known answers of RFC 4231",
        arguments: [
            (
                String(repeating: "0b", count: 20), HexText.encode("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                HexText.encode("Jefe".utf8), HexText.encode("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                String(repeating: "aa", count: 20), String(repeating: "dd", count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                String(repeating: "aa", count: 131),
                HexText.encode("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
    )
    func hmac(key: String, message: String, tag: String) throws {
        let key = try #require(HexText.decode(key))
        let message = try #require(HexText.decode(message))
        #expect(HexText.encode(try key.withUnsafeBytes { try HMACSHA256.tag(of: message, key: $0) }) == tag)
    }

    @Test("HexText decodes its own text, and rejects text that is not hexadecimal")
    func hex() {
        let bytes = [UInt8](0...255)
        #expect(HexText.decode(HexText.encode(bytes)) == bytes)
        #expect(HexText.decode("ABcd") == [0xAB, 0xCD])
        for text in ["a", "0g", "0x10", " 00", "é"] { #expect(HexText.decode(text) == nil) }
    }

    @Test("ConstantTime.areEqual agrees with ==")
    func constantTime() {
        #expect(ConstantTime.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!ConstantTime.areEqual([1, 2, 3], [1, 2]))
    }

    @Test("SystemRandom returns different bytes each time")
    func random() throws {
        #expect(try SystemRandom().bytes(32) != SystemRandom().bytes(32))
        #expect(try SystemRandom().bytes(0).isEmpty)
    }
}
