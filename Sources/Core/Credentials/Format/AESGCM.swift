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
    /// - Parameter ciphertext: a buffer of the plaintext's size. It may be the plaintext's own memory.
    /// - Returns: the tag.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: borrowing Secret,
        associatedData: [UInt8],
        into ciphertext: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> [UInt8] {
        let context = try CipherContext(.seal, key: key)
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
        associatedData: [UInt8]
    ) throws(PlatformError) -> (ciphertext: [UInt8], tag: [UInt8]) {
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        let tag = ciphertext.withUnsafeMutableBytes { buffer in
            Result { () throws(PlatformError) in
                try seal(plaintext, key: key, associatedData: associatedData, into: buffer)
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
        associatedData: [UInt8],
        into plaintext: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) -> Bool {
        let context = try CipherContext(.open, key: key)
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

/// One AES-256-GCM operation in libcrypto.
struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer

    init(_ direction: Direction, key: borrowing Secret) throws(PlatformError) {
        precondition(key.count == AESGCM.keyByteCount)
        guard let context = EVP_CIPHER_CTX_new() else { throw .crypto(call: "EVP_CIPHER_CTX_new") }
        let result = key.withBytes { key in
            let bytes = key.assumingMemoryBound(to: UInt8.self)
            return EVP_CipherInit_ex2(
                context,
                EVP_aes_256_gcm(),
                bytes.baseAddress,
                AESGCM.zeroNonce,
                direction.rawValue,
                nil
            )
        }
        guard result == 1 else {
            EVP_CIPHER_CTX_free(context)
            throw .crypto(call: "EVP_CipherInit_ex2")
        }
        self.context = context
    }

    deinit {
        // This wipes the key schedule too.
        EVP_CIPHER_CTX_free(context)
    }

    borrowing func authenticate(_ data: [UInt8]) throws(PlatformError) {
        var written: Int32 = 0
        guard data.isEmpty || EVP_CipherUpdate(context, nil, &written, data, Int32(data.count)) == 1 else {
            throw .crypto(call: "EVP_CipherUpdate")
        }
    }

    borrowing func transform(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(PlatformError) {
        precondition(output.count == input.count && input.count <= VaultLimits.fileBytes)
        guard !input.isEmpty else { return }
        var written: Int32 = 0
        let result = EVP_CipherUpdate(
            context,
            output.assumingMemoryBound(to: UInt8.self).baseAddress,
            &written,
            input.assumingMemoryBound(to: UInt8.self).baseAddress,
            Int32(input.count)
        )
        guard result == 1, Int(written) == input.count else { throw .crypto(call: "EVP_CipherUpdate") }
    }

    borrowing func expect(_ tag: [UInt8]) throws(PlatformError) {
        var tag = tag
        precondition(tag.count == AESGCM.tagByteCount)
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .crypto(call: "EVP_CTRL_AEAD_SET_TAG")
        }
    }

    /// Ends the operation.
    ///
    /// - Returns: false if the context opens and the tag does not match.
    borrowing func finish() -> Bool {
        var nothing: UInt8 = 0
        var written: Int32 = 0
        let isRight = EVP_CipherFinal_ex(context, &nothing, &written) == 1
        if !isRight { ERR_clear_error() }
        return isRight
    }

    borrowing func tag() throws(PlatformError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: AESGCM.tagByteCount)
        guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else {
            throw .crypto(call: "EVP_CTRL_AEAD_GET_TAG")
        }
        return tag
    }
}
