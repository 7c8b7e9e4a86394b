// SPDX-License-Identifier: Apache-2.0

/// Growing pauses between attempts to reach the bus. The longest is long, as each attempt wakes an idle machine.
struct RetryPause {
    static let shortest = Duration.milliseconds(500)
    static let longest = Duration.seconds(300)

    private var upcoming = Self.shortest

    mutating func next() -> Duration {
        defer { upcoming = min(upcoming * 2, Self.longest) }
        return upcoming
    }

    mutating func reset() {
        upcoming = Self.shortest
    }
}
