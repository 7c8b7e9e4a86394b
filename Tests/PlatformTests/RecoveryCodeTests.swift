// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@Suite("Recovery codes")
struct RecoveryCodeTests {
    /// The examples of docs/vault-format.md.
    @Test(
        "text(of:in:) writes the codes of docs/vault-format.md",
        arguments: [
            ([UInt8](0..<20), "000G-40R4-0M30-E209-185G-R38E-1W81-24GK-48WD"),
            ([UInt8](repeating: 0xFF, count: 20), "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-E52J"),
        ]
    )
    func vectors(code: [UInt8], text: String) throws {
        let arena = try SecretArena()
        let written = try RecoveryCode.text(of: try Secret(copying: code, in: arena), in: arena)
        #expect(written.withBytes { String(decoding: $0, as: UTF8.self) } == text)
        #expect(try Self.parse(text, arena) == code)
    }

    @Test("parse reads 1,000 codes in every spelling, and detects each single typo and each swap of two neighbours")
    func typing() throws {
        let arena = try SecretArena()
        var random = SeededRandom(seed: 20)
        for _ in 0..<1_000 {
            let code = (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) }
            let written = try RecoveryCode.text(of: try Secret(copying: code, in: arena), in: arena)
            let text = written.withBytes { String(decoding: $0, as: UTF8.self) }
            #expect(text.utf8.count == RecoveryCode.textByteCount)
            let plain = text.split(separator: "-").joined()
            for form in [
                text, text.lowercased(), plain, plain.lowercased(), "  " + text.replacing("-", with: " ") + "\r",
                text.replacing("0", with: "O").replacing("1", with: "l"), text.replacing("1", with: "I"),
            ] {
                #expect(try Self.parse(form, arena) == code)
            }
            var slipped = Array(plain.utf8)
            let place = Int.random(in: 0..<slipped.count, using: &random)
            let other = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.filter { $0 != slipped[place] }
            slipped[place] = try #require(other.randomElement(using: &random))
            #expect(throws: PlatformError.notARecoveryCode(reason: "is mistyped: its checksum does not match")) {
                try Self.parse(String(decoding: slipped, as: UTF8.self), arena)
            }
            var swapped = Array(plain.utf8)
            let first = Int.random(in: 0..<(swapped.count - 1), using: &random)
            guard swapped[first] != swapped[first + 1] else { continue }
            swapped.swapAt(first, first + 1)
            #expect(throws: PlatformError.self) { try Self.parse(String(decoding: swapped, as: UTF8.self), arena) }
        }
    }

    @Test("parse rejects invalid codes with a reason that does not quote them")
    func refusals() throws {
        let arena = try SecretArena()
        for (text, reason) in [
            ("", "has 0 digits and letters, not the 36 of a recovery code"),
            ("0000-0000", "has 8 digits and letters, not the 36 of a recovery code"),
            (String(repeating: "0", count: 37), "has 37 digits and letters, not the 36 of a recovery code"),
            ("00U0", "has a character that no recovery code has, at position 3"),
            ("0é", "has a character that no recovery code has, at position 2"),
        ] {
            #expect(throws: PlatformError.notARecoveryCode(reason: reason)) { try Self.parse(text, arena) }
        }
        #expect(throws: PlatformError.secretTooLong(maximumBytes: 256)) {
            try Self.parse(String(repeating: " ", count: 257), arena)
        }
    }

    private static func parse(_ text: String, _ arena: SecretArena) throws -> [UInt8] {
        let code = try RecoveryCode.parse(try Secret(copying: Array(text.utf8), in: arena), in: arena)
        return code.withBytes { Array($0) }
    }
}
