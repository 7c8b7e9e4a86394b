// SPDX-License-Identifier: Apache-2.0

/// Limits of the format (docs/vault-format.md). A reader checks them before it allocates.
package enum VaultLimits {
    /// Key slots of a vault.
    package static let slots = 8
    /// Bytes of the payload.
    package static let payloadBytes = 8 * 1024 * 1024
    /// Bytes of the whole file, checked before it is read.
    package static let fileBytes = 16 * 1024 * 1024
    /// Records of each kind: logins, pinned endpoints, settings, grants.
    package static let records = 1024
    /// Bytes of a text.
    package static let stringBytes = 4096
    /// Bytes of a sealed secret.
    package static let secretBytes = 16 * 1024
    /// Bytes of a passphrase.
    package static let passphraseBytes = 1024
    /// Bytes of a slot's label.
    package static let labelBytes = 64
    static let blockBytes = 4096
    /// The highest generation, revision and line number of the audit log. No vault reaches it by use, and one more
    /// still fits the type.
    static let lastNumber: UInt64 = (1 << 62) - 1
}
