// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// What the composition root decides about the vault.
package struct VaultOptions: Sendable {
    /// Where `vault.rcv` lives; made when a vault is.
    package var directory: String
    /// Where the anchor file lives; made when an anchor is. Without one there is no such file.
    package var stateDirectory: String?
    /// What keeps keys outside the vault; the best comes first.
    package var keyProviders: [any KeyProvider]
    /// What the administrator laid down beside the vault.
    package var configuredLogins = ConfiguredLogins()
    /// What keeps a passphrase's key over restarts of the daemon; nil for none.
    package var kernelCache: KernelKeyCache?
    /// For passphrase slots made from now on; nil measures what this machine does in a quarter of a second.
    package var cost: ScryptCost?
    /// For the passphrase of an exported vault.
    package var exportCost: ScryptCost
    package var lockPolicy: VaultLockPolicy
    package var memory: SecretArena.Preference
    /// How long a save waits for another program's.
    package var patience: Duration
    package var random: any RandomSource
    /// Where decisions are told; nil keeps no log.
    package var audit: AuditLog?
    /// Seconds since 1970.
    package var now: @Sendable () -> UInt64

    /// The settings of the documentation.
    package init(directory: String, keyProviders: [any KeyProvider] = []) {
        self.directory = directory
        self.keyProviders = keyProviders
        stateDirectory = nil
        cost = nil
        exportCost = .export
        lockPolicy = .standard
        memory = .memfdSecret
        patience = .seconds(5)
        random = SystemRandom()
        now = { UInt64(clamping: time(nil)) }
    }
}
