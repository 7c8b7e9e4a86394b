// SPDX-License-Identifier: Apache-2.0

/// What the keyring holds for a vault: one item of each kind at most.
package enum KeyringItem: UInt8, Sendable, CaseIterable {
    /// The 32 bytes that open the vault's key slot.
    case key = 1
    /// What tells the newest file of the vault from an older one; not secret.
    case anchor = 2
    /// Of no use, and there for a moment only.
    case probe = 3

    /// The item's attribute of that name, and part of the label that keyring programs show.
    package var name: String {
        switch self {
        case .key: "key"
        case .anchor: "anchor"
        case .probe: "probe"
        }
    }

    /// The most bytes that an item may have.
    package static let maximumByteCount = 1_024
}
