// SPDX-License-Identifier: Apache-2.0

/// A formula for a value of a row: a syntax tree of the language of docs/expressions.md.
///
/// A predicate (docs/predicates.md) is an expression that tests the fields of a row: literals and fields are compared with
/// fields, without arithmetic and functions.
///
/// NULL is SQL's, unlike in NSPredicate: an operation with NULL gives NULL, except `IS NULL`, AND, OR, `if`, `coalesce` and
/// aggregates. So a comparison with NULL is never true, nor is its negation. A Float that is not a number compares like
/// NULL, but is not NULL.
public struct Expression: Sendable {
    /// The operation, or the value.
    public let node: Node
    /// The column in the text where the operator, the function or the value begins, counted in Unicode scalars from 1.
    /// Two expressions that differ only here are equal.
    public let column: Int

    /// Creates an expression.
    public init(_ node: Node, column: Int = 1) {
        self.node = node
        self.column = column
    }

    /// A node of the tree.
    public indirect enum Node: Hashable, Sendable {
        /// A literal. The parser makes no negative numbers.
        case value(PredicateValue)
        case null
        /// `TRUEPREDICATE` or `FALSEPREDICATE`.
        case constant(Bool)
        /// A field of the row.
        case field(String)
        /// A field of a matched row, only in an aggregate: `Table.Field`.
        case matchedField(String)
        /// `-x`.
        case negative(Expression)
        /// Of two texts, only `add`.
        case arithmetic(ArithmeticOperator, Expression, Expression)
        case comparison(PredicateOperator, Expression, Expression, PredicateFolding = [])
        case isNull(Expression)
        /// `x IN {a, b}`.
        case isIn(Expression, [Expression], PredicateFolding = [])
        /// `x BETWEEN {low, high}`, both included.
        case between(Expression, Expression, Expression)
        case not(Expression)
        /// True if there are no parts. The parser makes two parts or more.
        case and([Expression])
        /// False if there are no parts. The parser makes two parts or more.
        case or([Expression])
        case call(ExpressionFunction, [Expression])
        case aggregate(AggregateExpression)
    }
}

extension Expression: Hashable {
    public static func == (left: Expression, right: Expression) -> Bool { left.node == right.node }

    public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}

/// The parts of predicates.
extension Expression {
    /// A literal.
    public static func value(_ value: PredicateValue) -> Expression { Expression(.value(value)) }

    /// A field of the row.
    public static func field(_ name: String) -> Expression { Expression(.field(name)) }

    /// `TRUEPREDICATE` or `FALSEPREDICATE`: true or false for every row.
    public static func constant(_ value: Bool) -> Expression { Expression(.constant(value)) }

    /// `field IS NULL`.
    public static func isNull(_ field: String) -> Expression { Expression(.isNull(.field(field))) }

    /// `field operator operand`, where the operand is a literal or a field.
    public static func comparison(
        _ field: String,
        _ operation: PredicateOperator,
        _ operand: Expression,
        _ folding: PredicateFolding = []
    ) -> Expression {
        Expression(.comparison(operation, .field(field), operand, folding))
    }

    /// `field IN {a, b}`.
    public static func isIn(
        _ field: String,
        _ values: [PredicateValue],
        _ folding: PredicateFolding = []
    ) -> Expression {
        Expression(.isIn(.field(field), values.map { .value($0) }, folding))
    }

    /// `field BETWEEN {low, high}`, both included.
    public static func between(_ field: String, _ low: PredicateValue, _ high: PredicateValue) -> Expression {
        Expression(.between(.field(field), .value(low), .value(high)))
    }

    /// `NOT condition`.
    public static func not(_ condition: Expression) -> Expression { Expression(.not(condition)) }

    /// True if there are no parts.
    public static func and(_ parts: [Expression]) -> Expression { Expression(.and(parts)) }

    /// False if there are no parts.
    public static func or(_ parts: [Expression]) -> Expression { Expression(.or(parts)) }

    /// The name, if this is a field of the row.
    package var fieldName: String? {
        if case .field(let name) = node { name } else { nil }
    }

    /// The literal, if this is one.
    package var literal: PredicateValue? {
        if case .value(let value) = node { value } else { nil }
    }
}

/// An aggregate over the rows of a table that match a row, such as `sum(Details.Price where Details.Order = Id)`.
public struct AggregateExpression: Hashable, Sendable {
    /// The function.
    public let function: AggregateFunction
    /// The table of the matched rows.
    public let table: String
    /// The value of each matched row; nil for `count(Details)`, the number of rows.
    public let argument: Expression?
    /// The condition of the matched rows; nil for the reference between the two tables.
    public let condition: Expression?

    /// Creates an aggregate.
    public init(_ function: AggregateFunction, _ table: String, _ argument: Expression?, where condition: Expression?) {
        self.function = function
        self.table = table
        self.argument = argument
        self.condition = condition
    }
}

