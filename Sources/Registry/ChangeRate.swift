// SPDX-License-Identifier: Apache-2.0

/// Lets through so many things in any one second, whichever second one looks at.
struct ChangeRate: Sendable {
    private static let second: UInt64 = 1_000_000_000

    /// When the last things went through, as a ring: the one at `oldest` was the first of them. 0 for none.
    private var times: [UInt64]
    private var oldest = 0

    init(perSecond: Int) {
        times = Array(repeating: 0, count: max(1, perSecond))
    }

    /// When the next one may go through, in nanoseconds of the same clock; 0 for at any time.
    var next: UInt64 { times[oldest] == 0 ? 0 : times[oldest] + Self.second }

    /// - Parameter now: nanoseconds of a clock that does not go back, more than 0.
    /// - Returns: whether one more goes through now.
    mutating func take(at now: UInt64) -> Bool {
        guard next <= now else { return false }
        times[oldest] = now
        oldest = (oldest + 1) % times.count
        return true
    }
}
