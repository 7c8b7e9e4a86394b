// SPDX-License-Identifier: Apache-2.0

/// When a watched table is read again: after the interval, or as soon as the server reports a change.
///
/// After a report the table is read again only when as much time has passed as the last reading took, so that a table
/// that changes all the time is not read all the time.
package struct WatchSchedule {
    /// The time between two polls for events.
    package static let pollInterval = Duration.seconds(1)

    private let interval: Duration
    private var next: ContinuousClock.Instant
    private var quietUntil: ContinuousClock.Instant
    private var isReported = false

    /// A schedule whose first reading is due now.
    ///
    /// - Parameter interval: the time from the beginning of a reading to the next one.
    package init(every interval: Duration, now: ContinuousClock.Instant) {
        self.interval = interval
        next = now
        quietUntil = now
    }

    /// A reading has ended. Changes that are reported from now on may not be in it.
    package mutating func read(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        next = max(start + interval, end)
        quietUntil = end + (end - start)
    }

    /// A reading begins. It will have all changes that were reported until now.
    package mutating func begin() { isReported = false }

    /// The server has reported a change.
    package mutating func report() { isReported = true }

    /// Returns the time until the next reading; zero if it is due.
    package func pause(at now: ContinuousClock.Instant) -> Duration {
        max(.zero, (isReported ? min(next, quietUntil) : next) - now)
    }
}
