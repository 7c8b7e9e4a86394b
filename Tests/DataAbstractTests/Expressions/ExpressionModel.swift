// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import DataAbstract

/// A random expression, and its value by a simple evaluation that shares no code with the library.
struct ExpressionModel {
    enum Kind: CaseIterable {
        case integer
        case currency
        case decimal
        case text
        case boolean
        case date
    }

    /// A number is value / 10^scale.
    enum Value: Equatable {
        case null
        case number(Int128, scale: Int)
        case text(String)
        case boolean(Bool)
        /// Days since 1899-12-30.
        case date(Int)
    }

    typealias Sample = (expression: Expression, value: Value)

    static let columns: [DataColumn] = [
        DataColumn("Id", .integer), DataColumn("None", .largeInt), DataColumn("Price", .currency),
        DataColumn("Exact", .decimal), DataColumn("Name", .wideString), DataColumn("Empty", .memo),
        DataColumn("Paid", .boolean), DataColumn("Day", .dateTime),
    ]
    static let row: [DataValue] = [
        .integer(7), .null, .currency(scaled: -12_345), DataDecimal("2.50").map { .decimal($0) } ?? .null,
        .text("aé€😀"),
        .null, .boolean(true), .dateTime(days: 43_889),
    ]

    var random: SeededRandom

    private mutating func pick(_ count: Int) -> Int { .random(in: 0..<count, using: &random) }

    private func field(_ name: String, _ value: Value) -> Sample { (Expression(.field(name)), value) }

    private func literal(_ text: String) -> Expression { Expression(.value(PredicateParserTests.number(text))) }

    mutating func sample(_ kind: Kind, depth: Int) -> Sample {
        guard depth > 0 else { return leaf(kind) }
        switch pick(8) {
        case 0: return leaf(kind)
        case 1:
            let (condition, yes, no) = (
                sample(.boolean, depth: depth - 1), sample(kind, depth: depth - 1), sample(kind, depth: depth - 1)
            )
            let value = condition.value == .boolean(true) ? yes.value : no.value
            return (Expression(.call(.if, [condition.expression, yes.expression, no.expression])), value)
        case 2:
            let (first, second) = (sample(kind, depth: depth - 1), sample(kind, depth: depth - 1))
            let value = first.value == .null ? second.value : first.value
            return (Expression(.call(.coalesce, [first.expression, second.expression])), value)
        default: return operation(kind, depth)
        }
    }

    private mutating func leaf(_ kind: Kind) -> Sample {
        switch (kind, pick(3)) {
        case (.integer, 0): return field("Id", .number(7, scale: 0))
        case (.integer, 1): return field("None", .null)
        case (.integer, _):
            let number = pick(5)
            return (literal("\(number)"), .number(Int128(number), scale: 0))
        case (.currency, _): return field("Price", .number(-12_345, scale: 4))
        case (.decimal, 0): return field("Exact", .number(250, scale: 2))
        case (.decimal, _): return (literal("1.25"), .number(125, scale: 2))
        case (.text, 0): return field("Name", .text("aé€😀"))
        case (.text, 1): return field("Empty", .null)
        case (.text, _): return (Expression(.value(.text("b'x"))), .text("b'x"))
        case (.boolean, 0): return field("Paid", .boolean(true))
        case (.boolean, 1): return (Expression(.null), .null)
        case (.boolean, _): return (Expression(.value(.boolean(false))), .boolean(false))
        case (.date, 0): return field("Day", .date(43_889))
        case (.date, _):
            guard let date = PredicateDate("2020-01-31") else { return (Expression(.null), .null) }
            return (Expression(.value(.date(date))), .date(43_861))
        }
    }

