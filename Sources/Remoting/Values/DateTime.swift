// SPDX-License-Identifier: Apache-2.0

/// A wall-clock time without a zone, as days since 1899-12-30 00:00.
///
/// Only the number of days travels. Before 1899-12-30 the vendor's products disagree on what a fraction means
/// (docs/wire.md, "Values"), so this type converts no times before that day.
package struct DateTime: Hashable, Sendable {
    /// 1970-01-01 00:00 on this scale.
    package static let unixEpochDays = 25_569.0
    private static let millisecondsPerDay = 86_400_000.0

    package let days: Double

    package init(days: Double) {
        self.days = days
    }

    /// A time given as milliseconds since 1970-01-01 00:00 on the same wall clock.
    package init(unixMilliseconds: Int64) {
        days = Double(unixMilliseconds) / Self.millisecondsPerDay + Self.unixEpochDays
    }

    /// Milliseconds since 1970-01-01 00:00 on the same wall clock, rounded: the precision in which times compare.
    /// Nil before 1899-12-30, and for a number that is no time.
    package var unixMilliseconds: Int64? {
        guard days >= 0 else { return nil }
        return Int64(exactly: ((days - Self.unixEpochDays) * Self.millisecondsPerDay).rounded())
    }
}
