// SPDX-License-Identifier: Apache-2.0

/// A literal.
///
/// Numbers are compared by value with fields of any number type, exactly. The exception is a literal for a Float
/// field, which is rounded to the type of the field first, so that `Price == 0.1` finds the Float 0.1.
public enum PredicateValue: Hashable, Sendable {
    /// A number without an exponent.
    case number(DataDecimal)
    /// A number with an exponent, or with more than 28 decimals or 96 bits, rounded to 64 bits. A number that is not
    /// finite has no text.
    case float(Double)
    case text(String)
    case date(PredicateDate)
    /// In a comparison with a number, true is 1 and false is 0.
    case boolean(Bool)
}

extension PredicateValue {
    /// The literal that equals a value; nil for NULL, blobs, and NaN as a date.
    package init?(_ value: DataValue) {
        switch value {
        case .null, .bytes, .unreadable: return nil
        case .integer, .unsigned, .currency, .decimal:
            guard let number = ValueConversion.decimal(value) else { return nil }
            self = .number(number)
        case .float(let value): self = .float(value)
        case .boolean(let value): self = .boolean(value)
        case .text(let text): self = .text(text)
        case .dateTime(let days):
            guard !days.isNaN else { return nil }
            self = .date(PredicateDate(days: days))
        }
    }

    /// The nearest Double; nil for text, dates and NaN.
    var double: Double? {
        switch self {
        case .number(let number): number.double
        case .float(let number): number.isNaN ? nil : number
        case .boolean(let value): value ? 1 : 0
        case .text, .date: nil
        }
    }

    /// The text; nil for other literals.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension PredicateValue: CustomStringConvertible {
    /// The literal as in a predicate. Text is in single quotes.
    public var description: String {
        switch self {
        case .number(let number): return number.description
        case .float(let number):
            let digits = number.description
            return digits.contains("e") || !number.isFinite ? digits : digits + "e0"
        case .text(let text): return "'\(Expression.doubling("'", in: text))'"
        case .date(let date):
            let text = date.description
            return text.hasSuffix("T00:00:00") ? String(text.prefix(10)) : text
        case .boolean(let value): return value ? "TRUE" : "FALSE"
        }
    }
}
