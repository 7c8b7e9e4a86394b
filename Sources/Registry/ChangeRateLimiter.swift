// SPDX-License-Identifier: Apache-2.0

/// Sliding-window rate limiter: at most `perSecond` changes in any one-second window. A tenth of the budget, and at least
/// one change if `perSecond` is 2 or more, is reserved for urgent changes, so that a flood of others cannot delay them.
struct ChangeRateLimiter: Sendable {
    private var all: Ring
    private var others: Ring

    init(perSecond: Int) {
        let perSecond = max(1, perSecond)
        all = Ring(count: perSecond)
        others = Ring(count: max(1, perSecond - max(1, perSecond / 10)))
    }

    /// When the next one may go through, in nanoseconds of the same clock; 0 for at any time.
    func next(isUrgent: Bool) -> UInt64 { isUrgent ? all.next : max(all.next, others.next) }

    /// - Parameter now: nanoseconds of a clock that does not go back, more than 0.
    /// - Returns: whether one more goes through now.
    mutating func take(at now: UInt64, isUrgent: Bool) -> Bool {
        guard next(isUrgent: isUrgent) <= now else { return false }
        all.note(now)
        if !isUrgent { others.note(now) }
        return true
    }

    /// When the last ones went through: the one at `oldest` was the first of them. 0 for none.
    private struct Ring: Sendable {
        private static let second: UInt64 = 1_000_000_000

        private var times: [UInt64]
        private var oldest = 0

        init(count: Int) { times = Array(repeating: 0, count: count) }

        var next: UInt64 { times[oldest] == 0 ? 0 : times[oldest] + Self.second }

        mutating func note(_ now: UInt64) {
            times[oldest] = now
            oldest = (oldest + 1) % times.count
        }
    }
}