    private mutating func operation(_ kind: Kind, _ depth: Int) -> Sample {
        switch kind {
        case .integer:
            switch pick(4) {
            case 0:
                let text = sample(.text, depth: depth - 1)
                guard case .text(let value) = text.value else { return call(.length, [text], .null) }
                return call(.length, [text], .number(Int128(value.unicodeScalars.count), scale: 0))
            case 1:
                let (from, to) = (sample(.date, depth: depth - 1), sample(.date, depth: depth - 1))
                guard case .date(let first) = from.value, case .date(let last) = to.value else {
                    return call(.daysBetween, [from, to], .null)
                }
                return call(.daysBetween, [from, to], .number(Int128(last - first), scale: 0))
            default: return arithmetic(kind, .integer, .integer, depth)
            }
        case .currency:
            // A product of amounts is a Decimal.
            return pick(3) == 0
                ? product(.currency, .integer, depth) : arithmetic(kind, .currency, .currency, depth, isSum: true)
        case .decimal:
            let others: [Kind] = [.integer, .currency, .decimal]
            return arithmetic(kind, .decimal, others[pick(3)], depth)
        case .text:
            switch pick(3) {
            case 0:
                let (text, start) = (sample(.text, depth: depth - 1), sample(.integer, depth: depth - 1))
                guard case .text(let value) = text.value, case .number(let first, _) = start.value else {
                    return call(.substring, [text, start], .null)
                }
                let scalars = Array(value.unicodeScalars).enumerated().filter { Int128($0.offset) + 1 >= first }.map(
                    \.element
                )
                return call(.substring, [text, start], .text(String(String.UnicodeScalarView(scalars))))
            default:
                let (left, right) = (sample(.text, depth: depth - 1), sample(.text, depth: depth - 1))
                let sum = Expression(.arithmetic(.add, left.expression, right.expression))
                guard case .text(let first) = left.value, case .text(let second) = right.value else {
                    return (sum, .null)
                }
                return (sum, .text(first + second))
            }
        case .boolean: return condition(depth)
        case .date:
            let (day, count) = (sample(.date, depth: depth - 1), literal("\(pick(5))"))
            let days: Sample = (Expression(.call(.addDays, [day.expression, Expression(.negative(count))])), .null)
            guard case .date(let start) = day.value, case .value(.number(let number)) = count.node else { return days }
            return (days.expression, .date(start - Int(number.magnitude)))
        }
    }

    private func call(_ function: ExpressionFunction, _ parts: [Sample], _ value: Value) -> Sample {
        (Expression(.call(function, parts.map(\.expression))), value)
    }

    private mutating func arithmetic(
        _ kind: Kind,
        _ left: Kind,
        _ right: Kind,
        _ depth: Int,
        isSum: Bool = false
    ) -> Sample {
        let (left, right) = (sample(left, depth: depth - 1), sample(right, depth: depth - 1))
        let signs: [ArithmeticOperator] = [.add, .subtract, .multiply]
        let sign = signs[pick(isSum ? 2 : 3)]
        let tree = Expression(.arithmetic(sign, left.expression, right.expression))
        guard case .number(let a, let scaleA) = left.value, case .number(let b, let scaleB) = right.value else {
            return (tree, .null)
        }
        let scale = max(scaleA, scaleB)
        let (x, y) = (a * Self.power(scale - scaleA), b * Self.power(scale - scaleB))
        switch sign {
        case .add: return (tree, .number(x + y, scale: scale))
        case .subtract: return (tree, .number(x - y, scale: scale))
        default: return (tree, .number(a * b, scale: scaleA + scaleB))
        }
    }

    private mutating func product(_ left: Kind, _ right: Kind, _ depth: Int) -> Sample {
        let (left, right) = (sample(left, depth: depth - 1), sample(right, depth: depth - 1))
        let tree = Expression(.arithmetic(.multiply, left.expression, right.expression))
        guard case .number(let a, let scale) = left.value, case .number(let b, _) = right.value else {
            return (tree, .null)
        }
        return (tree, .number(a * b, scale: scale))
    }

