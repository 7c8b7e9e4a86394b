// SPDX-License-Identifier: Apache-2.0

/// Notices that the wall clock has jumped: somebody set it, or the machine slept. Avahi counts the lives of its records by
/// it, and lets them expire at once.
struct ClockJump {
    /// Less hurts no record: the shortest live for two minutes and are renewed after 80 % of that.
    static let least = Duration.seconds(10)

    private var offset: Duration

    /// - Parameters:
    ///   - wall: time since 1970.
    ///   - monotonic: time that goes on by itself and stands still while the machine sleeps.
    init(wall: Duration, monotonic: Duration) {
        offset = wall - monotonic
    }

    /// - Returns: whether the clock has jumped since the last look.
    mutating func look(wall: Duration, monotonic: Duration) -> Bool {
        let difference = wall - monotonic - offset
        offset = wall - monotonic
        return max(difference, .zero - difference) >= Self.least
    }
}
