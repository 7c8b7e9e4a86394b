// SPDX-License-Identifier: Apache-2.0

/// Detects that the wall clock has jumped, because it was set or because the machine slept. Avahi measures the
/// lifetime of its records by this clock, so a jump makes them expire early.
struct ClockJump {
    /// A smaller jump affects no record: the shortest lifetime is two minutes, and records are refreshed after 80 %
    /// of it.
    static let least = Duration.seconds(10)

    private var offset: Duration

    /// - Parameters:
    ///   - wall: time since 1970.
    ///   - monotonic: time that cannot be set and stops while the machine sleeps.
    init(wall: Duration, monotonic: Duration) {
        offset = wall - monotonic
    }

    /// - Returns: whether the clock has jumped since the last call.
    mutating func look(wall: Duration, monotonic: Duration) -> Bool {
        let difference = wall - monotonic - offset
        offset = wall - monotonic
        return max(difference, .zero - difference) >= Self.least
    }
}
