// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite

/// Translates a where clause to SQL. Names come from the table, and all values of the clause are bound.
struct WhereText {
    private let table: ServedTable
    private let parameters: [String: RemotingVariant]
    private let macros: [String: String]
    private let collation: ServerCollation

    /// - Parameters:
    ///   - parameters: the values of the request's parameters, by name in lower case.
    ///   - macros: the values of macros, by name in lower case.
    init(
        table: ServedTable,
        parameters: [String: RemotingVariant],
        macros: [String: String] = [:],
        collation: ServerCollation
    ) {
        self.table = table
        self.parameters = parameters
        self.macros = macros
        self.collation = collation
    }

    /// Returns the condition.
    ///
    /// - Throws: `QueryError`.
    func condition(_ expression: WhereExpression) throws(QueryError) -> SQLText {
        switch expression {
        case .unary(let operation, let operand): return try unary(operation, operand)
        case .binary(let operation, let left, let right): return try binary(operation, left, right)
        case .between(let value, let low, let high):
            let fields = (try field(value), try field(low), try field(high))
            let field = fields.0 ?? fields.1 ?? fields.2
            var text = SQLText("(")
            text.append(try self.value(value, comparedWith: field, isFirst: true))
            text.append(" BETWEEN ")
            text.append(try self.value(low, comparedWith: field))
            text.append(" AND ")
            text.append(try self.value(high, comparedWith: field))
            text.append(")")
            return text
        case .field, .constant, .parameter: return try value(expression, comparedWith: nil)
        case .null, .macro, .list: throw QueryError("a where clause without a condition")
        }
    }

    private func unary(_ operation: WhereOperator?, _ operand: WhereExpression) throws(QueryError) -> SQLText {
        var text: SQLText
        switch operation?.rawValue.lowercased() {
        case "not":
            text = SQLText("(NOT ")
            text.append(try condition(operand))
        case "minus":
            text = SQLText("(- ")
            text.append(try value(operand, comparedWith: nil))
        default: throw QueryError("unknown operator of a where clause")
        }
        text.append(")")
        return text
    }

    private func binary(
        _ operation: WhereOperator,
        _ left: WhereExpression,
        _ right: WhereExpression
    ) throws(QueryError) -> SQLText {
        if let test = try nullTest(operation, left, right) { return test }
        let name = operation.rawValue.lowercased()
        switch name {
        case "and": return try chain(name, " AND ", left, right)
        case "or": return try chain(name, " OR ", left, right)
        case "xor": return Self.join(try truth(left), " <> ", try truth(right))
        case "in", "notin": return try membership(left, right, isNegated: name == "notin")
        default: break
        }
        if let symbol = Self.comparisons[name] {
            let fields = (try field(left), try field(right))
            let field = fields.0 ?? fields.1
            // Fields of different types, and results of operations, are compared as plain numbers.
            let isMixed =
                [left, right].contains(where: Self.isOperation)
                || fields.0 != nil && fields.1 != nil && fields.0?.type != fields.1?.type
            let isLike = name.hasSuffix("like")
            return Self.join(
                try value(left, comparedWith: isMixed ? nil : field, isFirst: true, isPattern: isLike),
                symbol,
                try value(right, comparedWith: isMixed ? nil : field, isFirst: fields.0 == nil, isPattern: isLike)
            )
        }
        if name == "concat" {
            return Self.join(try value(left, comparedWith: nil), " || ", try value(right, comparedWith: nil))
        }
        guard let symbol = Self.arithmetic[name] else { throw QueryError("unknown operator of a where clause") }
        return Self.join(try value(left, comparedWith: nil), symbol, try value(right, comparedWith: nil))
    }

    private static let comparisons: [String: StaticString] = [
        "equal": " = ", "notequal": " <> ", "greater": " > ", "greaterorequal": " >= ", "less": " < ",
        "lessorequal": " <= ", "like": " LIKE ", "notlike": " NOT LIKE ",
    ]
    private static let arithmetic: [String: StaticString] = [
        "addition": " + ", "subtraction": " - ", "multiply": " * ", "divide": " / ", "modulo": " % ",
    ]

    private static func isOperation(_ expression: WhereExpression) -> Bool {
        switch expression {
        case .unary, .binary, .between: true
        default: false
        }
    }

    private static func join(_ left: SQLText, _ symbol: StaticString, _ right: SQLText) -> SQLText {
        var text = SQLText("(")
        text.append(left)
        text.append(symbol)
        text.append(right)
        text.append(")")
        return text
    }

