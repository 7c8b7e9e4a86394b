// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform

/// The two key derivation functions of suite 1.
enum KeyDerivation {
    /// The suite uses SHA-512. SHA-256 is for the test vectors of RFC 5869.
    enum Digest: String {
        case sha256 = "SHA2-256"
        case sha512 = "SHA2-512"
    }

    /// HKDF (RFC 5869), extract and expand.
    static func hkdf(
        _ secret: borrowing Secret,
        salt: [UInt8],
        info: [UInt8],
        byteCount: Int,
        digest: Digest = .sha512,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        try secret.withBytes { key throws(PlatformError) in
            var parameters = KeyDerivationParameters()
            parameters.add(OSSL_KDF_PARAM_DIGEST, text: digest.rawValue)
            parameters.add(OSSL_KDF_PARAM_KEY, key)
            parameters.add(OSSL_KDF_PARAM_SALT, copying: salt)
            parameters.add(OSSL_KDF_PARAM_INFO, copying: info)
            return try parameters.derive("HKDF", byteCount: byteCount, in: arena)
        }
    }

    /// scrypt (RFC 7914) with the parameters of a passphrase slot.
    static func scrypt(
        _ passphrase: borrowing Secret,
        salt: [UInt8],
        cost: ScryptCost,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        try scrypt(
            passphrase,
            salt: salt,
            n: 1 << UInt64(cost.log2N),
            r: UInt64(ScryptCost.r),
            p: UInt64(ScryptCost.p),
            byteCount: AESGCM.keyByteCount,
            in: arena
        )
    }

    /// scrypt with any cost, for test vectors outside the accepted costs. The vault never calls it with such a cost.
    static func scrypt(
        _ passphrase: borrowing Secret,
        salt: [UInt8],
        n: UInt64,
        r: UInt64,
        p: UInt64,
        byteCount: Int,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        try passphrase.withBytes { passphrase throws(PlatformError) in
            var parameters = KeyDerivationParameters()
            parameters.add(OSSL_KDF_PARAM_PASSWORD, passphrase)
            parameters.add(OSSL_KDF_PARAM_SALT, copying: salt)
            parameters.add(OSSL_KDF_PARAM_SCRYPT_N, number: n)
            parameters.add(OSSL_KDF_PARAM_SCRYPT_R, number: r)
            parameters.add(OSSL_KDF_PARAM_SCRYPT_P, number: p)
            // The exact requirement and 1 MiB, instead of libcrypto's default limit.
            parameters.add(OSSL_KDF_PARAM_SCRYPT_MAXMEM, number: 128 * r * (n + p + 2) + (1 << 20))
            return try parameters.derive("SCRYPT", byteCount: byteCount, in: arena)
        }
    }
}
