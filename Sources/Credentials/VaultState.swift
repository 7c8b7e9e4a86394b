// SPDX-License-Identifier: Apache-2.0

/// Whether secrets can be used.
package enum VaultState: String, Sendable, Hashable, CaseIterable {
    /// There is no vault.
    case absent
    /// Locked since the daemon started. The vault unlocks automatically if its key provider can.
    case sealed
    /// The vault is open, and secrets can be used.
    case unlocked
    /// Locked by the user or by a timer. Only the user can unlock it.
    case locked
}
