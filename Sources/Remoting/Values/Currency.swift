// SPDX-License-Identifier: Apache-2.0

/// An amount with four decimals, held exactly.
package struct Currency: Hashable, Sendable {
    private static let digits = 4

    /// The amount times 10,000.
    package let scaled: Int64

    package init(scaled: Int64) {
        self.scaled = scaled
    }

    /// Reads `-1.5`; nil with more than four decimals or beyond 64 bits.
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
    /// With as many decimals as it needs: `-1.5`.
    package var description: String {
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, Self.digits + 1 - digits.count)) + digits
        let fraction = padded.suffix(Self.digits).reversed().drop { $0 == "0" }.reversed()
        return (scaled < 0 ? "-" : "") + padded.dropLast(Self.digits) + (fraction.isEmpty ? "" : "." + String(fraction))
    }
}
