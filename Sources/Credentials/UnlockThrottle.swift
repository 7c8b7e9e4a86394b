// SPDX-License-Identifier: Apache-2.0

/// Slows down guessing through the daemon: each wrong passphrase delays the next attempt by another 100 ms, up to 10
/// s.
struct UnlockThrottle: Sendable, Hashable {
    private var failures = 0

    private static let step = Duration.milliseconds(100)
    private static let maximum = Duration.seconds(10)

    /// The delay before the next attempt.
    var delay: Duration { min(Self.step * failures, Self.maximum) }

    mutating func failed() {
        failures += 1
    }

    mutating func succeeded() {
        failures = 0
    }
}
