// SPDX-License-Identifier: Apache-2.0

/// The digits of a decimal number written as `-12.50`, without exponent.
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
