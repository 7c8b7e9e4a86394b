// SPDX-License-Identifier: Apache-2.0

internal import DataAbstract
internal import Remoting
internal import SampleServer
internal import TestSupport

/// A number, written without unnecessary parentheses in DA SQL and with all of them in the oracle's SQL.
indirect enum OracleNumber {
    case field(source: Int, OracleField)
    case constant(String)
    case negative(OracleNumber)
    case operation(Character, OracleNumber, OracleNumber)

    static func random(_ query: OracleQuery, depth: Int, _ numbers: inout SeededRandom) -> OracleNumber {
        guard depth > 0, Bool.random(0.6, &numbers) else {
            guard Bool.random(0.7, &numbers) else {
                return .constant(OracleValue.random(Bool.random(using: &numbers) ? .integer : .real, &numbers).text)
            }
            let (source, field) = query.field(&numbers) { [.integer, .money, .decimal, .real].contains($0.kind) }
            return .field(source: source, field)
        }
        if Bool.random(0.1, &numbers), case .field(let source, let field) = random(query, depth: 0, &numbers) {
            return .negative(.field(source: source, field))
        }
        let symbol: Character = "+-*/".randomElement(using: &numbers) ?? "+"
        let left = random(query, depth: depth - 1, &numbers)
        return .operation(symbol, left, random(query, depth: depth - 1, &numbers))
    }

    private var strength: Int {
        switch self {
        case .field, .constant: 4
        case .negative: 3
        case .operation("+", _, _), .operation("-", _, _): 1
        case .operation: 2
        }
    }

    /// Whether the server declares the result as a whole number.
    var isInteger: Bool {
        switch self {
        case .field(_, let field): field.kind == .integer
        case .constant(let text): !text.contains(".")
        case .negative(let operand): operand.isInteger
        case .operation(_, let left, let right): left.isInteger && right.isInteger
        }
    }

    func text(_ query: OracleQuery, _ numbers: inout SeededRandom) -> String {
        switch self {
        case .field(let source, let field): return query.name(field, of: source, &numbers)
        case .constant(let text): return text
        case .negative(let operand): return "-" + operand.text(query, &numbers)
        case .operation(let symbol, let left, let right):
            let parts = [(left, left.strength < strength), (right, right.strength <= strength)]
            let texts = parts.map { part, needsParentheses in
                let text = part.text(query, &numbers)
                return needsParentheses || Bool.random(0.05, &numbers) ? "(\(text))" : text
            }
            // Two minus signs begin a comment.
            let space = texts[1].hasPrefix("-") || Bool.random(0.8, &numbers) ? " " : ""
            return texts.joined(separator: "\(space)\(symbol)\(space)")
        }
    }

    /// The oracle's SQL. A Currency is a plain number here.
    func sql(_ query: OracleQuery) -> String {
        switch self {
        case .field(let source, let field):
            let column = query.column(field, of: source)
            return field.kind == .money ? "(\(column) / 10000.0)" : column
        case .constant(let text): return text
        case .negative(let operand): return "(- \(operand.sql(query)))"
        case .operation(let symbol, let left, let right):
            return "(\(left.sql(query)) \(symbol) \(right.sql(query)))"
        }
    }

    /// The form of a where clause.
    var expression: WhereExpression {
        switch self {
        case .field(_, let field): return .field(field.name)
        case .constant(let text): return .constant(text, type: text.contains(".") ? "Float" : "LargeInt")
        case .negative(let operand): return .unary(WhereOperator(rawValue: "Minus"), operand.expression)
        case .operation(let symbol, let left, let right):
            let operators: [Character: WhereOperator] = [
                "+": .addition, "-": .subtraction, "*": .multiply, "/": .divide,
            ]
            return .binary(operators[symbol] ?? .addition, left.expression, right.expression)
        }
    }
}

