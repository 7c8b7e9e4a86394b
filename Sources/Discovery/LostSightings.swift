// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Sightings that Avahi removed because of a change on this machine, not because the service ended. They are kept for
/// a while.
struct LostSightings {
    typealias Instant = SuspendingClock.Instant

    /// How long to keep sightings of an interface that is down.
    static let patience = Duration.seconds(60)
    /// How long a service may take to be seen again once the interface is back: three rounds of Avahi's queries.
    static let returning = Duration.seconds(10)

    private struct Wait {
        var until: Instant
        /// Whether the time for the interface to come back is over.
        var isLast: Bool
    }

    private let limit: Int
    private var waits: [Sighting.Key: Wait] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: false if there is no capacity. The sighting then counts as gone.
    mutating func insert(_ key: Sighting.Key, isAway: Bool, now: Instant) -> Bool {
        guard waits.count < limit || waits[key] != nil else { return false }
        waits[key] = Wait(until: now + (isAway ? Self.patience : Self.returning), isLast: !isAway)
        return true
    }

    /// - Returns: whether the sighting was lost.
    @discardableResult
    mutating func remove(_ key: Sighting.Key) -> Bool { waits.removeValue(forKey: key) != nil }

    /// Removes and returns the sightings whose time is over. If an interface has come back, its sightings get
    /// `returning` from now.
    mutating func takeExpired(now: Instant, isAway: (Sighting.Key) -> Bool) -> [Sighting.Key] {
        var expired: [Sighting.Key] = []
        for (key, wait) in waits where wait.until <= now {
            if wait.isLast || isAway(key) {
                waits[key] = nil
                expired.append(key)
            } else {
                waits[key] = Wait(until: now + Self.returning, isLast: true)
            }
        }
        return expired
    }

    /// When to call `takeExpired` next.
    var nextExpiry: Instant? { waits.values.lazy.map(\.until).min() }
}
