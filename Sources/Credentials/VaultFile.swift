// SPDX-License-Identifier: Apache-2.0

import Platform

/// A vault file whose header has been checked. Nothing is decrypted yet.
struct VaultFile: Sendable, Hashable {
    let header: VaultHeader
    /// The whole file.
    let bytes: [UInt8]
    /// SHA-256 of the whole file.
    let hash: [UInt8]

    /// Parses a file without a key.
    ///
    /// - Throws: `CredentialError.notAVault`, `.versionTooNew` or `.damaged`.
    init(parsing bytes: [UInt8]) throws(CredentialError) {
        guard bytes.count <= VaultLimits.fileBytes else { throw .damaged(.size) }
        let header = try bytes.span.bytes.withUnsafeBytes { file throws(CredentialError) in
            try VaultHeader(parsing: file)
        }
        let size = header.byteCount + header.payloadByteCount + VaultHeader.gcmTagByteCount
        guard bytes.count == size else { throw .damaged(.size) }
        hash = try translated { () throws(PlatformError) in try SHA256.digest(of: bytes) }
        self.header = header
        self.bytes = bytes
    }

    var headerBeforeTag: ArraySlice<UInt8> { bytes[..<(header.byteCount - VaultHeader.tagByteCount)] }
    var headerTag: ArraySlice<UInt8> { bytes[headerBeforeTag.endIndex..<header.byteCount] }
    var headerWithTag: ArraySlice<UInt8> { bytes[..<header.byteCount] }
    var ciphertext: ArraySlice<UInt8> { bytes[header.byteCount..<(header.byteCount + header.payloadByteCount)] }
    var gcmTag: ArraySlice<UInt8> { bytes[ciphertext.endIndex...] }
}
