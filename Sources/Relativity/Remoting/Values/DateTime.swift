// SPDX-License-Identifier: Apache-2.0

/// A wall-clock time without a time zone, as days since 1899-12-30 00:00.
///
/// The wire contains only the number of days. Before 1899-12-30 the vendor's products disagree on the meaning of a
/// fraction (docs/wire.md, "Values"), so a fraction before that day is no certain time.
package struct DateTime: Hashable, Sendable {
    /// 1970-01-01 00:00 as a number of days.
    package static let unixEpochDays = 25_569.0
    private static let millisecondsPerDay: Int64 = 86_400_000
    private static let unixEpochMilliseconds = 25_569 * millisecondsPerDay
    /// 0001-01-01 as a number of days.
    private static let firstDay = -693_593.0
    /// The last half of a millisecond of 9999 would be rounded to the next year.
    private static let end = 2_958_466 - 0.5 / Double(millisecondsPerDay)

    /// Days since 1899-12-30 00:00, with the time of day as the fraction.
    package let days: Double

    /// - Parameter days: days since 1899-12-30 00:00.
    package init(days: Double) {
        self.days = days
    }

    /// Converts milliseconds since 1970-01-01 00:00 on the same wall clock, by plain arithmetic before 1899-12-30 too. The
    /// result is the nearest number, as that of other programs: keys and conditions compare all its bits.
    package init(unixMilliseconds: Int64) {
        let (sum, isOverflown) = unixMilliseconds.addingReportingOverflow(Self.unixEpochMilliseconds)
        days = (isOverflown ? Double(unixMilliseconds) : Double(sum)) / Double(Self.millisecondsPerDay)
    }

    /// Whether the number stands for one time of the years 1 to 9999: from 1899-12-30 on any time, before that day the
    /// beginning of a day.
    package var isCertain: Bool {
        (days >= 0 || days.rounded() == days && days >= Self.firstDay) && days < Self.end
    }

    /// Milliseconds since 1970-01-01 00:00 on the same wall clock, rounded: the precision for comparisons. Nil if the
    /// time is not certain.
    package var unixMilliseconds: Int64? { isCertain ? linearMilliseconds : nil }

    /// Milliseconds since 1970-01-01 00:00 by plain arithmetic; the nearest that there are for numbers beyond, and nil for
    /// NaN. Before 1899-12-30 they are only good for order.
    package var linearMilliseconds: Int64? {
        guard !days.isNaN else { return nil }
        let milliseconds = ((days - Self.unixEpochDays) * Double(Self.millisecondsPerDay)).rounded()
        return Int64(exactly: milliseconds) ?? (days < 0 ? .min : .max)
    }
}

/// The text of a value, the same in each format that has text.
extension DateTime: CustomStringConvertible {
    /// Enough bytes for `write(to:)`.
    package static let longestText = 23

    /// `2020-01-02T03:04:05`, with `.678` if there are milliseconds. If the time is not certain, the day and the number of
    /// days, which converts back to the same bits: `1753-01-01?-53688.25`. Such a text sorts before its day. Of a number
    /// outside of the years 1 to 9999 the day is `0000-00-00` or `9999-99-99`.
    package var description: String {
        guard isCertain else { return "\(uncertainDay)?\(days)" }
        return String(unsafeUninitializedCapacity: Self.longestText) { $0.baseAddress.map { write(to: $0) } ?? 0 }
    }

    private var uncertainDay: String {
        guard days < Self.end else { return "9999-99-99" }
        let day = DateTime(days: days.rounded(.towardZero))
        return day.isCertain ? String(day.description.prefix(10)) : "0000-00-00"
    }

    /// Parses the text of a time that is not certain.
    package init?(uncertain text: String) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")),
            let days = Double(text[text.index(after: mark)...])
        else { return nil }
        self.init(days: days)
        guard !isCertain, description == text else { return nil }
    }

    /// Writes the text of a certain time in ASCII.
    ///
    /// - Parameter output: has `longestText` bytes.
    /// - Returns: the number of bytes.
    package func write(to output: UnsafeMutablePointer<UInt8>) -> Int {
        Self.write(linearMilliseconds ?? 0, to: output)
    }

    /// Writes milliseconds since 1970-01-01 00:00 of the years 0 to 9999.
    private static func write(_ milliseconds: Int64, to output: UnsafeMutablePointer<UInt8>) -> Int {
        let (day, time) = milliseconds.flooredDivision(by: millisecondsPerDay)
        let date = civil(day)
        output.write(date.year, digits: 4, at: 0)
        output[4] = UInt8(ascii: "-")
        output.write(date.month, digits: 2, at: 5)
        output[7] = UInt8(ascii: "-")
        output.write(date.day, digits: 2, at: 8)
        output[10] = UInt8(ascii: "T")
        output.write(time / 3_600_000, digits: 2, at: 11)
        output[13] = UInt8(ascii: ":")
        output.write(time / 60_000 % 60, digits: 2, at: 14)
        output[16] = UInt8(ascii: ":")
        output.write(time / 1000 % 60, digits: 2, at: 17)
        guard time % 1000 != 0 else { return 19 }
        output[19] = UInt8(ascii: ".")
        output.write(time % 1000, digits: 3, at: 20)
        return 23
    }

    /// The text by plain arithmetic, also for a fraction before 1899-12-30; nil outside of the years 1 to 9999.
    package var linearText: String? {
        guard days >= Self.firstDay, days < Self.end, let milliseconds = linearMilliseconds else { return nil }
        return String(unsafeUninitializedCapacity: Self.longestText) { space in
            space.baseAddress.map { Self.write(milliseconds, to: $0) } ?? 0
        }
    }
}

extension UnsafeMutablePointer<UInt8> {
    fileprivate func write(_ number: Int64, digits: Int, at offset: Int) {
        var rest = number
        for place in (0..<digits).reversed() {
            self[offset + place] = UInt8(truncatingIfNeeded: 48 + rest % 10)
            rest /= 10
        }
    }
}

/// The text form in JSON: `2020-01-02T03:04:05`, without a time zone.
extension DateTime {
    private static let secondsPerDay: Int64 = 86_400
    /// Days from 0000-03-01 to 1970-01-01. Counting from 1 March puts the leap day at the end of the year.
    private static let epochShift: Int64 = 719_468
    private static let daysPerEra: Int64 = 146_097

    /// The text form in whole seconds, rounded down; nil if the time is not certain.
    package var text: String? { isCertain ? String(description.prefix(19)) : nil }

    /// Parses the text form of a date that exists. A fraction of a second and a final `Z` are allowed, because some clients
    /// write them. The result may be no certain time.
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
        guard Self.civil(day) == (fields[0], fields[1], fields[2]) else { return nil }
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
