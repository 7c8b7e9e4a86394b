// SPDX-License-Identifier: Apache-2.0

/// Growing pauses between attempts, spread so that many machines do not try in step.
struct Backoff {
    static let shortest = Duration.milliseconds(500)
    static let longest = Duration.seconds(15)

    private var next = Self.shortest

    /// The pause before the next attempt: at most `longest`, and between half and all of what it would be without jitter.
    mutating func pause(using random: inout some RandomNumberGenerator) -> Duration {
        let pause = next * Double.random(in: 0.5...1, using: &random)
        next = min(next * 2, Self.longest)
        return pause
    }

    mutating func reset() {
        next = Self.shortest
    }
}
