// SPDX-License-Identifier: Apache-2.0

/// A decimal number of 96 bits and a scale, the .NET `decimal`: magnitude / 10^scale.
package struct Decimal96: Hashable, Sendable {
    /// The upper 32 bits of the magnitude.
    package let high: UInt32
    /// The lower 64 bits of the magnitude.
    package let low: UInt64
    /// 0 to 28.
    package let scale: UInt8
    package let isNegative: Bool

    /// Nil if the scale is above 28.
    package init?(high: UInt32, low: UInt64, scale: UInt8, isNegative: Bool) {
        guard scale <= 28 else { return nil }
        self.high = high
        self.low = low
        self.scale = scale
        self.isNegative = isNegative
    }

    /// Reads `-12.50`, keeping the scale as written; nil beyond 96 bits or 28 decimals.
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
    package var description: String {
        let digits = String(UInt128(high) << 64 | UInt128(low))
        let padded = String(repeating: "0", count: max(0, Int(scale) + 1 - digits.count)) + digits
        let whole = padded.dropLast(Int(scale))
        let fraction = padded.suffix(Int(scale))
        return (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
    }
}
