// SPDX-License-Identifier: Apache-2.0

import Glibc
package import NIOCore

extension ByteBuffer {
    /// The maximum number of bytes reserved because a peer announced them.
    private static let mostReserved = 1 << 20

    /// Appends one part of data that arrives in parts. A single part is not copied; data of announced size is copied
    /// only once.
    ///
    /// - Parameter total: the number of bytes of all parts, if known.
    package mutating func collect(_ part: ByteBuffer, of total: Int?) {
        if readableBytes == 0 {
            let isWhole = total.map { $0 == part.readableBytes } ?? true
            // Not for a few bytes of a large read: the whole read buffer would stay in memory without being accounted
            // for.
            if isWhole, part.readableBytes * 2 >= part.storageCapacity {
                self = part
                return
            }
            self = ByteBuffer()
            reserveCapacity(min(total ?? part.readableBytes, Self.mostReserved))
        }
        writeImmutableBuffer(part)
    }

    /// Appends one part of data that may contain a secret. The part is overwritten, and so is the old storage if the
    /// buffer grows.
    ///
    /// - Parameter total: the number of bytes of all parts, if known.
    package mutating func collectWiping(_ part: ByteBuffer, of total: Int?) {
        let needed = readableBytes + part.readableBytes
        if needed > storageCapacity - readerIndex {
            var room = ByteBuffer()
            room.reserveCapacity(max(2 * needed, min(total ?? 0, Self.mostReserved)))
            room.writeImmutableBuffer(self)
            // Also overwrites bytes that were already read from the buffer.
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
    /// Best effort: earlier storage of a buffer that has grown, TLS records and the kernel's socket buffers are not
    /// overwritten.
    package func wipeSharedStorage() {
        withVeryUnsafeBytes { storage in
            guard let start = storage.baseAddress else { return }
            // A mutating method would copy shared storage first and wipe only the copy.
            explicit_bzero(UnsafeMutableRawPointer(mutating: start), storage.count)
        }
    }
}
