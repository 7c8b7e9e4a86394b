// SPDX-License-Identifier: Apache-2.0

import Remoting

// Numbers and times as ASCII, without a `String` for each.
extension TextBuffer {
    /// Enough for every number and time.
    private static let longest = 64
    private static let millisecondsPerDay = 86_400_000.0

    mutating func append(_ value: Int64) {
        appendDigits(value.magnitude, scale: 0, isNegative: value < 0)
    }

    mutating func append(_ value: UInt64) {
        appendDigits(value, scale: 0, isNegative: false)
    }

    /// Appends an amount times 10,000, always with four decimals.
    mutating func append(currency scaled: Int64) {
        appendDigits(scaled.magnitude, scale: 4, isNegative: scaled < 0)
    }

    /// Appends magnitude / 10^scale with all decimals of the scale.
    ///
    /// - Parameter scale: 0 to 28, which reading the rows has checked.
    mutating func append(decimal magnitude: UInt128, scale: Int, isNegative: Bool) {
        precondition(0...28 ~= scale, "a valid Decimal")
        if let small = UInt64(exactly: magnitude) {
            appendDigits(small, scale: scale, isNegative: isNegative)
        } else {
            appendDigits(magnitude, scale: scale, isNegative: isNegative)
        }
    }

    @inline(__always)
    private mutating func appendDigits<Number: FixedWidthInteger & UnsignedInteger>(
        _ magnitude: Number,
        scale: Int,
        isNegative: Bool
    ) {
        reserve(Self.longest)
        appendReserved { output in
            var rest = magnitude
            var start = Self.longest
            var digits = 0
            repeat {
                if digits == scale, scale > 0 {
                    start -= 1
                    output[start] = UInt8(ascii: ".")
                }
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                output[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
                digits += 1
            } while rest != 0 || digits <= scale
            if isNegative {
                start -= 1
                output[start] = UInt8(ascii: "-")
            }
            output.update(from: output + start, count: Self.longest - start)
            return Self.longest - start
        }
    }

    /// Appends the shortest text that reads back as the same number: `12.5`, `12.0`, `1e+20`, `NaN`, `Infinity`.
    mutating func append(_ value: Double) {
        let scaled = (value * 10_000).rounded()
        // A number of at most 15 digits is the only one of that length that reads back as its Double, so it is the
        // shortest.
        if scaled.magnitude < 1e15, scaled / 10_000 == value, scaled != 0 || value.bitPattern == 0 {
            append(tenThousandths: Int64(scaled))
        } else {
            append(special: value.isFinite, value.isNaN, value < 0, value.description)
        }
    }

    /// Appends the shortest text that reads back as the same 32-bit number.
    mutating func append(_ value: Float) {
        if value.magnitude < 1e6, value == value.rounded(), value != 0 {
            append(tenThousandths: Int64(value) * 10_000)
        } else {
            append(special: value.isFinite, value.isNaN, value < 0, value.description)
        }
    }

    /// Appends without the trailing zeros after the first decimal.
    private mutating func append(tenThousandths value: Int64) {
        var (value, scale) = (value, 4)
        while scale > 1, value % 10 == 0 {
            value /= 10
            scale -= 1
        }
        appendDigits(value.magnitude, scale: scale, isNegative: value < 0)
    }

    private mutating func append(special isFinite: Bool, _ isNaN: Bool, _ isNegative: Bool, _ text: String) {
        if isFinite {
            append(text)
        } else {
            append(isNaN ? "NaN" : isNegative ? "-Infinity" : "Infinity" as StaticString)
        }
    }

    /// Whether a number of days since 1899-12-30 stands for a certain time from the year 1 to 9999. A fraction of a day
    /// before 1899-12-30 does not (docs/wire.md, "Values").
    static func isCertain(dateTime days: Double) -> Bool {
        // The last half of a millisecond of 9999 would be rounded to the next year.
        (days >= 0 || days.rounded() == days && days >= -693_593) && days < 2_958_466 - 0.5 / millisecondsPerDay
    }

    /// Appends a time as `2020-01-31T12:00:00`, with `.123` if it has milliseconds.
    ///
    /// - Parameter days: days since 1899-12-30.
    /// - Returns: false if the time is not certain. Then nothing is appended.
    mutating func append(dateTime days: Double) -> Bool {
        guard Self.isCertain(dateTime: days) else { return false }
        // The same rounding as for comparisons.
        let milliseconds = Int(((days - DateTime.unixEpochDays) * Self.millisecondsPerDay).rounded())
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: Int(Self.millisecondsPerDay))
        let (day, time) =
            remainder < 0 ? (quotient - 1, remainder + Int(Self.millisecondsPerDay)) : (quotient, remainder)
        let date = DateTime.civil(Int64(day))
        reserve(Self.longest)
        appendReserved { output in
            output.write(Int(date.year), digits: 4, at: 0)
            output[4] = UInt8(ascii: "-")
            output.write(Int(date.month), digits: 2, at: 5)
            output[7] = UInt8(ascii: "-")
            output.write(Int(date.day), digits: 2, at: 8)
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
        return true
    }
}

extension UnsafeMutablePointer<UInt8> {
    fileprivate func write(_ number: Int, digits: Int, at offset: Int) {
        var rest = number
        for place in (0..<digits).reversed() {
            self[offset + place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
