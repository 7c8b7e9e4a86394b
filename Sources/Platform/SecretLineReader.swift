// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads one line from a descriptor directly into the arena, for `--passphrase-stdin` and `--password-fd`.
package enum SecretLineReader {
    /// The limit for passphrases of a vault.
    package static let maximumPassphraseBytes = 1024
    /// The limit for passwords of logins.
    package static let maximumPasswordBytes = 16 * 1024

    /// Reads up to the first line feed or the end of the input. Only that line feed is removed.
    ///
    /// - Throws: `PlatformError.secretTooLong`, `.secretHasNUL`, or `.secretMissing` if the input ends before any byte.
    package static func read(
        from descriptor: Int32,
        maximumBytes: Int,
        in arena: SecretArena
    ) throws(PlatformError) -> Secret {
        try Secret(capacity: maximumBytes + 1, in: arena) { room throws(PlatformError) in
            var filled = 0
            // One byte at a time, because the input after the line belongs to the next reader of the descriptor.
            while filled < room.count {
                let count = Glibc.read(
                    descriptor,
                    UnsafeMutableRawBufferPointer(rebasing: room[filled...]).baseAddress,
                    1
                )
                if count < 0 {
                    if errno == EINTR { continue }
                    throw .system(call: "read", subject: "the secret", errno: errno)
                }
                if count == 0 {
                    guard filled > 0 else { throw .secretMissing }
                    return filled
                }
                switch room[filled] {
                case 0: throw .secretHasNUL
                case UInt8(ascii: "\n"):
                    room[filled] = 0
                    return filled
                default: filled += 1
                }
            }
            throw .secretTooLong(maximumBytes: maximumBytes)
        }
    }
}
