// SPDX-License-Identifier: Apache-2.0

/// Slows down guessing through the daemon: each wrong passphrase makes the next attempt wait a little longer.
struct UnlockThrottle: Sendable, Hashable {
    private var failures = 0

    private static let step = Duration.milliseconds(100)
    private static let maximum = Duration.seconds(10)

    /// How long the next attempt waits before it is made.
    var delay: Duration { min(Self.step * failures, Self.maximum) }

    mutating func failed() {
        failures += 1
    }

    mutating func succeeded() {
        failures = 0
    }
}
