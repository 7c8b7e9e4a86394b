// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    /// Reads a number whose first byte, a minus or a digit, is next.
    mutating func parseNumber() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let integer = try parseIntegerPart(isNegative: isNegative)

        let endOfInteger = position
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            let sign = try peek()
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        if position == endOfInteger, let integer { return .integer(integer) }

        // The standard library's conversion is correctly rounded and, unlike strtod, the same in every locale.
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text) else { throw JSONSyntaxError(offset: start, reason: .invalidNumber) }
        guard number.isFinite else { throw JSONSyntaxError(offset: start, reason: .numberOutOfRange) }
        return .number(number)
    }

    /// - Returns: nil when the digits exceed what `Int64` holds.
    private mutating func parseIntegerPart(isNegative: Bool) throws(JSONSyntaxError) -> Int64? {
        let start = position
        var value: Int64? = 0
        while let digit = nextDigit() {
            guard position == start || bytes[start] != UInt8(ascii: "0") else { throw failure(.invalidNumber) }
            position += 1
            guard let shifted = value?.multipliedReportingOverflow(by: 10), !shifted.overflow else {
                value = nil
                continue
            }
            let next =
                isNegative
                ? shifted.partialValue.subtractingReportingOverflow(digit)
                : shifted.partialValue.addingReportingOverflow(digit)
            value = next.overflow ? nil : next.partialValue
        }
        guard position > start else { throw failure(position < bytes.count ? .invalidNumber : .unexpectedEnd) }
        return value
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        let start = position
        while nextDigit() != nil { position += 1 }
        guard position > start else { throw failure(position < bytes.count ? .invalidNumber : .unexpectedEnd) }
    }

    private func nextDigit() -> Int64? {
        guard position < bytes.count else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        return digit < 10 ? Int64(digit) : nil
    }
}
