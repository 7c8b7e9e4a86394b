// SPDX-License-Identifier: Apache-2.0

/// A wall-clock time without a time zone, as days since 1899-12-30 00:00.
///
/// The wire contains only the number of days. Before 1899-12-30 the vendor's products disagree on the meaning of a
/// fraction (docs/wire.md, "Values"), so this type does not convert times before that day.
package struct DateTime: Hashable, Sendable {
    /// 1970-01-01 00:00 as a number of days.
    package static let unixEpochDays = 25_569.0
    private static let millisecondsPerDay = 86_400_000.0

    /// Days since 1899-12-30 00:00, with the time of day as the fraction.
    package let days: Double

    /// - Parameter days: days since 1899-12-30 00:00.
    package init(days: Double) {
        self.days = days
    }

    /// Converts milliseconds since 1970-01-01 00:00 on the same wall clock.
    package init(unixMilliseconds: Int64) {
        days = Double(unixMilliseconds) / Self.millisecondsPerDay + Self.unixEpochDays
    }

    /// Milliseconds since 1970-01-01 00:00 on the same wall clock, rounded: the precision for comparisons. Nil before
    /// 1899-12-30, and for a number that is not a valid time.
    package var unixMilliseconds: Int64? {
        guard days >= 0 else { return nil }
        return Int64(exactly: ((days - Self.unixEpochDays) * Self.millisecondsPerDay).rounded())
    }
}

/// The text form in JSON messages: `2020-01-02T03:04:05`, without a time zone.
extension DateTime {
    private static let secondsPerDay: Int64 = 86_400
    /// Days from 0000-03-01 to 1970-01-01. Counting from 1 March puts the leap day at the end of the year.
    private static let epochShift: Int64 = 719_468
    private static let daysPerEra: Int64 = 146_097

    /// The text form in whole seconds, rounded down; nil before 1899-12-30 and after the year 9999.
    package var text: String? {
        guard let milliseconds = unixMilliseconds else { return nil }
        let seconds = milliseconds.flooredDivision(by: 1000).quotient
        let (day, second) = seconds.flooredDivision(by: Self.secondsPerDay)
        let date = Self.civil(day)
        guard date.year <= 9999 else { return nil }
        let fields = [date.month, date.day, second / 3600, second / 60 % 60, second % 60].map {
            ($0 < 10 ? "0" : "") + String($0)
        }
        return "\(date.year)-\(fields[0])-\(fields[1])T\(fields[2]):\(fields[3]):\(fields[4])"
    }

    /// Parses the text form. A fraction of a second and a final `Z` are allowed, because some clients write them.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        let pattern = Array("0000-00-00T00:00:00".utf8)
        guard digits.count >= pattern.count else { return nil }
        var fields: [Int64] = [0]
        for (byte, expected) in zip(digits, pattern) {
            if expected == UInt8(ascii: "0") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                fields[fields.count - 1] = fields[fields.count - 1] * 10 + Int64(byte - UInt8(ascii: "0"))
            } else {
                guard byte == expected else { return nil }
                fields.append(0)
            }
        }
        guard let milliseconds = Self.fraction(digits.dropFirst(pattern.count)), (1...12).contains(fields[1]),
            (1...31).contains(fields[2]), fields[3] < 24, fields[4] < 60, fields[5] < 60
        else { return nil }
        let day = Self.day(year: fields[0], month: fields[1], day: fields[2])
        let seconds = day * Self.secondsPerDay + fields[3] * 3600 + fields[4] * 60 + fields[5]
        self.init(unixMilliseconds: seconds * 1000 + milliseconds)
    }

    /// Parses `.123` and `Z`, both optional.
    private static func fraction(_ rest: ArraySlice<UInt8>) -> Int64? {
        var rest = rest.last == UInt8(ascii: "Z") ? rest.dropLast() : rest
        guard let point = rest.popFirst() else { return 0 }
        guard point == UInt8(ascii: "."), (1...9).contains(rest.count) else { return nil }
        var milliseconds: Int64 = 0
        for (place, byte) in rest.enumerated() {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            if place < 3 { milliseconds += Int64(byte - UInt8(ascii: "0")) * [100, 10, 1][place] }
        }
        return milliseconds
    }

    /// Days from 1970-01-01 to a date of the Gregorian calendar.
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (year, month) = month <= 2 ? (year - 1, month + 9) : (year, month - 3)
        let (era, yearOfEra) = year.flooredDivision(by: 400)
        let dayOfYear = (153 * month + 2) / 5 + day - 1
        return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epochShift
    }

    /// Returns the date of the Gregorian calendar that is so many days after 1970-01-01.
    package static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (day + epochShift).flooredDivision(by: daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Rounds towards negative infinity, so that the remainder is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
