// SPDX-License-Identifier: Apache-2.0

import Platform

/// SHA-256 over the SubjectPublicKeyInfo of a certificate (RFC 7469, section 2.4): what a TLS pin holds.
///
/// Survives a renewed certificate that keeps its key.
package struct PublicKeyFingerprint: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// Nil only if libcrypto refuses SHA-256.
    init?(ofSPKI spki: [UInt8]) {
        guard let digest = try? SHA256.digest(of: spki) else { return nil }
        bytes = digest
    }
}

extension PublicKeyFingerprint: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package var description: String { HexText.encode(bytes) }
}
