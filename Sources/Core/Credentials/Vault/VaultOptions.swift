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
    /// Runs the commands that print passwords.
    package var passwordCommands = PasswordCommands(Environment([:]))
    /// Stores the secret derived from a passphrase across restarts of the daemon; nil for no cache.
    package var kernelCache: KernelKeyCache?
    /// The cost of new passphrase slots. If nil, it is measured, so that a derivation takes 0.25 s.
    package var cost: ScryptCost?
    /// The cost of the passphrase of an exported vault.
    package var exportCost = ScryptCost.export
    /// How long the vault stays unlocked.
    package var lockPolicy = VaultLockPolicy.standard
    /// The preferred protection of secrets in memory.
    package var memory = SecretArena.Preference.memfdSecret
    /// How long a save waits for other writers.
    package var lockTimeout = Duration.seconds(5)
    /// The source of random bytes.
    package var random: any RandomSource = SystemRandom()
    /// The audit log; nil for none.
    package var audit: AuditLog?
    /// The current time, in seconds since 1970.
    package var now: @Sendable () -> UInt64 = { UInt64(clamping: time(nil)) }

    /// Makes the documented defaults.
    package init(directory: String, keyProviders: [any KeyProvider] = []) {
        self.directory = directory
        self.keyProviders = keyProviders
    }
}

/// How long a vault that was unlocked with a passphrase stays unlocked.
package struct VaultLockPolicy: Sendable, Hashable {
    /// The maximum time without use.
    package let idle: Duration
    /// The maximum time since it was unlocked, regardless of use.
    package let absolute: Duration

    /// The maximum of both times, whatever the configuration.
    package static let hardCap = Duration.seconds(12 * 3600)
    /// The default: 10 minutes without use, 2 hours in all.
    package static let standard = VaultLockPolicy(idle: .seconds(600), absolute: .seconds(7200))

    /// Makes a policy. Both times are limited to `hardCap`.
    package init(idle: Duration, absolute: Duration) {
        self.idle = min(idle, Self.hardCap)
        self.absolute = min(absolute, Self.hardCap)
    }
}

/// Computes when an unlocked vault locks itself. The store's timer calls it.
///
/// The clock counts while the machine sleeps: a vault that was left open in the evening is not open in the morning.
struct LockTimer: Sendable, Hashable {
    typealias Instant = ContinuousClock.Instant

    private let policy: VaultLockPolicy
    private let unlocked: Instant
    private var lastUse: Instant

    init(_ policy: VaultLockPolicy, now: Instant) {
        self.policy = policy
        unlocked = now
        lastUse = now
    }

    mutating func touch(_ now: Instant) {
        lastUse = max(lastUse, now)
    }

    /// The time to lock. Each `touch` moves it, up to the absolute limit.
    var deadline: Instant { min(lastUse + policy.idle, unlocked + policy.absolute) }

    func isExpired(_ now: Instant) -> Bool { now >= deadline }
}

/// Key memory of vaults that were locked while operations still used it. The memory is wiped and freed when the last of
/// them finishes.
struct RetiringKeys {
    private struct Reference {
        weak var arena: SecretArena?
    }

    private var references: [Reference] = []

    mutating func retire(_ arena: SecretArena) {
        removeFreed()
        references.append(Reference(arena: arena))
    }

    /// Whether all keys are gone.
    mutating func areGone() -> Bool {
        removeFreed()
        return references.isEmpty
    }

    private mutating func removeFreed() { references.removeAll { $0.arena == nil } }
}
