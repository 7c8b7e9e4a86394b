// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// SHA-256 (FIPS 180-4), computed over several chunks. For a single chunk there is `SHA256.digest(of:)`.
package struct SHA256: ~Copyable {
    /// The length of a digest.
    package static let byteCount = 32

    private let context: OpaquePointer

    /// Starts a digest.
    package init() throws(PlatformError) {
        guard let context = EVP_MD_CTX_new() else { throw .crypto(call: "EVP_MD_CTX_new") }
        guard EVP_DigestInit_ex2(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw .crypto(call: "EVP_DigestInit_ex2")
        }
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    /// Adds a chunk.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        guard bytes.isEmpty || EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else {
            throw .crypto(call: "EVP_DigestUpdate")
        }
    }

    /// Adds a chunk.
    package mutating func update(_ bytes: [UInt8]) throws(PlatformError) {
        guard bytes.isEmpty || EVP_DigestUpdate(context, bytes, bytes.count) == 1 else {
            throw .crypto(call: "EVP_DigestUpdate")
        }
    }

    /// - Returns: the 32 bytes of the digest.
    package consuming func finalize() throws(PlatformError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { throw .crypto(call: "EVP_DigestFinal_ex") }
        return digest
    }

    /// - Returns: the 32 bytes of the digest.
    package static func digest(of bytes: [UInt8]) throws(PlatformError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else {
            throw .crypto(call: "EVP_Digest")
        }
        return digest
    }
}

/// HMAC-SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// - Returns: the tag, of 32 bytes.
    package static func tag(of bytes: [UInt8], key: UnsafeRawBufferPointer) throws(PlatformError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: SHA256.byteCount)
        var written = 0
        let result = EVP_Q_mac(
            nil,
            "HMAC",
            nil,
            "SHA256",
            nil,
            key.baseAddress,
            key.count,
            bytes,
            bytes.count,
            &tag,
            tag.count,
            &written
        )
        guard result != nil, written == tag.count else { throw .crypto(call: "EVP_Q_mac") }
        return tag
    }
}

/// Comparison of tags, commitments and other values, in a time that does not depend on where they first differ.
package enum ConstantTime {
    /// Compares in a time that depends on the lengths only.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    /// Compares in a time that depends on the lengths only.
    package static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
    }
}

/// The source of keys, salts and identities. Only tests use another one than `SystemRandom`.
package protocol RandomSource: Sendable {
    /// Fills the whole buffer.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(PlatformError)
}

extension RandomSource {
    /// Returns random bytes that are not secret: for salts, identities and file names.
    package func bytes(_ count: Int) throws(PlatformError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var failure: PlatformError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(PlatformError) { try fill(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// libcrypto's generator for private values (RAND_priv_bytes).
package struct SystemRandom: RandomSource {
    /// The generator has no state of its own.
    package init() {}

    /// - Throws: `PlatformError.crypto` if libcrypto cannot be seeded.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) {
        guard let base = buffer.baseAddress, buffer.count > 0 else { return }
        guard RAND_priv_bytes(base.assumingMemoryBound(to: UInt8.self), Int32(buffer.count)) == 1 else {
            throw .crypto(call: "RAND_priv_bytes")
        }
    }
}
