// SPDX-License-Identifier: Apache-2.0

/// An exact amount with four decimal places.
package struct Currency: Hashable, Sendable {
    private static let digits = 4

    /// The amount times 10,000.
    package let scaled: Int64

    /// - Parameter scaled: the amount times 10,000.
    package init(scaled: Int64) {
        self.scaled = scaled
    }

    /// Parses `-1.5`; nil for more than four decimal places or an amount beyond 64 bits.
    package init?(_ text: String) {
        guard let parts = DecimalText(text), parts.fraction.count <= Self.digits else { return nil }
        let padding = String(repeating: "0", count: Self.digits - parts.fraction.count)
        guard let scaled = Int64((parts.isNegative ? "-" : "") + parts.whole + parts.fraction + padding) else {
            return nil
        }
        self.scaled = scaled
    }
}

extension Currency: CustomStringConvertible {
    /// The amount without trailing zeros: `-1.5`.
    package var description: String {
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, Self.digits + 1 - digits.count)) + digits
        let fraction = padded.suffix(Self.digits).reversed().drop { $0 == "0" }.reversed()
        return (scaled < 0 ? "-" : "") + padded.dropLast(Self.digits) + (fraction.isEmpty ? "" : "." + String(fraction))
    }
}

/// A decimal number with a 96-bit magnitude and a scale, the .NET `decimal`: magnitude / 10^scale.
package struct Decimal96: Hashable, Sendable {
    /// The upper 32 bits of the magnitude.
    package let high: UInt32
    /// The lower 64 bits of the magnitude.
    package let low: UInt64
    /// The number of decimal places, 0 to 28.
    package let scale: UInt8
    /// Whether the number is negative.
    package let isNegative: Bool

    /// Returns nil if the scale is above 28.
    package init?(high: UInt32, low: UInt64, scale: UInt8, isNegative: Bool) {
        guard scale <= 28 else { return nil }
        self.high = high
        self.low = low
        self.scale = scale
        self.isNegative = isNegative
    }

    /// integer / 10^scale.
    ///
    /// - Precondition: the scale is at most 28.
    package init(_ integer: Int64, scale: Int = 0) {
        precondition(0...28 ~= scale, "a scale of at most 28")
        high = 0
        low = integer.magnitude
        self.scale = UInt8(scale)
        isNegative = integer < 0
    }

    /// Parses `-12.50`, keeping the scale as written; nil beyond 96 bits or 28 decimal places.
    package init?(_ text: String) {
        guard let parts = DecimalText(text), parts.fraction.count <= 28,
            let magnitude = UInt128(parts.whole + parts.fraction), magnitude >> 96 == 0
        else { return nil }
        self.init(
            high: UInt32(truncatingIfNeeded: magnitude >> 64),
            low: UInt64(truncatingIfNeeded: magnitude),
            scale: UInt8(parts.fraction.count),
            isNegative: parts.isNegative
        )
    }
}

extension Decimal96: CustomStringConvertible {
    /// All decimal places of the scale: `-12.50`.
    package var description: String {
        let digits = String(UInt128(high) << 64 | UInt128(low))
        let padded = String(repeating: "0", count: max(0, Int(scale) + 1 - digits.count)) + digits
        let whole = padded.dropLast(Int(scale))
        let fraction = padded.suffix(Int(scale))
        return (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}

/// The parts of a decimal number such as `-12.50`, without exponent.
struct DecimalText {
    let isNegative: Bool
    let whole: String
    let fraction: String

    init?(_ text: String) {
        isNegative = text.hasPrefix("-")
        let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) })
        else {
            return nil
        }
        whole = String(parts[0])
        fraction = parts.count == 2 ? String(parts[1]) : ""
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
