// SPDX-License-Identifier: Apache-2.0

internal import Remoting

/// A wall-clock time without a time zone, to the millisecond, from 1899-12-30 to the end of 9999.
///
/// Before 1899-12-30 the vendor's products disagree on the meaning of a fraction of a day (docs/wire.md, "Values").
/// A row with such a time is earlier than every `PredicateDate`.
public struct PredicateDate: Hashable, Sendable {
    /// Milliseconds since 1970-01-01 00:00 on the same wall clock.
    public let milliseconds: Int64

    /// Converts days since 1899-12-30 00:00; nil if they are outside of the range.
    public init?(days: Double) {
        let time = DateTime(days: days)
        guard time.text != nil, let milliseconds = time.unixMilliseconds else { return nil }
        self.milliseconds = milliseconds
    }

    private init?(milliseconds: Int64) {
        guard DateTime(unixMilliseconds: milliseconds).text != nil else { return nil }
        self.milliseconds = milliseconds
    }

    /// Days since 1899-12-30 00:00, as in a row.
    public var days: Double { DateTime(unixMilliseconds: milliseconds).days }

    /// The beginning of a day of the Gregorian calendar; nil if there is no such day, or if it is out of range.
    init?(year: Int64, month: Int64, day: Int64) {
        guard 1000...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return nil }
        self.init("\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)")
    }

    /// Year, month and day.
    var fields: (year: Int64, month: Int64, day: Int64) {
        let numbers = wholeSeconds.prefix(10).split(separator: "-").map { Int64($0) ?? 0 }
        return (numbers[0], numbers[1], numbers[2])
    }

    /// Days since 1899-12-30, without the time of day.
    var dayNumber: Int64 { Int64(days.rounded(.down)) }

    /// Returns the time moved by whole seconds, at the nearest end of the range if it would leave it.
    package func moved(seconds: Int64) -> PredicateDate {
        PredicateDate(milliseconds: milliseconds + seconds * 1000) ?? self
    }

    /// The text in whole seconds, rounded down: `2020-01-02T03:04:05`.
    var wholeSeconds: String { DateTime(unixMilliseconds: milliseconds).text ?? "" }

    /// Converts the days of a row to milliseconds as in `milliseconds`. Nil if the number is not a time. The result is
    /// only good for order where the time is before 1899-12-30.
    package static func milliseconds(ofRow days: Double) -> Int64? {
        guard days.isFinite else { return nil }
        return DateTime(days: days).unixMilliseconds
            ?? Int64(exactly: ((days - DateTime.unixEpochDays) * 86_400_000).rounded())
    }
}

extension PredicateDate: LosslessStringConvertible {
    /// Parses `2020-01-02`, optionally followed by `T` or a space and `03:04`, `03:04:05` or `03:04:05.678`.
    public init?(_ description: String) {
        var text = Array(description.utf8)
        switch text.count {
        case 10: text += Array("T00:00:00".utf8)
        case 16: text += Array(":00".utf8)
        case 19, 21...23: break
        default: return nil
        }
        guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ") else { return nil }
        text[10] = UInt8(ascii: "T")
        let whole = String(decoding: text.prefix(19), as: UTF8.self)
        // The round trip detects days and seconds that do not exist. `Z` would be a time zone.
        guard text.last != UInt8(ascii: "Z"), DateTime(whole)?.text == whole,
            let milliseconds = DateTime(String(decoding: text, as: UTF8.self))?.unixMilliseconds
        else { return nil }
        self.milliseconds = milliseconds
    }

    /// `2020-01-02`, or with a time of day `2020-01-02T03:04:05`, with `.678` if there are milliseconds.
    public var description: String {
        let fraction = (milliseconds % 1000 + 1000) % 1000
        let seconds = wholeSeconds
        if fraction > 0 { return seconds + "." + String("00\(fraction)".suffix(3)) }
        return seconds.hasSuffix("T00:00:00") ? String(seconds.prefix(10)) : seconds
    }
}
