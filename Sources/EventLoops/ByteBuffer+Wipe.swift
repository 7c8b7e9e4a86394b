// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore

extension ByteBuffer {
    /// Overwrites the readable bytes with zeros, for every buffer that shares them.
    package func wipeReadableBytes() {
        withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }

    /// Overwrites the whole storage with zeros, for every buffer that shares it.
    ///
    /// Best effort: copies that a buffer's growth left behind, TLS records and the kernel's socket buffers are not reached.
    package func wipeSharedStorage() {
        withVeryUnsafeBytes { storage in
            guard let start = storage.baseAddress else { return }
            // Value semantics would wipe a copy; what must go is the storage that others may still hold.
            explicit_bzero(UnsafeMutableRawPointer(mutating: start), storage.count)
        }
    }
}
