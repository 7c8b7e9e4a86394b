// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore

extension ByteBuffer {
    /// Most bytes that are reserved because a peer has announced them.
    private static let mostReserved = 1 << 20

    /// Appends one part of what arrives in parts. What arrives in one is not copied, and what is announced is copied once.
    ///
    /// - Parameter total: bytes of all parts, as far as it is known.
    package mutating func collect(_ part: ByteBuffer, of total: Int?) {
        if readableBytes == 0 {
            let isWhole = total.map { $0 == part.readableBytes } ?? true
            // Not for a few bytes of a large read: all of it would stay in memory, and nobody counts that.
            if isWhole, part.readableBytes * 2 >= part.storageCapacity {
                self = part
                return
            }
            self = ByteBuffer()
            reserveCapacity(min(total ?? part.readableBytes, Self.mostReserved))
        }
        writeImmutableBuffer(part)
    }

    /// Appends one part of what may hold a secret: the part is overwritten, and so is what growth leaves behind.
    ///
    /// - Parameter total: bytes of all parts, as far as it is known.
    package mutating func collectWiping(_ part: ByteBuffer, of total: Int?) {
        let needed = readableBytes + part.readableBytes
        if needed > storageCapacity - readerIndex {
            var room = ByteBuffer()
            room.reserveCapacity(max(2 * needed, min(total ?? 0, Self.mostReserved)))
            room.writeImmutableBuffer(self)
            // Also what was read from it already.
            if writerIndex > 0 { wipeSharedStorage() }
            self = room
        }
        writeImmutableBuffer(part)
        part.wipeReadableBytes()
    }
}

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
