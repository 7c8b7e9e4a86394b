// SPDX-License-Identifier: Apache-2.0

extension Expression: CustomStringConvertible {
    /// A text that parses to the same tree, if the tree is one that the parser makes.
    public var description: String {
        var text = ""
        write(to: &text, within: .or, table: "")
        return text
    }

    /// The strength of an operator. An operand that binds more weakly needs parentheses.
    private enum Level: Int {
        case or
        case and
        case not
        case comparison
        case sum
        case product
        case sign
        case operand
    }

    private var level: Level {
        switch node {
        case .value, .null, .constant, .field, .matchedField, .call, .aggregate: .operand
        case .and(let parts) where parts.count < 2, .or(let parts) where parts.count < 2:
            parts.first?.level ?? .operand
        case .negative: .sign
        case .arithmetic(.multiply, _, _), .arithmetic(.divide, _, _): .product
        case .arithmetic: .sum
        case .comparison, .isNull, .isIn, .between: .comparison
        case .not(let inner): inner.isWordTest ? .comparison : .not
        case .and: .and
        case .or: .or
        }
    }

    /// Whether a negation is written inside of the test: `x NOT IN {1}` instead of `NOT x IN {1}`.
    private var isWordTest: Bool {
        switch node {
        case .isNull, .isIn, .between: true
        case .comparison(let operation, _, _, _): operation.isTextTest
        default: false
        }
    }

    /// - Parameters:
    ///   - level: the weakest operator that needs no parentheses.
    ///   - table: the table of the aggregate.
    private func write(to text: inout String, within level: Level, table: String, isNegated: Bool = false) {
        guard self.level.rawValue >= level.rawValue else {
            text += "("
            write(to: &text, within: .or, table: table)
            text += ")"
            return
        }
        let not = isNegated ? " NOT" : ""
        func add(_ part: Expression, _ level: Level) { part.write(to: &text, within: level, table: table) }
        func add(list: [Expression], _ separator: String, _ level: Level) {
            for (index, part) in list.enumerated() {
                if index > 0 { text += separator }
                add(part, level)
            }
        }
        switch node {
        case .value(let value): text += value.description
        case .null: text += "NULL"
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .field(let name): text += Self.quoted(name)
        case .matchedField(let name): text += "\(Self.quoted(table)).\(Self.quoted(name))"
        case .negative(let inner):
            text += "-"
            add(inner, .sign)
        case .arithmetic(let operation, let left, let right):
            let level = self.level
            add(left, level)
            text += " \(operation.rawValue) "
            add(right, level == .sum ? .product : .sign)
        case .comparison(let operation, let left, let right, let folding):
            add(left, .sum)
            text += "\(not) \(operation.rawValue)\(folding.option) "
            add(right, .sum)
        case .isNull(let inner):
            add(inner, .sum)
            text += " IS\(not) NULL"
        case .isIn(let left, let list, let folding):
            add(left, .sum)
            text += "\(not) IN\(folding.option) {"
            add(list: list, ", ", .or)
            text += "}"
        case .between(let left, let low, let high):
            add(left, .sum)
            text += "\(not) BETWEEN {"
            add(list: [low, high], ", ", .or)
            text += "}"
        case .not(let inner) where inner.isWordTest:
            inner.write(to: &text, within: .comparison, table: table, isNegated: true)
        case .not(let inner):
            text += "NOT "
            add(inner, .not)
        case .and([]), .or([]): add(.constant(node == .and([])), level)
        case .and(let parts): add(list: parts, " AND ", parts.count < 2 ? level : .not)
        case .or(let parts): add(list: parts, " OR ", parts.count < 2 ? level : .and)
        case .call(let function, let arguments):
            text += "\(function.rawValue)("
            add(list: arguments, ", ", .or)
            text += ")"
        case .aggregate(let aggregate):
            text += "\(aggregate.function.rawValue)("
            if let argument = aggregate.argument {
                argument.write(to: &text, within: .or, table: aggregate.table)
            } else {
                text += Self.quoted(aggregate.table)
            }
            if let condition = aggregate.condition {
                text += " WHERE "
                condition.write(to: &text, within: .or, table: aggregate.table)
            }
            text += ")"
        }
    }

    /// Returns the name of a field, in brackets if it is not a plain word.
    private static func quoted(_ field: String) -> String {
        let bytes = field.utf8
        let isWord =
            bytes.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
            && bytes.allSatisfy(ExpressionLexer.isInWord) && ExpressionKeyword(word: field) == nil
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
