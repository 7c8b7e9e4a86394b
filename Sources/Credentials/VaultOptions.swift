// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// The settings and dependencies of the vault, which the composition root chooses.
package struct VaultOptions: Sendable {
    /// The directory of `vault.rcv`. It is made with the vault.
    package var directory: String
    /// The directory of the anchor file, made with the first anchor. If nil, there is no anchor file.
    package var stateDirectory: String?
    /// The providers of keys outside the vault, in order of preference.
    package var keyProviders: [any KeyProvider]
    /// The logins that the administrator configured, in addition to the vault.
    package var configuredLogins = ConfiguredLogins()
    /// Stores the secret derived from a passphrase across restarts of the daemon; nil for no cache.
    package var kernelCache: KernelKeyCache?
    /// The cost of new passphrase slots. If nil, it is measured, so that a derivation takes 0.25 s.
    package var cost: ScryptCost?
    /// The cost of the passphrase of an exported vault.
    package var exportCost: ScryptCost
    /// How long the vault stays unlocked.
    package var lockPolicy: VaultLockPolicy
    /// The preferred protection of secrets in memory.
    package var memory: SecretArena.Preference
    /// How long a save waits for other writers.
    package var patience: Duration
    /// The source of random bytes.
    package var random: any RandomSource
    /// The audit log; nil for none.
    package var audit: AuditLog?
    /// The current time, in seconds since 1970.
    package var now: @Sendable () -> UInt64

    /// Makes the documented defaults.
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
