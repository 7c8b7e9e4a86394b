// SPDX-License-Identifier: Apache-2.0

internal import Remoting

/// A wall-clock time without a time zone, to the millisecond, from the year 1 to 9999, or the number of days of a row that
/// stands for no certain time.
///
/// Before 1899-12-30 the vendor's products disagree on the meaning of a fraction of a day (docs/wire.md, "Values"). Such
/// a number, and one outside of the years 1 to 9999, is ordered as a number and keeps its bits.
public struct PredicateDate: Hashable, Sendable {
    /// Of a certain time always the same, so that equal times are equal values.
    private let bits: UInt64

    /// Converts days since 1899-12-30 00:00, as in a row.
    public init(days: Double) {
        bits = (DateTime(days: days).unixMilliseconds.map { DateTime(unixMilliseconds: $0).days } ?? days).bitPattern
    }

    private init?(milliseconds: Int64) {
        self.init(days: DateTime(unixMilliseconds: milliseconds).days)
        guard isCertain else { return nil }
    }

    /// Days since 1899-12-30 00:00, as in a row.
    public var days: Double { Double(bitPattern: bits) }

    /// Whether this is one time of the years 1 to 9999: from 1899-12-30 on any time, before that day the beginning of a
    /// day.
    public var isCertain: Bool { DateTime(days: days).isCertain }

    /// Milliseconds since 1970-01-01 00:00 on the same wall clock. Only good for order if the time is not certain.
    public var milliseconds: Int64 { DateTime(days: days).linearMilliseconds ?? .max }

    /// The beginning of a day of the Gregorian calendar; nil if there is no such day, or if it is out of range.
    init?(year: Int64, month: Int64, day: Int64) {
        guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        let digits = String(year * 10_000 + month * 100 + day + 100_000_000).dropFirst()
        self.init("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
    }

    /// Year, month and day; nil if the time is not certain.
    var fields: (year: Int64, month: Int64, day: Int64)? {
        isCertain ? DateTime.civil(dayNumber - Int64(DateTime.unixEpochDays)) : nil
    }

    /// Days since 1899-12-30, without the time of day.
    ///
    /// - Precondition: the time is certain.
    var dayNumber: Int64 { Int64(days.rounded(.down)) }

    /// Returns the time moved by whole seconds; the same time if the result would not be certain.
    package func moved(seconds: Int64) -> PredicateDate {
        isCertain ? PredicateDate(milliseconds: milliseconds + seconds * 1000) ?? self : self
    }

    /// The text of a certain time in whole seconds, rounded down: `2020-01-02T03:04:05`.
    var wholeSeconds: String { DateTime(days: days).text ?? "" }

    /// Converts the days of a row to milliseconds as in `milliseconds`; nil for NaN, which has no order.
    package static func milliseconds(ofRow days: Double) -> Int64? { DateTime(days: days).linearMilliseconds }
}

extension PredicateDate: LosslessStringConvertible {
    /// Parses `2020-01-02`, optionally followed by `T` or a space and `03:04`, `03:04:05` or `03:04:05.678`, or the text of
    /// a number of days that is no certain time. Before 1899-12-30 there is no time of day.
    public init?(_ description: String) {
        if let time = DateTime(uncertain: description) {
            self.init(days: time.days)
            return
        }
        var text = Array(description.utf8)
        switch text.count {
        case 10: text += Array("T00:00:00".utf8)
        case 16: text += Array(":00".utf8)
        case 19, 21...23: break
        default: return nil
        }
        guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ") else { return nil }
        text[10] = UInt8(ascii: "T")
        // `Z` would be a time zone.
        guard text.last != UInt8(ascii: "Z"),
            let milliseconds = DateTime(String(decoding: text, as: UTF8.self))?.unixMilliseconds
        else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// `2020-01-02T03:04:05`, with `.678` if there are milliseconds; `1753-01-01?-53688.25` if the time is not certain.
    public var description: String { DateTime(days: days).description }
}
