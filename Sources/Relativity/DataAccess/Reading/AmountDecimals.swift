// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The decimals of the values of a column, which are stored as binary numbers of 64 bits.
///
/// Decimal numbers of at most 15 digits compare as the nearest binary numbers do, and are known from them.
struct AmountDecimals: Sendable {
    /// 10^15: the least number of more than 15 digits.
    private static let limit: UInt64 = 1_000_000_000_000_000
    /// 10^0 to 10^22, which a Double holds exactly.
    private static let powers = (0...22).map { Double("1e\($0)") ?? 1 }

    /// The decimals of a value that is not in `others`.
    private let usual: Int
    /// The decimals of other values, by their bits. Of two equal numbers with different decimals the last one counts.
    private var others: [UInt64: Int] = [:]
    private var most: Int
    private var greatest = 0.0

    init(_ usual: Int) {
        self.usual = usual
        most = usual
    }

    /// The decimals with which each value is a whole number of at most 15 digits, so that a sum can be exact; nil if
    /// there are none.
    var sumDecimals: Int? {
        most <= 15 && (greatest + 1) * Self.powers[most] < Double(Self.limit) ? most : nil
    }

    /// Adds magnitude / 10^scale and returns the nearest binary number; nil if it has more than 15 digits.
    mutating func add(_ magnitude: some FixedWidthInteger & UnsignedInteger, scale: Int) -> Double? {
        var (whole, decimals) = (magnitude, scale)
        while decimals > 0, whole >= Self.limit, whole.isMultiple(of: 10) {
            whole /= 10
            decimals -= 1
        }
        guard whole < Self.limit else { return nil }
        var digits = UInt64(whole)
        while decimals > 0, digits.isMultiple(of: 10) {
            digits /= 10
            decimals -= 1
        }
        // Both operands are exact, so that the quotient is rounded once.
        let number =
            decimals < Self.powers.count
            ? Double(digits) / Self.powers[decimals] : Double("\(digits)e-\(decimals)") ?? 0
        if scale != usual || !others.isEmpty && others[number.bitPattern] != nil { others[number.bitPattern] = scale }
        most = max(most, scale)
        greatest = max(greatest, number)
        return number
    }

    /// Returns a stored value as it was; nil if it is no decimal number of at most 15 digits.
    func decimal(_ number: Double) -> DataDecimal? {
        let text = "\(number)"
        let plain = ScientificNotation.withoutExponent(text) ?? (text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        let point = plain.firstIndex(of: ".").map { plain.distance(from: $0, to: plain.endIndex) - 1 } ?? 0
        let missing = (others[number.magnitude.bitPattern] ?? usual) - point
        guard missing > 0 else { return DataDecimal(plain) }
        return DataDecimal(plain + (point == 0 ? "." : "") + String(repeating: "0", count: missing))
    }
}
