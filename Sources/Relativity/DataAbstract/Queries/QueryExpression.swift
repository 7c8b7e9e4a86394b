// SPDX-License-Identifier: Apache-2.0

/// A part of a query: a value or a condition.
indirect enum QueryExpression: Hashable, Sendable {
    case field(source: String, name: String)
    case literal(DataValue)
    case operation(QueryOperator, QueryExpression, QueryExpression)
    /// No argument is `*`.
    case function(String, isDistinct: Bool, QueryExpression?)
    case not(QueryExpression)
    case isNull(QueryExpression, isNegated: Bool)
    case isIn(QueryExpression, [QueryExpression])
    case between(QueryExpression, QueryExpression, QueryExpression)
}

/// A binary operator with its precedence; a greater one binds tighter.
enum QueryOperator: String, Hashable, Sendable {
    case or = "OR"
    case and = "AND"
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case like = "LIKE"
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"

    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .like: 4
        case .add, .subtract: 5
        case .multiply, .divide: 6
        }
    }
}

/// An operand of a query: a `QueryValue`, or a Swift value that is sent as a parameter.
public protocol QueryOperand {
    /// The operand as a value of a query.
    var queryValue: QueryValue { get }
}

/// A value in a query: a field, a parameter, or a result of a function.
public struct QueryValue: Sendable, QueryOperand {
    let expression: QueryExpression
    /// The name of the column; nil for that of the field.
    private(set) var name: String?

    init(_ expression: QueryExpression) {
        self.expression = expression
    }

    public var queryValue: QueryValue { self }

    /// A value that is sent as a parameter.
    public static func value(_ value: DataValue) -> QueryValue { QueryValue(.literal(value)) }

    /// Names the column of the result. Has an effect only on a value in `select`.
    public func named(_ name: String) -> QueryValue {
        var value = self
        value.name = name
        return value
    }

    /// The number of rows.
    public static func count() -> QueryValue { QueryValue(.function("COUNT", isDistinct: false, nil)) }

    /// The number of values that are not NULL, or of different ones.
    public static func count(_ value: QueryValue, isDistinct: Bool = false) -> QueryValue {
        QueryValue(.function("COUNT", isDistinct: isDistinct, value.expression))
    }

    /// The sum of the values that are not NULL.
    public static func sum(_ value: QueryValue) -> QueryValue { function("SUM", value) }

    /// The least value.
    public static func min(_ value: QueryValue) -> QueryValue { function("MIN", value) }

    /// The greatest value.
    public static func max(_ value: QueryValue) -> QueryValue { function("MAX", value) }

    /// The average of the values that are not NULL.
    public static func average(_ value: QueryValue) -> QueryValue { function("AVG", value) }

    /// A text in upper case.
    public var uppercased: QueryValue { Self.function("UPPER", self) }

    /// A text in lower case.
    public var lowercased: QueryValue { Self.function("LOWER", self) }

    private static func function(_ name: String, _ value: QueryValue) -> QueryValue {
        QueryValue(.function(name, isDistinct: false, value.expression))
    }

    private static func operation(
        _ symbol: QueryOperator,
        _ left: QueryValue,
        _ right: some QueryOperand
    ) -> QueryExpression {
        .operation(symbol, left.expression, right.queryValue.expression)
    }

    public static func + (left: QueryValue, right: some QueryOperand) -> QueryValue {
        QueryValue(operation(.add, left, right))
    }

    public static func - (left: QueryValue, right: some QueryOperand) -> QueryValue {
        QueryValue(operation(.subtract, left, right))
    }

    public static func * (left: QueryValue, right: some QueryOperand) -> QueryValue {
        QueryValue(operation(.multiply, left, right))
    }

    public static func / (left: QueryValue, right: some QueryOperand) -> QueryValue {
        QueryValue(operation(.divide, left, right))
    }

    /// As in SQL, no comparison with NULL is true. Use `isNull`.
    public static func == (left: QueryValue, right: some QueryOperand) -> QueryCondition {
        QueryCondition(operation(.equal, left, right))
    }

    public static func != (left: QueryValue, right: some QueryOperand) -> QueryCondition {
        QueryCondition(operation(.notEqual, left, right))
    }

    public static func < (left: QueryValue, right: some QueryOperand) -> QueryCondition {
        QueryCondition(operation(.less, left, right))
    }

    public static func <= (left: QueryValue, right: some QueryOperand) -> QueryCondition {
        QueryCondition(operation(.lessOrEqual, left, right))
    }

    public static func > (left: QueryValue, right: some QueryOperand) -> QueryCondition {
        QueryCondition(operation(.greater, left, right))
    }

    public static func >= (left: QueryValue, right: some QueryOperand) -> QueryCondition {
        QueryCondition(operation(.greaterOrEqual, left, right))
    }

    /// Whether a text matches a pattern. `%` stands for any text and `_` for any character. Whether case counts depends
    /// on the server's database.
    public func isLike(_ pattern: String) -> QueryCondition { QueryCondition(Self.operation(.like, self, pattern)) }

    /// Whether the value is one of these. Without values no row satisfies the condition.
    public func isIn(_ values: [any QueryOperand]) -> QueryCondition {
        QueryCondition(.isIn(expression, values.map(\.queryValue.expression)))
    }

    /// Whether the value is in a range, which includes both ends.
    public func isBetween(_ low: some QueryOperand, _ high: some QueryOperand) -> QueryCondition {
        QueryCondition(.between(expression, low.queryValue.expression, high.queryValue.expression))
    }

    /// Whether the value is NULL.
    public var isNull: QueryCondition { QueryCondition(.isNull(expression, isNegated: false)) }

    /// Whether the value is not NULL.
    public var isNotNull: QueryCondition { QueryCondition(.isNull(expression, isNegated: true)) }
}

/// A condition in a query.
public struct QueryCondition: Sendable {
    let expression: QueryExpression

    init(_ expression: QueryExpression) {
        self.expression = expression
    }

    public static func && (left: QueryCondition, right: QueryCondition) -> QueryCondition {
        QueryCondition(.operation(.and, left.expression, right.expression))
    }

    public static func || (left: QueryCondition, right: QueryCondition) -> QueryCondition {
        QueryCondition(.operation(.or, left.expression, right.expression))
    }

    public static prefix func ! (condition: QueryCondition) -> QueryCondition {
        QueryCondition(.not(condition.expression))
    }
}

extension DataValue: QueryOperand {
    public var queryValue: QueryValue { .value(self) }
}

extension Int: QueryOperand {
    public var queryValue: QueryValue { .value(.integer(Int64(self))) }
}

extension Double: QueryOperand {
    public var queryValue: QueryValue { .value(.float(self)) }
}

extension Bool: QueryOperand {
    public var queryValue: QueryValue { .value(.boolean(self)) }
}

extension String: QueryOperand {
    public var queryValue: QueryValue { .value(.text(self)) }
}

extension DataDecimal: QueryOperand {
    public var queryValue: QueryValue { .value(.decimal(self)) }
}
