// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import Platform

/// Spares callers the wait for a server that cannot be reached, and the server a crowd of them.
///
/// One failure holds nobody back: a server that was started anew is used at once. From the second in a row on, callers
/// fail with the reason of the last until a growing pause is over; then one of them tries for all.
struct Outage {
    /// Longer than a connection takes to fail.
    private static let trial = TimeAmount.seconds(4)

    private var backoff = Backoff(shortest: .milliseconds(250), longest: .seconds(5))
    private var hasFailed = false
    private var pause: (end: NIODeadline, reason: StateReason)?

    /// Why a caller fails now; nil lets it try.
    mutating func refusal(at now: NIODeadline) -> BrokerError? {
        guard let pause else { return nil }
        guard now >= pause.end else { return .unreachable(pause.reason) }
        self.pause = (now + Self.trial, pause.reason)
        return nil
    }

    /// No connection could be made.
    mutating func failed(_ reason: StateReason, at now: NIODeadline, using random: inout some RandomNumberGenerator) {
        if hasFailed { pause = (now + TimeAmount(backoff.pause(using: &random)), reason) }
        hasFailed = true
    }

    /// The server answered, whatever it said.
    mutating func ended() { self = Outage() }
}
