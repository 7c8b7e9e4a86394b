// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

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

/// The status of the vault for `relctl vault status`. It contains no secret.
package struct VaultStatus: Sendable, Hashable {
    /// A key slot.
    package struct Slot: Sendable, Hashable {
        /// The short ID: the first hexadecimal digits of the slot's ID.
        package let id: String
        /// The source of the slot's secret.
        package let kind: KeyProviderKind
        /// The label that the user gave.
        package let label: String
        /// The obstacle for a thief who has the disk.
        package let strength: SlotStrength
        /// log2 N of scrypt; nil unless the slot is for a passphrase.
        package let log2N: UInt8?
        /// Seconds since 1970.
        package let created: UInt64
    }

    /// Whether the vault is unlocked.
    package let state: VaultState
    /// The path of the vault file.
    package let path: String
    /// The number of saves; nil if there is no readable vault.
    package let generation: UInt64?
    /// The version of the file's format, `major.minor`.
    package let format: String?
    /// The key slots.
    package let slots: [Slot]
    /// The ID of the slot that is the easiest to open for a thief who has the disk. The vault is only as strong as
    /// that slot.
    package let weakestSlot: String?
    /// The protection of the secrets in memory; nil unless unlocked.
    package let memory: SecretArena.Protection?
    /// The parts of this protection that the kernel has refused.
    package let memoryShortfall: SecretMemoryShortfall?
    /// The evidence for or against the file being the last save; nil unless unlocked.
    package let anchor: AnchorStatus?
    /// The time until the vault locks if it is not used; nil if it will not lock by time.
    package let locksIn: Duration?
    /// The number of logins; nil unless unlocked.
    package let loginCount: Int?
    /// The reason why the file could not be read.
    package let fault: CredentialError?
}

/// The facts about a header that status and `--verify-vault` print.
extension VaultHeader {
    var format: String { "\(Self.major).\(minor)" }
    var slotFacts: [VaultStatus.Slot] { slots.map { VaultStatus.Slot($0, named: slots.shortID(of: $0)) } }
    var weakestSlot: String? { slots.weakest.map(slots.shortID) }
}

extension VaultStatus.Slot {
    fileprivate init(_ slot: KeySlot, named id: String) {
        self.id = id
        kind = slot.kind
        label = slot.label
        strength = slot.kind.strength
        log2N = slot.cost?.log2N
        created = slot.created
    }
}
