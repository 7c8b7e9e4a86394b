// SPDX-License-Identifier: Apache-2.0

package import Platform

/// What `relctl vault status` tells; nothing in it is secret.
package struct VaultStatus: Sendable, Hashable {
    package struct Slot: Sendable, Hashable {
        /// As people name it: the first hexadecimal digits of its id.
        package let id: String
        package let kind: KeyProviderKind
        package let label: String
        /// What a thief with the disk has to overcome.
        package let strength: String
        /// log2 of scrypt's N, for passphrases.
        package let log2N: UInt8?
        /// Seconds since 1970.
        package let created: UInt64
    }

    package let state: VaultState
    package let path: String
    /// Saves so far; nil while there is no readable vault.
    package let generation: UInt64?
    /// Major and minor version of the file's format.
    package let format: String?
    package let slots: [Slot]
    /// The id of the slot that costs a thief with the disk the least: the vault is as weak as that.
    package let weakestSlot: String?
    /// How the secrets in memory are guarded; nil unless unlocked.
    package let memory: SecretArena.Protection?
    /// What the kernel has refused of that.
    package let memoryShortfall: SecretMemoryShortfall?
    /// What speaks for or against its being the last save; nil unless unlocked.
    package let anchor: AnchorStatus?
    /// Until it locks by time, if nothing uses it; nil unless it will.
    package let locksIn: Duration?
    /// nil unless unlocked.
    package let loginCount: Int?
    /// Why the file could not be read.
    package let fault: CredentialError?
}
