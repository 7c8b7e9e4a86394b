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
