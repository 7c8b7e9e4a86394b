// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What Avahi let go of for a reason of this machine's own, not because it ended: it is kept for a while.
struct LostSightings {
    typealias Instant = SuspendingClock.Instant

    /// How long to keep what was seen on an interface that is away.
    static let patience = Duration.seconds(60)
    /// How long what is still there takes to be seen again, once the interface is back: three rounds of Avahi's questions.
    static let returning = Duration.seconds(10)

    private struct Wait {
        var until: Instant
        /// The time that the interface itself may take is over.
        var isLast: Bool
    }

    private let limit: Int
    private var waits: [Sighting.Key: Wait] = [:]

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: false when there is no room: it counts as gone.
    mutating func insert(_ key: Sighting.Key, isAway: Bool, now: Instant) -> Bool {
        guard waits.count < limit || waits[key] != nil else { return false }
        waits[key] = Wait(until: now + (isAway ? Self.patience : Self.returning), isLast: !isAway)
        return true
    }

    /// - Returns: whether it was lost.
    @discardableResult
    mutating func remove(_ key: Sighting.Key) -> Bool { waits.removeValue(forKey: key) != nil }

    /// Those that were waited for long enough. One whose interface has come back has `returning` from now on.
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
