// SPDX-License-Identifier: Apache-2.0

extension Predicate: CustomStringConvertible {
    /// A text that parses to the same tree, if the tree is one that the parser makes.
    public var description: String { text(in: .alone) }

    /// The surroundings of a part, which decide whether it needs parentheses.
    private enum Context {
        case alone
        case or
        case and
        case not
    }

    private func text(in context: Context) -> String {
        switch self {
        case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .isNull(let field): return "\(Self.quoted(field)) IS NULL"
        case .comparison(let field, let operation, let operand, let folding):
            return "\(Self.quoted(field)) \(operation.rawValue)\(folding.option) \(operand)"
        case .isIn(let field, let values, let folding):
            return "\(Self.quoted(field)) IN\(folding.option) \(Self.list(values))"
        case .between(let field, let low, let high): return "\(Self.quoted(field)) BETWEEN \(Self.list([low, high]))"
        case .not(let inner): return Self.negation(of: inner)
        case .and(let parts):
            guard parts.count > 1 else { return (parts.first ?? .constant(true)).text(in: context) }
            let text = parts.map { $0.text(in: .and) }.joined(separator: " AND ")
            return context == .alone || context == .or ? text : "(\(text))"
        case .or(let parts):
            guard parts.count > 1 else { return (parts.first ?? .constant(false)).text(in: context) }
            let text = parts.map { $0.text(in: .or) }.joined(separator: " OR ")
            return context == .alone ? text : "(\(text))"
        }
    }

    /// `Price NOT IN {1}` instead of `NOT Price IN {1}`, which would add a level.
    private static func negation(of inner: Predicate) -> String {
        switch inner {
        case .isNull(let field): "\(quoted(field)) IS NOT NULL"
        case .isIn(let field, let values, let folding): "\(quoted(field)) NOT IN\(folding.option) \(list(values))"
        case .between(let field, let low, let high): "\(quoted(field)) NOT BETWEEN \(list([low, high]))"
        case .comparison(let field, let operation, let operand, let folding) where operation.isTextTest:
            "\(quoted(field)) NOT \(operation.rawValue)\(folding.option) \(operand)"
        default: "NOT \(inner.text(in: .not))"
        }
    }

    private static func list(_ values: [PredicateValue]) -> String {
        "{\(values.map(\.description).joined(separator: ", "))}"
    }

    /// Returns the name of a field, in brackets if it is not a plain word.
    static func quoted(_ field: String) -> String {
        let bytes = field.utf8
        let isWord =
            bytes.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
            && bytes.allSatisfy(PredicateLexer.isInWord) && PredicateKeyword(word: field) == nil
        return isWord ? field : "[\(doubling("]", in: field))]"
    }

    /// Doubles a quote. It works on scalars, because a quote may form one character with a mark after it.
    static func doubling(_ quote: Unicode.Scalar, in text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            result.append(scalar)
            if scalar == quote { result.append(scalar) }
        }
        return String(result)
    }
}

extension PredicateOperand: CustomStringConvertible {
    /// The field, in brackets if necessary, or the literal.
    public var description: String {
        switch self {
        case .field(let name): Predicate.quoted(name)
        case .value(let value): value.description
        }
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
        case .text(let text): return "'\(Predicate.doubling("'", in: text))'"
        case .date(let date):
            let text = date.description
            return text.hasSuffix("T00:00:00") ? String(text.prefix(10)) : text
        case .boolean(let value): return value ? "TRUE" : "FALSE"
        }
    }
}