    private mutating func condition(_ depth: Int) -> Sample {
        let (first, second) = (sample(.boolean, depth: depth - 1), sample(.boolean, depth: depth - 1))
        switch pick(6) {
        case 0:
            let inner = first.value
            let value: Value = if case .boolean(let flag) = inner { .boolean(!flag) } else { .null }
            return (Expression(.not(first.expression)), value)
        case 1:
            return (Expression(.and([first.expression, second.expression])), Self.all([first.value, second.value]))
        case 2: return (Expression(.or([first.expression, second.expression])), Self.any([first.value, second.value]))
        case 3:
            let kind = Kind.allCases.randomElement(using: &random) ?? .integer
            let part = sample(kind, depth: depth - 1)
            return (Expression(.isNull(part.expression)), .boolean(part.value == .null))
        case 4:
            let parts = (0..<4).map { _ in sample(.integer, depth: depth - 1) }
            let tests = parts.dropFirst().map { Self.compare(.equal, parts[0].value, $0.value) }
            return (Expression(.isIn(parts[0].expression, parts.dropFirst().map(\.expression))), Self.any(tests))
        default:
            let kinds: [(Kind, Kind)] = [
                (.integer, .currency), (.decimal, .integer), (.text, .text), (.date, .date), (.currency, .decimal),
            ]
            let (leftKind, rightKind) = kinds[pick(kinds.count)]
            let (left, right) = (sample(leftKind, depth: depth - 1), sample(rightKind, depth: depth - 1))
            let operations: [PredicateOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
            let operation = operations[pick(operations.count)]
            let tree = Expression(.comparison(operation, left.expression, right.expression))
            return (tree, Self.compare(operation, left.value, right.value))
        }
    }

    private static func power(_ digits: Int) -> Int128 { (0..<digits).reduce(1) { power, _ in power * 10 } }

    private static func all(_ values: [Value]) -> Value {
        values.contains(.boolean(false)) ? .boolean(false) : values.contains(.null) ? .null : .boolean(true)
    }

    private static func any(_ values: [Value]) -> Value {
        values.contains(.boolean(true)) ? .boolean(true) : values.contains(.null) ? .null : .boolean(false)
    }

    private static func compare(_ operation: PredicateOperator, _ left: Value, _ right: Value) -> Value {
        let order: Int
        switch (left, right) {
        case (.number(let a, let scaleA), .number(let b, let scaleB)):
            let (x, y) = (a * power(max(0, scaleB - scaleA)), b * power(max(0, scaleA - scaleB)))
            order = x < y ? -1 : x == y ? 0 : 1
        case (.text(let a), .text(let b)):
            let (x, y) = (a.unicodeScalars.map(\.value), b.unicodeScalars.map(\.value))
            order = x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
        case (.date(let a), .date(let b)): order = a < b ? -1 : a == b ? 0 : 1
        default: return .null
        }
        switch operation {
        case .equal: return .boolean(order == 0)
        case .notEqual: return .boolean(order != 0)
        case .less: return .boolean(order < 0)
        case .lessOrEqual: return .boolean(order <= 0)
        case .greater: return .boolean(order > 0)
        default: return .boolean(order >= 0)
        }
    }

    /// Whether a value of the library is the value of the model.
    static func agrees(_ found: DataValue, _ value: Value) -> Bool {
        switch (found, value) {
        case (.null, .null): return true
        case (.text(let text), .text(let expected)): return text.utf8.elementsEqual(expected.utf8)
        case (.boolean(let flag), .boolean(let expected)): return flag == expected
        case (.dateTime(let days), .date(let expected)): return days == Double(expected)
        case (.integer(let number), .number(let expected, let scale)): return scale == 0 && Int128(number) == expected
        case (.currency(let scaled), .number(let expected, let scale)):
            return scale <= 4 && Int128(scaled) == expected * power(4 - scale)
        case (.decimal(let number), .number(let expected, let scale)):
            let magnitude = (number.isNegative ? -1 : 1) * Int128(number.magnitude)
            return magnitude * power(max(0, scale - number.scale)) == expected * power(max(0, number.scale - scale))
        default: return false
        }
    }
}
