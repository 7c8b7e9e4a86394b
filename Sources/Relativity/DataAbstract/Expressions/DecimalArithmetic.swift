// SPDX-License-Identifier: Apache-2.0

internal import Remoting

/// Arithmetic of numbers with at most 96 bits and 28 decimals. A result is exact if it fits. Otherwise decimals are
/// rounded off, halves away from zero, until it fits; nil if its whole part does not.
extension DataDecimal {
    private static let largestScale = 28
    private static let limit = UInt128(1) << 96

    init?(magnitude: UInt128, scale: Int, isNegative: Bool) {
        guard magnitude < Self.limit, 0...Self.largestScale ~= scale else { return nil }
        let number = Decimal96(
            high: UInt32(truncatingIfNeeded: magnitude >> 64),
            low: UInt64(truncatingIfNeeded: magnitude),
            scale: UInt8(scale),
            isNegative: isNegative && magnitude != 0
        )
        guard let number else { return nil }
        self.init(number)
    }

    init(_ integer: Int64, scale: Int = 0) {
        self.init(Decimal96(integer, scale: scale))
    }

    func adding(_ other: DataDecimal) -> DataDecimal? {
        let scale = Swift.max(self.scale, other.scale)
        let left = WideNumber(magnitude, times: ExactNumber.powersOfTen[scale - self.scale])
        let right = WideNumber(other.magnitude, times: ExactNumber.powersOfTen[scale - other.scale])
        guard isNegative != other.isNegative else { return left.adding(right).decimal(scale, isNegative) }
        return left < right
            ? right.subtracting(left).decimal(scale, other.isNegative)
            : left.subtracting(right).decimal(scale, isNegative)
    }

    var negated: DataDecimal {
        DataDecimal(magnitude: magnitude, scale: scale, isNegative: !isNegative) ?? self
    }

    func multiplied(by other: DataDecimal) -> DataDecimal? {
        WideNumber(magnitude, times: other.magnitude).decimal(scale + other.scale, isNegative != other.isNegative)
    }

    /// Nil also for a division by zero.
    func divided(by other: DataDecimal) -> DataDecimal? {
        let divisor = other.magnitude
        guard divisor != 0 else { return nil }
        var (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: divisor)
        var scale = self.scale - other.scale
        while scale < 0 || rest != 0 && scale < Self.largestScale {
            let (digit, next) = (rest * 10).quotientAndRemainder(dividingBy: divisor)
            let longer = quotient * 10 + digit
            guard longer < Self.limit else { break }
            (quotient, rest) = (longer, next)
            scale += 1
        }
        guard scale >= 0 else { return nil }
        if rest * 2 >= divisor { quotient += 1 }
        return WideNumber(quotient, times: 1).decimal(scale, isNegative != other.isNegative)
    }

    /// Returns the number with at most so many decimals.
    func rounded(digits: Int, _ rule: DecimalRounding = .nearest) -> DataDecimal? {
        guard digits < scale else { return self }
        let unit = ExactNumber.powersOfTen[scale - digits]
        var (quotient, rest) = magnitude.quotientAndRemainder(dividingBy: unit)
        let isUp =
            switch rule {
            case .nearest: rest * 2 >= unit
            case .down: rest != 0 && isNegative
            case .up: rest != 0 && !isNegative
            }
        if isUp { quotient += 1 }
        return DataDecimal(magnitude: quotient, scale: digits, isNegative: isNegative)
    }

    /// The number times 10^digits, rounded; nil beyond 64 bits.
    func scaled(digits: Int) -> Int64? {
        guard let number = rounded(digits: digits) else { return nil }
        let (high, low) = number.magnitude.multipliedFullWidth(by: ExactNumber.powersOfTen[digits - number.scale])
        guard high == 0, low <= UInt128(Int64.max) + 1 else { return nil }
        return Int64(exactly: number.isNegative ? -Int128(low) : Int128(low))
    }

    /// The nearest Double.
    var double: Double {
        // Both numbers are exact, so that the quotient is rounded only once.
        if magnitude < 1 << 53, scale <= 22 {
            let quotient = Double(magnitude) / ExactNumber.doublePowersOfTen[scale]
            return isNegative ? -quotient : quotient
        }
        return Double(description) ?? 0
    }

    /// Converts the shortest decimal text that is read as the number: 0.1 becomes 0.1.
    init?(_ double: Double) {
        guard double.isFinite else { return nil }
        let parts = double.description.split(separator: "e")
        guard var number = DataDecimal(String(parts[0])) else { return nil }
        if number.scale == 1, number.magnitude % 10 == 0, let whole = number.rounded(digits: 0) { number = whole }
        let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
        guard exponent != 0 else {
            self = number
            return
        }
        guard exponent.magnitude < ExactNumber.powersOfTen.count else {
            guard exponent < 0 else { return nil }
            self = .zero
            return
        }
        let power = ExactNumber.powersOfTen[Int(exponent.magnitude)]
        let result =
            exponent > 0
            ? WideNumber(number.magnitude, times: power).decimal(number.scale, number.isNegative)
            : WideNumber(number.magnitude, times: 1).decimal(number.scale - exponent, number.isNegative)
        guard let result else { return nil }
        self = result
    }

    static let zero = DataDecimal(Decimal96(0))

    /// The number without zeros at the end.
    var shortest: DataDecimal {
        var (magnitude, scale) = (magnitude, scale)
        while scale > 0, magnitude % 10 == 0 { (magnitude, scale) = (magnitude / 10, scale - 1) }
        return DataDecimal(magnitude: magnitude, scale: scale, isNegative: isNegative) ?? self
    }
}

/// The direction in which decimals are rounded off.
enum DecimalRounding {
    /// Halves away from zero.
    case nearest
    /// Towards negative infinity.
    case down
    /// Towards positive infinity.
    case up
}

/// A magnitude of 256 bits, for results before they are rounded.
private struct WideNumber {
    var high: UInt128
    var low: UInt128

    init(_ left: UInt128, times right: UInt128) {
        (high, low) = left.multipliedFullWidth(by: right)
    }

    static func < (left: WideNumber, right: WideNumber) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    func adding(_ other: WideNumber) -> WideNumber {
        var sum = self
        let carry: Bool
        (sum.low, carry) = low.addingReportingOverflow(other.low)
        sum.high = high + other.high + (carry ? 1 : 0)
        return sum
    }

    /// - Parameter other: not greater.
    func subtracting(_ other: WideNumber) -> WideNumber {
        var difference = self
        let borrow: Bool
        (difference.low, borrow) = low.subtractingReportingOverflow(other.low)
        difference.high = high - other.high - (borrow ? 1 : 0)
        return difference
    }

    /// Rounds decimals off until the number fits. The number is less than 2^192.
    func decimal(_ scale: Int, _ isNegative: Bool) -> DataDecimal? {
        for dropped in Swift.max(0, scale - 28)...Swift.max(scale, 0) where dropped < ExactNumber.powersOfTen.count {
            let unit = ExactNumber.powersOfTen[dropped]
            guard high < unit else { continue }
            let (quotient, rest) = unit.dividingFullWidth((high, low))
            let rounded = quotient.addingReportingOverflow(rest != 0 && rest >= unit - rest ? 1 : 0)
            guard !rounded.overflow else { continue }
            if let number = DataDecimal(
                magnitude: rounded.partialValue,
                scale: scale - dropped,
                isNegative: isNegative
            ) {
                return number
            }
        }
        // All digits are below the last decimal.
        return scale - 28 >= ExactNumber.powersOfTen.count ? .zero : nil
    }
}
