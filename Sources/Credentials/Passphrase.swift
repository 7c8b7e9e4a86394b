// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform
@_spi(_Unicode) import Swift

/// Normalises passphrases for scrypt: UTF-8 in Unicode normal form C, so that the same letters typed on another
/// keyboard open the vault.
enum Passphrase {
    /// Normalises a passphrase.
    ///
    /// - Throws: `CredentialError.invalid` if it is empty, not UTF-8, or longer than 1024 bytes.
    static func normalised(_ passphrase: borrowing Secret, in arena: SecretArena) throws(CredentialError) -> Secret {
        guard passphrase.count > 0 else { throw .invalid(field: "the passphrase", reason: "is empty") }
        guard passphrase.count <= VaultLimits.passphraseBytes else { throw tooLong }
        if passphrase.withBytes({ bytes in bytes.allSatisfy { $0 < 0x80 } }) {
            return try translated { () throws(PlatformError) in try passphrase.duplicate(in: arena) }
        }
        // The standard library can normalise only a `String`. A passphrase that is not ASCII is copied into one,
        // which is wiped below.
        guard var text = passphrase.withBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .invalid(field: "the passphrase", reason: "is not UTF-8")
        }
        defer {
            text.withUTF8 { OPENSSL_cleanse(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) }
        }
        var fits = true
        let secret = try translated { () throws(PlatformError) in
            try Secret(capacity: VaultLimits.passphraseBytes, in: arena) { room in
                var count = 0
                for scalar in text._nfc {
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        guard count < room.count else {
                            fits = false
                            return 0
                        }
                        room[count] = byte
                        count += 1
                    }
                }
                return count
            }
        }
        guard fits else { throw tooLong }
        return secret
    }

    /// Checks that a new passphrase can be typed again. For example, a line end of another system could not.
    ///
    /// - Throws: `CredentialError.invalid` if it contains an ASCII control character.
    static func checkTypable(_ passphrase: borrowing Secret) throws(CredentialError) {
        guard passphrase.withBytes({ bytes in bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            throw .invalid(field: "the passphrase", reason: "holds a control character, which nobody can type")
        }
    }

    private static var tooLong: CredentialError {
        .invalid(field: "the passphrase", reason: "is longer than \(VaultLimits.passphraseBytes) bytes")
    }
}
