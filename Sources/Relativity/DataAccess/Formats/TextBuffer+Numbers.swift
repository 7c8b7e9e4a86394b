// SPDX-License-Identifier: Apache-2.0

import Remoting

// Numbers and times as ASCII, without a `String` for each.
extension TextBuffer {
    /// Enough for every number and time.
    private static let longest = 64

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

    /// Appends the text of a time, which `DateTime` describes.
    ///
    /// - Parameter days: days since 1899-12-30.
    mutating func append(dateTime days: Double) {
        let time = DateTime(days: days)
        guard time.isCertain else { return append(time.description) }
        reserve(Self.longest)
        appendReserved { time.write(to: $0) }
    }
}
