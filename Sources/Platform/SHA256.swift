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
