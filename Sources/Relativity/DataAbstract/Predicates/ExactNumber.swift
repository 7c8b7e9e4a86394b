// SPDX-License-Identifier: Apache-2.0

/// A number of any field or literal, which compares by value without rounding.
enum ExactNumber: Sendable {
    /// magnitude / 10^scale. The magnitude has at most 96 bits, the scale is at most 28.
    case scaled(magnitude: UInt128, scale: Int, isNegative: Bool)
    /// May be infinite, but not NaN.
    case binary(Double)

    /// 10^0 to 10^38.
    static let powersOfTen: [UInt128] = (0..<38).reduce(into: [1]) { powers, index in
        powers.append(powers[index] * 10)
    }
    /// 10^0 to 10^22, the powers that a Double holds exactly.
    static let doublePowersOfTen = powersOfTen.prefix(23).map { Double($0) }
    /// 2^96: no scaled number is as large.
    private static let beyondScaled = 79_228_162_514_264_337_593_543_950_336.0

    init(_ decimal: DataDecimal) {
        self = .scaled(magnitude: decimal.magnitude, scale: decimal.scale, isNegative: decimal.isNegative)
    }

    init(_ integer: some FixedWidthInteger, scale: Int = 0) {
        self = .scaled(magnitude: UInt128(integer.magnitude), scale: scale, isNegative: integer < 0)
    }

    /// The number of a field; nil for other values and for NaN.
    init?(_ value: DataValue) {
        switch value {
        case .integer(let value): self.init(value)
        case .unsigned(let value): self.init(value)
        case .currency(let scaled): self.init(scaled, scale: 4)
        case .decimal(let value): self.init(value)
        case .boolean(let value): self.init(value ? 1 : 0)
        case .float(let value):
            guard !value.isNaN else { return nil }
            self = .binary(value)
        case .null, .dateTime, .text, .unreadable, .bytes: return nil
        }
    }

    /// The number of a literal; nil for other literals and for NaN.
    init?(_ value: PredicateValue) {
        switch value {
        case .number(let value): self.init(value)
        case .boolean(let value): self.init(value ? 1 : 0)
        case .float(let value):
            guard !value.isNaN else { return nil }
            self = .binary(value)
        case .text, .date: return nil
        }
    }

    private var sign: Int {
        switch self {
        case .scaled(let magnitude, _, let isNegative): magnitude == 0 ? 0 : isNegative ? -1 : 1
        case .binary(let value): value == 0 ? 0 : value < 0 ? -1 : 1
        }
    }

    /// Returns -1, 0 or 1: whether the number is less than, equal to or greater than the other one.
    func compared(to other: ExactNumber) -> Int {
        guard sign == other.sign, sign != 0 else { return sign == other.sign ? 0 : sign < other.sign ? -1 : 1 }
        let order =
            switch (self, other) {
            case (.binary(let left), .binary(let right)): Self.order(left.magnitude, right.magnitude)
            case (.binary(let left), .scaled(let magnitude, let scale, _)):
                Self.order(left.magnitude, magnitude, scale)
            case (.scaled(let magnitude, let scale, _), .binary(let right)):
                -Self.order(right.magnitude, magnitude, scale)
            case (.scaled(let left, let leftScale, _), .scaled(let right, let rightScale, _)):
                leftScale <= rightScale
                    ? Self.order(left, times: rightScale - leftScale, right)
                    : -Self.order(right, times: leftScale - rightScale, left)
            }
        return sign * order
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    /// Compares left * 10^digits with right.
    private static func order(_ left: UInt128, times digits: Int, _ right: UInt128) -> Int {
        let (high, low) = left.multipliedFullWidth(by: powersOfTen[digits])
        return high > 0 ? 1 : order(low, right)
    }

    /// Compares a positive number with magnitude / 10^scale.
    private static func order(_ left: Double, _ magnitude: UInt128, _ scale: Int) -> Int {
        guard left < beyondScaled else { return 1 }
        let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: powersOfTen[scale])
        let leftWhole = UInt128(left)
        guard leftWhole == whole else { return leftWhole < whole ? -1 : 1 }
        let (digits, hasMore) = fraction(of: left, digits: scale)
        return digits == rest && hasMore ? 1 : order(digits, rest)
    }

    /// Returns the first decimal digits of a fraction, and whether the number has more.
    private static func fraction(of number: Double, digits: Int) -> (digits: UInt128, hasMore: Bool) {
        let fraction = number - number.rounded(.towardZero)
        guard fraction > 0 else { return (0, false) }
        // fraction = significand / 2^shift, where the significand has 53 bits at most.
        let hidden: UInt64 = fraction.isNormal ? 1 << 52 : 0
        let significand = UInt128(fraction.significandBitPattern | hidden)
        let shift = fraction.isNormal ? 52 - Int(fraction.exponent) : 1074
        let (high, low) = significand.multipliedFullWidth(by: powersOfTen[digits])
        switch shift {
        case ..<128:
            return (high << UInt128(128 - shift) | low >> UInt128(shift), low & (1 << UInt128(shift) - 1) != 0)
        case 128: return (high, low != 0)
        case ..<256:
            let excess = UInt128(shift - 128)
            return (high >> excess, low != 0 || high & (1 << excess - 1) != 0)
        default: return (0, true)
        }
    }

    /// Returns the number times 10^digits, rounded down, and whether nothing was rounded. Numbers beyond 2^96 are
    /// returned as 2^110 with their sign.
    ///
    /// - Parameter digits: at most 4.
    func floor(digits: Int) -> (value: Int128, isExact: Bool) {
        let unit = Self.powersOfTen[digits]
        let magnitude: UInt128
        let isExact: Bool
        switch self {
        case .scaled(let number, let scale, _):
            let (quotient, rest) = (number * unit).quotientAndRemainder(dividingBy: Self.powersOfTen[scale])
            (magnitude, isExact) = (quotient, rest == 0)
        case .binary(let value):
            guard value.magnitude < Self.beyondScaled else { return (Int128(sign) << 110, false) }
            let (fraction, hasMore) = Self.fraction(of: value.magnitude, digits: digits)
            (magnitude, isExact) = (UInt128(value.magnitude) * unit + fraction, !hasMore)
        }
        return sign < 0 ? (-Int128(magnitude) - (isExact ? 0 : 1), isExact) : (Int128(magnitude), isExact)
    }
}
