// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

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
        try self.init(capacity: maximumBytes + 1, in: arena) { room throws(PlatformError) in
            var filled = 0
            while filled < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
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
