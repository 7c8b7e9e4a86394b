// SPDX-License-Identifier: Apache-2.0

/// A decimal number of at most 15 digits without an exponent.
struct DecimalLiteral {
    /// The number without its point.
    let units: String
    let decimals: Int

    init?(_ text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.joined().utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        var digits = Array(parts.joined())
        var decimals = parts.count == 2 ? parts[1].count : 0
        guard !digits.isEmpty else { return nil }
        // A number with a point is no integer for SQLite.
        if decimals == 0, parts.count == 2 {
            digits.append("0")
            decimals = 1
        }
        while decimals > 1, digits.last == "0" {
            digits.removeLast()
            decimals -= 1
        }
        let whole = digits.drop { $0 == "0" }
        guard whole.count <= 15, decimals <= 22 else { return nil }
        units = (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(whole))
        self.decimals = decimals
    }

    /// Both operands are exact, so that the quotient is rounded once.
    var quotient: String { "(\(units) / \(StatementRewriter.unit(decimals)).0)" }
}
