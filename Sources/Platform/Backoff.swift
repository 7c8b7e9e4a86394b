// SPDX-License-Identifier: Apache-2.0

/// Growing pauses between attempts, spread so that many machines do not try in step.
package struct Backoff: Sendable, Hashable {
    private let shortest: Duration
    private let longest: Duration
    private var next: Duration

    /// - Parameters:
    ///   - shortest: the first pause, before jitter.
    ///   - longest: no pause is longer.
    package init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// The pause before the next attempt: between half and all of what it would be without jitter. Each doubles the next.
    ///
    /// - Parameter limit: cuts this one pause only.
    package mutating func pause(
        atMost limit: Duration? = nil,
        using random: inout some RandomNumberGenerator
    ) -> Duration {
        let pause = min(next, limit ?? next) * Double.random(in: 0.5...1, using: &random)
        next = min(next * 2, longest)
        return pause
    }

    package mutating func reset() {
        next = shortest
    }
}