/// An operation on two numbers.
public enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
    /// Also joins texts.
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
}

/// A function of an expression. Names are found in any case.
public enum ExpressionFunction: String, Hashable, Sendable, CaseIterable {
    case `if`
    case coalesce
    case upper
    case lower
    case trim
    case length
    case substring
    case replace
    case year
    case month
    case day
    case daysBetween
    case addDays
    case abs
    case round
    case floor
    case ceiling
    case integer
    case currency
    case decimal
    case float
    case text
    case date

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

    init?(word: String) {
        guard let function = Self.byName[word.lowercased()] else { return nil }
        self = function
    }

    /// The possible numbers of arguments.
    var argumentCounts: ClosedRange<Int> {
        switch self {
        case .if, .replace: 3...3
        case .coalesce: 1...Int.max
        case .substring: 2...3
        case .daysBetween, .addDays: 2...2
        case .round: 1...2
        case .date: 1...3
        default: 1...1
        }
    }
}

/// A function over the values of the matched rows. NULL is not counted.
public enum AggregateFunction: String, Hashable, Sendable, CaseIterable {
    /// NULL if there is no value.
    case sum
    case count
    /// NULL if there is no value.
    case min
    /// NULL if there is no value.
    case max
    /// NULL if there is no value.
    case avg

    init?(word: String) {
        guard let function = Self.allCases.first(where: { $0.rawValue == word.lowercased() }) else { return nil }
        self = function
    }
}

/// Limits for parsing.
public struct ExpressionLimits: Hashable, Sendable {
    /// Bytes of the text, as UTF-8.
    public var bytes: Int
    /// Levels of the tree: parentheses, calls, signs and NOT, and each operator of a chain such as `a + b + c`. Of a
    /// predicate parentheses and NOT.
    public var depth: Int

    /// Creates limits; the defaults are those of `standard`.
    public init(bytes: Int = 1 << 16, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }

    /// 64 KiB, 128 levels.
    public static let standard = ExpressionLimits()
    /// 64 KiB, 64 levels: those of a predicate.
    public static let predicate = ExpressionLimits(depth: 64)
}

/// The reason why an expression cannot be parsed, or does not apply to the fields of the tables. Columns are counted in
/// Unicode scalars from 1.
public enum ExpressionError: Error, Hashable, Sendable {
    /// The text violates the language.
    case syntax(reason: String, column: Int)
    /// The text exceeds `ExpressionLimits`.
    case tooMany(_ what: String, limit: Int, column: Int)
    /// - Parameter table: the table of a matched row; nil for the row itself.
    case unknownField(UnknownName, table: String?, column: Int)
    /// Several fields differ from the name only in case.
    case ambiguousField(String, table: String?, column: Int)
    case unknownTable(UnknownName, column: Int)
    /// An aggregate has no condition, and there is not exactly one reference from its table to the table of the row.
    case noReference(table: String, count: Int, column: Int)
    /// An operation does not apply to values of these types.
    case mismatch(reason: String, column: Int)

    /// The column of the text.
    public var column: Int {
        switch self {
        case .syntax(_, let column), .tooMany(_, _, let column), .unknownField(_, _, let column),
            .ambiguousField(_, _, let column), .unknownTable(_, let column), .noReference(_, _, let column),
            .mismatch(_, let column):
            column
        }
    }

    /// - Parameters:
    ///   - table: the table of a matched row; nil for the row itself.
    ///   - column: the place of a name; an error of the syntax has its own.
    init(_ error: PredicateError, table: String? = nil, column: Int = 1) {
        self =
            switch error {
            case .syntax(let reason, let column): .syntax(reason: reason, column: column)
            case .tooMany(let what, let limit, let column): .tooMany(what, limit: limit, column: column)
            case .unknownField(let name): .unknownField(name, table: table, column: column)
            case .ambiguousField(let name): .ambiguousField(name, table: table, column: column)
            case .unquoted, .mismatch, .unmappable, .unreadable: .syntax(reason: error.description, column: column)
            }
    }
}

extension ExpressionError: CustomStringConvertible {
    public var description: String { "invalid expression at column \(column): \(reason)" }

    /// The reason without the column.
    public var reason: String {
        func name(_ field: String, _ table: String?) -> String { table.map { "\($0).\(field)" } ?? field }
        return switch self {
        case .syntax(let reason, _), .mismatch(let reason, _): reason
        case .tooMany(let what, let limit, _): "more than \(limit) \(what)"
        case .unknownField(let field, let table, _): "no field '\(name(field.name, table))'\(field.advice())"
        case .ambiguousField(let field, let table, _):
            "several fields differ from '\(name(field, table))' only in case"
        case .unknownTable(let table, _): "no table '\(table.name)'\(table.advice())"
        case .noReference(let table, let count, _):
            "\(count == 0 ? "no reference" : "several references") from table '\(table)': add a condition with WHERE"
        }
    }
}
