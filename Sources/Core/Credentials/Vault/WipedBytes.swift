// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// Calls `body` with a zeroed buffer in ordinary memory, for content that is too large for the arena. Wipes the
/// buffer afterwards.
func withWipedBytes<R: ~Copyable>(
    _ count: Int,
    _ body: (UnsafeMutableRawBufferPointer) throws(CredentialError) -> R
) throws(CredentialError) -> R {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    defer {
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        buffer.deallocate()
    }
    return try body(buffer)
}

extension Secret {
    /// Reads a file directly into an arena.
    ///
    /// - Throws: `PlatformError.tooLarge` if the file has more than `maximumBytes`.
    init(
        reading descriptor: Int32,
        named path: String,
        maximumBytes: Int,
        in arena: SecretArena
    ) throws(PlatformError) {
        // One byte more than permitted, so that a longer file is detected.
        try self.init(capacity: maximumBytes + 1, in: arena) { buffer throws(PlatformError) in
            var filled = 0
            while filled < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw .system(call: "read", subject: path, errno: errno)
                }
                if count == 0 { break }
                filled += count
            }
            guard filled <= maximumBytes else { throw .tooLarge(subject: path, maximumBytes: maximumBytes) }
            return filled
        }
    }
}
