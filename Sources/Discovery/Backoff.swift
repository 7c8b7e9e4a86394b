// SPDX-License-Identifier: Apache-2.0

/// Growing pauses between attempts, spread so that many machines do not try in step.
struct Backoff {
    static let shortest = Duration.milliseconds(100)
    /// The longest pause where a fault passes without a sign, so that what comes back is found within a second.
    static let brief = Duration.milliseconds(800)
    /// The longest pause where somebody has to mend something, or where there will be a sign.
    static let longest = Duration.seconds(15)

    private var next = Self.shortest

    /// The pause before the next attempt: between half and all of what it would be without jitter.
    mutating func pause(atMost limit: Duration, using random: inout some RandomNumberGenerator) -> Duration {
        let pause = min(next, limit) * Double.random(in: 0.5...1, using: &random)
        next = min(next * 2, Self.longest)
        return pause
    }

    mutating func reset() {
        next = Self.shortest
    }
}
