// SPDX-License-Identifier: Apache-2.0

/// Permits one event of each key in an interval, in bounded memory.
package struct RepeatLimit<Key: Hashable & Sendable>: Sendable {
    private let interval: Duration
    private let keys: Int
    private var last: [Key: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - interval: the least time between two permitted events with the same key.
    ///   - keys: the maximum number of different keys in an interval. Events with more keys are not permitted.
    package init(interval: Duration, keys: Int) {
        (self.interval, self.keys) = (interval, keys)
    }

    /// Whether an event may happen now. If it may, it counts.
    package mutating func permits(_ key: Key, at now: ContinuousClock.Instant) -> Bool {
        if let last = last[key], now - last < interval { return false }
        if last[key] == nil, last.count >= keys { last = last.filter { now - $0.value < interval } }
        guard last[key] != nil || last.count < keys else { return false }
        last[key] = now
        return true
    }
}
