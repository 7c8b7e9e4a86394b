// SPDX-License-Identifier: Apache-2.0

/// Bounds of the format (docs/vault-format.md). A reader refuses what is outside them before it allocates.
package enum VaultLimits {
    package static let slots = 8
    package static let payloadBytes = 8 * 1024 * 1024
    /// Of the whole file, before it is read.
    package static let fileBytes = 16 * 1024 * 1024
    /// Entries, pins, grants and settings, each.
    package static let records = 1024
    package static let stringBytes = 4096
    package static let secretBytes = 16 * 1024
    package static let passphraseBytes = 1024
    package static let labelBytes = 64
    static let blockBytes = 4096
    /// The highest generation, revision and number of a line in the audit log. No vault gets there by use, and one more
    /// is still a number.
    static let lastNumber: UInt64 = (1 << 62) - 1
}
