// SPDX-License-Identifier: Apache-2.0

/// A number as text.
enum ScientificNotation {
    private static let mostExponent = 64

    /// Returns a number such as `1.5e3` or `1500.0` as `1500`, without zeros at the end of its fraction. Nil if the exponent
    /// is beyond 64 in either direction.
    static func withoutExponent(_ text: String) -> String? {
        let sign = text.firstIndex { $0 == "e" || $0 == "E" } ?? text.endIndex
        let written = sign == text.endIndex ? 0 : Int(text[text.index(after: sign)...])
        guard let exponent = written, exponent.magnitude <= mostExponent else { return nil }
        let isNegative = text.hasPrefix("-")
        let parts = text[..<sign].dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        var digits = String(parts.joined())
        var places = (parts.count == 2 ? parts[1].count : 0) - exponent
        while places > 0, digits.last == "0" {
            digits.removeLast()
            places -= 1
        }
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        digits += String(repeating: "0", count: max(0, -places))
        let fraction = digits.suffix(max(0, places))
        return (isNegative ? "-" : "") + digits.dropLast(fraction.count) + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
