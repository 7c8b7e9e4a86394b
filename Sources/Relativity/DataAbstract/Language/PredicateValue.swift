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
