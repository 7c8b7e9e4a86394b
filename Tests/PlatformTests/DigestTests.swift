// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite("SHA-256")
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
    func sha256(message: String, digest: String) {
        let bytes = Array(message.utf8)
        #expect(HexText.encode(SHA256.digest(of: bytes)) == digest)
        var pieces = SHA256()
        for byte in bytes { pieces.update([byte]) }
        #expect(HexText.encode(pieces.finalize()) == digest)
    }

    @Test("the digest of a million bytes, in pieces of every length around a block")
    func pieces() {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        var digest = SHA256()
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + start % 131)
            digest.update(Array(bytes[start..<end]))
            start = end
        }
        #expect(
            HexText.encode(digest.finalize()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
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
