// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
import Platform

/// AES-256-GCM (NIST SP 800-38D). Every key of the vault encrypts one message only, so the nonce can be zero.
enum AESGCM {
    static let keyByteCount = 32
    static let tagByteCount = 16
    static let zeroNonce = [UInt8](repeating: 0, count: 12)

    /// Encrypts `plaintext` into `ciphertext`.
    ///
    /// - Parameters:
    ///   - nonce: 12 bytes.
    ///   - ciphertext: a buffer of the plaintext's size. It may be the plaintext's own memory.
    /// - Returns: the tag.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: [UInt8] = zeroNonce,
        associatedData: [UInt8],
        into ciphertext: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> [UInt8] {
        let context = try CipherContext(.seal, key: key, nonce: nonce)
        try context.authenticate(associatedData)
        try context.transform(plaintext, into: ciphertext)
        guard context.finish() else { throw .crypto(call: "EVP_EncryptFinal_ex") }
        return try context.tag()
    }

    /// Encrypts `plaintext` into a new array.
    ///
    /// - Returns: ciphertext and tag.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: borrowing Secret,
        nonce: [UInt8] = zeroNonce,
        associatedData: [UInt8]
    ) throws(PlatformError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        let tag = ciphertext.withUnsafeMutableBytes { room in
            Result { () throws(PlatformError) in
                try seal(plaintext, key: key, nonce: nonce, associatedData: associatedData, into: room)
            }
        }
        return (ciphertext, try tag.get())
    }

    /// Decrypts `ciphertext` into `plaintext`.
    ///
    /// - Parameter plaintext: a buffer of the ciphertext's size. It is wiped if the tag does not match.
    /// - Returns: false if key, nonce, associated data, ciphertext and tag do not belong together.
    static func open(
        _ ciphertext: UnsafeRawBufferPointer,
        tag: [UInt8],
        key: borrowing Secret,
        nonce: [UInt8] = zeroNonce,
        associatedData: [UInt8],
        into plaintext: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Bool {
        let context = try CipherContext(.open, key: key, nonce: nonce)
        do throws(PlatformError) {
            try context.authenticate(associatedData)
            try context.transform(ciphertext, into: plaintext)
            try context.expect(tag)
        } catch {
            OPENSSL_cleanse(plaintext.baseAddress, plaintext.count)
            throw error
        }
        guard context.finish() else {
            OPENSSL_cleanse(plaintext.baseAddress, plaintext.count)
            return false
        }
        return true
    }
}
