// SPDX-License-Identifier: Apache-2.0

import Glibc

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

/// The generator of the kernel (getentropy(3)).
package struct SystemRandom: RandomSource {
    /// The most bytes of one call.
    private static let longestRequest = 256

    /// The generator has no state of its own.
    package init() {}

    /// - Throws: `PlatformError.system` on a kernel without the call.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(PlatformError) {
        for start in stride(from: 0, to: buffer.count, by: Self.longestRequest) {
            let piece = buffer[start..<min(start + Self.longestRequest, buffer.count)]
            guard getentropy(UnsafeMutableRawBufferPointer(rebasing: piece).baseAddress, piece.count) == 0 else {
                throw .system(call: "getentropy", subject: "", errno: errno)
            }
        }
    }
}
