// SPDX-License-Identifier: Apache-2.0

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
