// SPDX-License-Identifier: Apache-2.0

/// Whether secrets can be used just now.
package enum VaultState: String, Sendable, Hashable, CaseIterable {
    /// There is no vault.
    case absent
    /// Closed since the start; opens by itself where its key provider can.
    case sealed
    case unlocked
    /// Closed by a person or by time; opens only for a person.
    case locked
}
