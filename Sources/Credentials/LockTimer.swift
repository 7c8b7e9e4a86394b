// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// When an open vault locks itself. It decides; the store's timer asks.
struct LockTimer: Sendable, Hashable {
    private let policy: VaultLockPolicy
    private let unlocked: NIODeadline
    private var lastUse: NIODeadline

    init(_ policy: VaultLockPolicy, now: NIODeadline) {
        self.policy = policy
        unlocked = now
        lastUse = now
    }

    mutating func touch(_ now: NIODeadline) {
        lastUse = max(lastUse, now)
    }

    /// Moves with every `touch`, up to the absolute limit.
    var deadline: NIODeadline {
        min(lastUse + TimeAmount(policy.idle), unlocked + TimeAmount(policy.absolute))
    }

    func isExpired(_ now: NIODeadline) -> Bool { now >= deadline }
}
