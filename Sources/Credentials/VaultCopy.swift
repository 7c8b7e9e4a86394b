// SPDX-License-Identifier: Apache-2.0

/// The bytes of a complete vault file. They are sealed, so they may leave the daemon.
package struct VaultCopy: Sendable, Hashable {
    /// The content of the file.
    package let bytes: [UInt8]
    /// The number of the save.
    package let generation: UInt64
    /// The number of logins.
    package let logins: Int
    /// SHA-256 of `bytes`.
    package let hash: [UInt8]

    init(_ bytes: [UInt8], generation: UInt64, logins: Int, hash: [UInt8]) {
        self.bytes = bytes
        self.generation = generation
        self.logins = logins
        self.hash = hash
    }
}
