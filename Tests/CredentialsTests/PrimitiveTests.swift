// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("scrypt and SHA-256")
struct PrimitiveTests {
    private static func secret(_ bytes: [UInt8], _ arena: SecretArena) throws -> Secret {
        try Secret(copying: bytes, in: arena)
    }

    @Test(
        "scrypt matches RFC 7914, section 12",
        arguments: [
            (
                "", "", 16, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                    + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 1024, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                    + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", 16384, 8, 1,
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                    + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
            ),
            (
                "pleaseletmein", "SodiumChloride", 1_048_576, 8, 1,
                "2101cb9b6a511aaeaddbbe09cf70f881ec568d574a2ffd4dabe5ee9820adaa47"
                    + "8e56fd8f4ba5d09ffa1c6d927c40f4c337304049e8a952fbcbf45c6fa77a41a4"
            ),
        ] as [(String, String, UInt64, UInt64, UInt64, String)]
    )
    func scrypt(password: String, salt: String, n: UInt64, r: UInt64, p: UInt64, answer: String) throws {
        let arena = try SecretArena(byteCount: 4096)
        let key = try KeyDerivation.scrypt(
            try Self.secret(Array(password.utf8), arena),
            salt: Array(salt.utf8),
            n: n,
            r: r,
            p: p,
            byteCount: 64,
            in: arena
        )
        #expect(key.withBytes { HexText.encode($0) } == answer)
    }

    @Test("SHA-256 of random bytes is that of libcrypto")
    func sha256() {
        var random = SeededRandom(seed: 79)
        for count in 0..<600 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var expected = [UInt8](repeating: 0, count: SHA256.byteCount)
            #expect(EVP_Digest(bytes, bytes.count, &expected, nil, EVP_sha256(), nil) == 1)
            #expect(SHA256.digest(of: bytes) == expected, "\(count) bytes")
        }
    }
}