/// A condition in each of the languages.
indirect enum OracleCondition {
    case and(OracleCondition, OracleCondition)
    case or(OracleCondition, OracleCondition)
    case not(OracleCondition)
    /// A field and a constant, in either order.
    case compare(source: Int, OracleField, String, OracleValue, isSwapped: Bool, parameter: String?)
    /// Two fields of the same kind.
    case fields((Int, OracleField), String, (Int, OracleField))
    case numbers(OracleNumber, String, OracleNumber)
    case null(source: Int, OracleField, isNegated: Bool)
    case membership(source: Int, OracleField, [OracleValue], isNegated: Bool)
    case between(source: Int, OracleField, OracleValue, OracleValue, isNegated: Bool)
    case like(source: Int, OracleField, String, isNegated: Bool)

    private static let comparisons: [String: WhereOperator] = [
        "=": .equal, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual,
    ]

    static func random(_ query: inout OracleQuery, depth: Int, _ numbers: inout SeededRandom) -> OracleCondition {
        if depth > 0, Bool.random(0.6, &numbers) {
            let choice = Int.random(in: 0..<5, using: &numbers)
            let left = random(&query, depth: depth - 1, &numbers)
            if choice == 0 { return .not(left) }
            let right = random(&query, depth: depth - 1, &numbers)
            return choice < 3 ? .and(left, right) : .or(left, right)
        }
        let (source, field) = query.field(&numbers) { _ in true }
        let symbol = Self.comparisons.keys.sorted().randomElement(using: &numbers) ?? "="
        let isNegated = Bool.random(0.3, &numbers)
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0: return .null(source: source, field, isNegated: isNegated)
        case 1:
            let values = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in
                OracleValue.random(field.kind, &numbers)
            }
            return .membership(source: source, field, values, isNegated: isNegated)
        case 2:
            let (low, high) = (OracleValue.random(field.kind, &numbers), OracleValue.random(field.kind, &numbers))
            return .between(source: source, field, low, high, isNegated: isNegated)
        case 3:
            let (source, field) = query.field(&numbers) { $0.kind == .text }
            let pattern = ["a%", "%b", "_", "%", "A%", "", "%é%", "a_b"].randomElement(using: &numbers) ?? ""
            return .like(source: source, field, pattern, isNegated: isNegated)
        case 4:
            let left = OracleNumber.random(query, depth: 2, &numbers)
            return .numbers(left, symbol, OracleNumber.random(query, depth: 2, &numbers))
        case 5:
            let other = query.field(&numbers) { $0.kind == field.kind && $0.type == field.type }
            return .fields((source, field), symbol, other)
        default:
            var value = OracleValue.random(field.kind, &numbers)
            var parameter: String?
            if Bool.random(0.3, &numbers) {
                if field.kind == .date, Bool.random(0.2, &numbers) { value = .uncertain(&numbers) }
                parameter = "p\(query.parameters.count)"
                query.parameters.append(value.parameter)
            }
            return .compare(
                source: source,
                field,
                symbol,
                value,
                isSwapped: Bool.random(0.2, &numbers),
                parameter: parameter
            )
        }
    }

    private var strength: Int {
        switch self {
        case .or: 0
        case .and: 1
        case .not: 2
        default: 3
        }
    }

    private func text(inside strength: Int, _ query: OracleQuery, _ numbers: inout SeededRandom) -> String {
        let text = text(query, &numbers)
        return self.strength < strength || Bool.random(0.05, &numbers) ? "(\(text))" : text
    }

    func text(_ query: OracleQuery, _ numbers: inout SeededRandom) -> String {
        func word(_ text: String) -> String { Bool.random(using: &numbers) ? text : text.lowercased() }
        switch self {
        case .and(let left, let right):
            let start = left.text(inside: 1, query, &numbers)
            return "\(start) \(word("AND")) \(right.text(inside: 1, query, &numbers))"
        case .or(let left, let right):
            let start = left.text(inside: 0, query, &numbers)
            return "\(start) \(word("OR")) \(right.text(inside: 0, query, &numbers))"
        case .not(let operand): return "\(word("NOT")) " + operand.text(inside: 2, query, &numbers)
        case .compare(let source, let field, let symbol, let value, let isSwapped, let parameter):
            let name = query.name(field, of: source, &numbers)
            let constant = parameter.map { ":" + $0 } ?? value.text
            return isSwapped ? "\(constant) \(symbol) \(name)" : "\(name)\(symbol)\(constant)"
        case .fields(let left, let symbol, let right):
            let start = query.name(left.1, of: left.0, &numbers)
            let other = symbol == "<>" && Bool.random(using: &numbers) ? "!=" : symbol
            return "\(start) \(other) \(query.name(right.1, of: right.0, &numbers))"
        case .numbers(let left, let symbol, let right):
            let start = left.text(query, &numbers)
            return "\(start) \(symbol) \(right.text(query, &numbers))"
        case .null(let source, let field, let isNegated):
            return query.name(field, of: source, &numbers) + (isNegated ? " IS NOT NULL" : " is null")
        case .membership(let source, let field, let values, let isNegated):
            let name = query.name(field, of: source, &numbers)
            return "\(name)\(isNegated ? " NOT" : "") IN (\(values.map(\.text).joined(separator: ",")))"
        case .between(let source, let field, let low, let high, let isNegated):
            let name = query.name(field, of: source, &numbers)
            return "\(name)\(isNegated ? " NOT" : "") BETWEEN \(low.text) AND \(high.text)"
        case .like(let source, let field, let pattern, let isNegated):
            return query.name(field, of: source, &numbers) + (isNegated ? " NOT" : "") + " LIKE '\(pattern)'"
        }
    }

    func sql(_ query: OracleQuery) -> String {
        func column(_ source: Int, _ field: OracleField) -> String {
            query.column(field, of: source) + (field.kind == .text ? query.collation.sql : "")
        }
        switch self {
        case .and(let left, let right): return "(\(left.sql(query)) AND \(right.sql(query)))"
        case .or(let left, let right): return "(\(left.sql(query)) OR \(right.sql(query)))"
        case .not(let operand): return "(NOT \(operand.sql(query)))"
        case .compare(let source, let field, let symbol, let value, let isSwapped, _):
            let column = column(source, field)
            return isSwapped ? "(\(value.sql) \(symbol) \(column))" : "(\(column) \(symbol) \(value.sql))"
        case .fields(let left, let symbol, let right):
            return "(\(column(left.0, left.1)) \(symbol) \(query.column(right.1, of: right.0)))"
        case .numbers(let left, let symbol, let right):
            return "(\(left.sql(query)) \(symbol) \(right.sql(query)))"
        case .null(let source, let field, let isNegated):
            return "(\(query.column(field, of: source)) IS \(isNegated ? "NOT " : "")NULL)"
        case .membership(let source, let field, let values, let isNegated):
            let list = values.map(\.sql).joined(separator: ", ")
            return "(\(column(source, field)) \(isNegated ? "NOT " : "")IN (\(list)))"
        case .between(let source, let field, let low, let high, let isNegated):
            return "(\(column(source, field)) \(isNegated ? "NOT " : "")BETWEEN \(low.sql) AND \(high.sql))"
        case .like(let source, let field, let pattern, let isNegated):
            // GLOB distinguishes case whatever the settings of the connection.
            let column = query.column(field, of: source)
            let glob = "'" + pattern.map { $0 == "%" ? "*" : $0 == "_" ? "?" : String($0) }.joined() + "'"
            let like =
                query.collation == .nocase ? "(lower(\(column)) GLOB lower(\(glob)))" : "(\(column) GLOB \(glob))"
            return isNegated ? "(NOT \(like))" : like
        }
    }

    /// The form of a where clause.
    var expression: WhereExpression {
        switch self {
        case .and(let left, let right): return .binary(.and, left.expression, right.expression)
        case .or(let left, let right): return .binary(.or, left.expression, right.expression)
        case .not(let operand): return .unary(.not, operand.expression)
        case .compare(_, let field, let symbol, let value, let isSwapped, let parameter):
            let operation = Self.comparisons[symbol] ?? .equal
            let constant =
                parameter.map { WhereExpression.parameter($0, type: value.type) }
                ?? .constant(value.constant, type: value.type)
            return isSwapped
                ? .binary(operation, constant, .field(field.name)) : .binary(operation, .field(field.name), constant)
        case .fields(let left, let symbol, let right):
            return .binary(Self.comparisons[symbol] ?? .equal, .field(left.1.name), .field(right.1.name))
        case .numbers(let left, let symbol, let right):
            return .binary(Self.comparisons[symbol] ?? .equal, left.expression, right.expression)
        case .null(_, let field, let isNegated):
            return .binary(isNegated ? .notEqual : .equal, .field(field.name), .null)
        case .membership(_, let field, let values, let isNegated):
            let list = WhereExpression.list(values.map { .constant($0.constant, type: $0.type) })
            return .binary(isNegated ? .notIn : .in, .field(field.name), list)
        case .between(_, let field, let low, let high, let isNegated):
            let between = WhereExpression.between(
                .field(field.name),
                .constant(low.constant, type: low.type),
                .constant(high.constant, type: high.type)
            )
            return isNegated ? .unary(.not, between) : between
        case .like(_, let field, let pattern, let isNegated):
            let constant = WhereExpression.constant(pattern, type: "WideString")
            return .binary(isNegated ? .notLike : .like, .field(field.name), constant)
        }
    }
}
