// SPDX-License-Identifier: Apache-2.0

/// A whole vault as bytes, sealed: fit to leave the daemon.
package struct VaultCopy: Sendable, Hashable {
    package let bytes: [UInt8]
    package let generation: UInt64
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