    /// Joins the operands of nested And, or of nested Or. Without parentheses they can be many: SQLite's parser takes
    /// less than 50 levels to the right.
    private func chain(
        _ name: String,
        _ separator: StaticString,
        _ left: WhereExpression,
        _ right: WhereExpression
    ) throws(QueryError) -> SQLText {
        var parts: [SQLText] = []
        var open = [right, left]
        while let operand = open.popLast() {
            if case .binary(let operation, let left, let right) = operand, operation.rawValue.lowercased() == name {
                open += [right, left]
            } else {
                parts.append(try condition(operand))
            }
        }
        var text = SQLText("(")
        text.append(parts, separator: separator)
        text.append(")")
        return text
    }

    private func truth(_ expression: WhereExpression) throws(QueryError) -> SQLText {
        var text = SQLText("(NOT ")
        text.append(try condition(expression))
        text.append(")")
        return text
    }

    /// Equal and NotEqual with `<null />`, or with Not around it.
    private func nullTest(
        _ operation: WhereOperator,
        _ left: WhereExpression,
        _ right: WhereExpression
    ) throws(QueryError) -> SQLText? {
        guard operation == .equal || operation == .notEqual else { return nil }
        let isNull: Bool
        let operand: WhereExpression
        switch (left, right) {
        case (_, .null): (operand, isNull) = (left, true)
        case (.null, _): (operand, isNull) = (right, true)
        case (_, .unary(let not?, .null)) where not.rawValue.lowercased() == "not": (operand, isNull) = (left, false)
        default: return nil
        }
        var text = SQLText("(")
        text.append(try value(operand, comparedWith: nil))
        text.append(isNull == (operation == .equal) ? " IS NULL)" : " IS NOT NULL)")
        return text
    }

    private func membership(
        _ left: WhereExpression,
        _ right: WhereExpression,
        isNegated: Bool
    ) throws(QueryError) -> SQLText {
        guard case .list(let elements) = right else { throw QueryError("In without a list") }
        let field = try field(left)
        var text = SQLText("(")
        text.append(try value(left, comparedWith: field, isFirst: true))
        text.append(isNegated ? " NOT IN (" : " IN (")
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(", ") }
            text.append(try value(element, comparedWith: field))
        }
        text.append("))")
        return text
    }

    /// Returns a value to compare, in the form in which the field stores it.
    ///
    /// - Parameters:
    ///   - field: the field on either side of the comparison; nil for plain numbers and texts.
    ///   - isFirst: whether this operand decides the collation.
    ///   - isPattern: whether the comparison is LIKE, which has no collation.
    private func value(
        _ expression: WhereExpression,
        comparedWith field: ServedField?,
        isFirst: Bool = false,
        isPattern: Bool = false
    ) throws(QueryError) -> SQLText {
        switch expression {
        case .field:
            guard let found = try self.field(expression) else { throw QueryError("a field is expected") }
            var text = found.type == field?.type ? FieldText.stored(found) : FieldText.plain(found)
            if isFirst, !isPattern { FieldText.collate(&text, found, collation) }
            return text
        case .constant(let content, let type):
            guard let content else { return .value(.null) }
            return .value(try ConstantText.value(content, type: type, for: field))
        case .parameter(let name, _, _):
            guard let variant = parameters[name.lowercased()], let value = DataValue(variant) else {
                throw QueryError("the parameter '\(name)' has no value")
            }
            return .value(try ConstantText.value(value, for: field))
        case .null: return .value(.null)
        case .unary, .binary, .between: return try condition(expression)
        case .macro(let name):
            guard let text = macros[name.lowercased()] else { throw QueryError("the macro '\(name)' is unknown") }
            return .value(try ConstantText.value(text, type: "WideString", for: field))
        case .list: throw QueryError("a list without In")
        }
    }

    /// Returns the field of an expression that is a field; nil for any other expression.
    private func field(_ expression: WhereExpression) throws(QueryError) -> ServedField? {
        guard case .field(let name, let owner) = expression else { return nil }
        if let owner, !owner.isEmpty, !owner.isSame(as: table.name) {
            throw QueryError("the table '\(owner)' is not part of the request for '\(table.name)'")
        }
        // Some clients write the table before the name.
        let prefix = table.name.lowercased() + "."
        let short = name.lowercased().hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        if let field = table.field(name) { return field }
        return try table.existingField(short)
    }
}
