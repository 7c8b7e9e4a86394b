// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// The status of the vault for `relctl vault status`. It contains no secret.
package struct VaultStatus: Sendable, Hashable {
    /// Whether the vault is unlocked.
    package let state: VaultState
    /// The path of the vault file.
    package let path: String
    /// The number of saves; nil if there is no readable vault.
    package let generation: UInt64?
    /// The version of the file's format, `major.minor`.
    package let format: String?
    /// The key slots.
    package let slots: [VaultSlot]
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

    /// The fault of a file or directory that is not used until the user repairs it; nil if there is none.
    package var accessFault: CredentialError? {
        if case .unsafePermissions? = fault { fault } else { nil }
    }

    /// Whether a vault can be installed without replacing one.
    package var hasRoom: Bool {
        if case .fileMissing? = fault, state != .unlocked { true } else { state == .absent }
    }
}

/// The facts about a header that status and `--verify-vault` print.
extension VaultHeader {
    var format: String { "\(version)" }
    var weakestSlot: String? { slots.weakest.map(slots.shortID) }
    var slotFacts: [VaultSlot] {
        slots.map { slot in
            VaultSlot(
                id: slots.shortID(of: slot),
                kind: "\(slot.kind)",
                label: slot.label,
                strength: slot.kind.strength,
                scryptLog2N: slot.cost.map { Int64($0.log2N) },
                created: Int64(clamping: slot.created)
            )
        }
    }
}

extension VaultSlot {
    /// Whether a passphrase opens the slot.
    package var hasPassphrase: Bool { kind == "\(KeyProviderKind.passphrase)" }
}
