// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Glibc

/// The forms of values in a file to import that are not those of its table.
package struct ImportForms: Hashable, Sendable {
    /// What is done with a time that has a time zone, which a DateTime has not.
    package enum Zone: Hashable, Sendable {
        /// It is no value.
        case refused
        /// Its time zone is dropped, and the time of day stays.
        case dropped
        /// It is converted to a zone that is so many seconds east of UTC.
        case offset(seconds: Int64)
        /// It is converted to the zone of the process, `TZ`.
        case process
    }

    /// What is done with a time that has a time zone.
    package var zone = Zone.refused
    /// Whether numbers have a comma in front of the fraction.
    package var hasDecimalComma = false

    /// Creates the forms of a table: a decimal point, and no time zones.
    package init() {}

    /// Converts a value; nil if it is none of the type.
    func value(of text: FieldText, as type: DataType) -> DataValue? {
        guard case .text(let content) = text else { return type.value(of: text) }
        if hasDecimalComma, type.isNumber {
            guard !content.utf8.contains(UInt8(ascii: ".")) else { return nil }
            return type.value(of: .text(String(content.map { $0 == "," ? "." : $0 })))
        }
        return type.value(of: text) ?? (type == .dateTime ? zoned(content) : nil)
    }

    private func zoned(_ text: String) -> DataValue? {
        guard zone != .refused, let time = ZonedTime(text) else { return nil }
        guard zone != .dropped else { return .dateTime(days: time.local.days) }
        guard let universal = Self.moved(time.local, -time.offset) else { return nil }
        let offset = if case .offset(let seconds) = zone { seconds } else { Self.processOffset(at: universal) }
        return Self.moved(universal, offset).map { .dateTime(days: $0.days) }
    }

    /// Returns the time moved by seconds; nil if the result would not be certain.
    private static func moved(_ time: PredicateDate, _ seconds: Int64) -> PredicateDate? {
        let moved = time.moved(seconds: seconds)
        return time.isCertain && (seconds == 0 || moved != time) ? moved : nil
    }

    /// Returns the seconds by which the zone of the process is east of UTC at a time in UTC.
    private static func processOffset(at time: PredicateDate) -> Int64 {
        var seconds = time_t((Double(time.milliseconds) / 1_000).rounded(.down))
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
    }

    /// The option that would make a value of a text that is none.
    package enum Advice: Hashable, Sendable {
        case zone, decimalComma
    }

    /// Returns the option that makes a value of a text that is none; nil if there is none.
    package func advice(on text: String, as type: DataType) -> Advice? {
        if type == .dateTime { return zone == .refused && ZonedTime(text) != nil ? .zone : nil }
        var forms = self
        forms.hasDecimalComma = true
        let isComma = !hasDecimalComma && type.isNumber && forms.value(of: .text(text), as: type) != nil
        return isComma ? .decimalComma : nil
    }
}

/// A time with a time zone, such as `2020-01-02T03:04:05Z` or `2020-01-02 03:04+01:00`.
package struct ZonedTime: Hashable {
    /// The time on a clock of that zone.
    let local: PredicateDate
    /// The seconds by which the zone is east of UTC, less than a day.
    let offset: Int64

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        // A sign in front of this place belongs to the date.
        let shortest = "2020-01-02T03:04".utf8.count
        guard bytes.count > shortest else { return nil }
        let mark = bytes[shortest...].firstIndex { Array("Zz+-".utf8).contains($0) }
        guard let mark, let local = TimeText.value(String(decoding: bytes[..<mark], as: UTF8.self)) else { return nil }
        guard let offset = Self.offset(String(decoding: bytes[mark...], as: UTF8.self)) else { return nil }
        (self.local, self.offset) = (local, offset)
    }

    /// Returns the seconds east of UTC; nil for another form than `Z`, `+01:00`, `+0100` or `+01`.
    package static func offset(_ text: String) -> Int64? {
        if text == "Z" || text == "z" { return 0 }
        guard let sign = text.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var digits = Array(text.utf8.dropFirst())
        let hasColon = digits.count == 5 && digits[2] == UInt8(ascii: ":")
        if hasColon { digits.remove(at: 2) }
        guard digits.count == 4 || digits.count == 2,
            let number = Int64(String(decoding: digits, as: UTF8.self)), digits.allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        let (hours, minutes) = digits.count == 2 ? (number, 0) : (number / 100, number % 100)
        guard hours < 24, minutes < 60 else { return nil }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}

/// The text of a time.
enum TimeText {
    private static let mostDigits = 3

    /// Parses the forms of `PredicateDate`. A fraction of a second may have more digits than milliseconds if they are zero.
    static func value(_ text: String) -> PredicateDate? {
        if let value = PredicateDate(text) { return value }
        let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let extra = fraction.dropFirst(mostDigits)
        guard !extra.isEmpty, extra.allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
        return PredicateDate(String(text.dropLast(extra.count)))
    }
}
