// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

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
