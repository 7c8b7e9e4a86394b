// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// Translates expressions to SQL: the names of the schema become quoted names of the database, and all values are bound.
struct ExpressionText {
    /// An expression with the form of its values.
    struct Term {
        var text: SQLText
        var type: DataType
        var dates = ServedField.DateStorage.days
        /// The field, if the expression is one.
        var field: ServedField?

        /// The expression as a plain number: a Currency is stored times 10,000.
        var plain: SQLText { type == .currency ? "(\(text) / 10000.0)" : text }
    }

    /// The tables with their names in the statement. A single table needs none.
    let sources: [(alias: String?, table: ServedTable)]
    /// The values of the request's parameters, by name in lower case.
    let parameters: [String: DataValue]
    let collation: ServerCollation

    /// Returns the condition of a dynamic where on the only table.
    ///
    /// - Parameter macros: the values of macros, by name in lower case.
    /// - Throws: `QueryError`.
    func condition(_ condition: WhereExpression, macros: [String: String] = [:]) throws(QueryError) -> SQLText {
        guard condition != .null else { throw QueryError("a where clause without a condition") }
        return try term(DASQLExpression(condition, on: sources[0].table, macros: macros)).text
    }

    func field(_ name: String, of source: String?) throws(QueryError) -> (alias: String?, field: ServedField) {
        var found: [(alias: String?, field: ServedField)] = []
        for (alias, table) in sources where source == nil || source?.isSame(as: alias ?? "") == true {
            if let field = table.field(name) { found.append((alias, field)) }
        }
        guard let first = found.first else { throw QueryError("the field '\(name)' does not exist") }
        guard found.count == 1 else { throw QueryError("the field '\(name)' is in more than one table") }
        return first
    }

    /// Adds the collation of the server to a field that is a text. Guids are compared ignoring case, as everywhere.
    func collated(_ term: Term) -> Term {
        guard let field = term.field else { return term }
        var term = term
        term.text += field.type == .guid ? " COLLATE NOCASE" : field.type.isText ? collation.clause : ""
        return term
    }

    /// - Parameter form: the expression that a constant is compared with; nil if there is none.
    func term(_ expression: DASQLExpression, as form: Term? = nil) throws(QueryError) -> Term {
        switch expression {
        case .text, .number, .typed, .boolean, .null, .parameter: return try constant(expression, as: form)
        case .field(let source, let name):
            let (alias, field) = try field(name, of: source)
            // A Decimal, which is stored as text, becomes a number.
            let isDecimal = field.type == .decimal
            let column = field.column(of: alias)
            return Term(
                text: isDecimal ? "CAST(\(column) AS REAL)" : column,
                type: isDecimal ? .float : field.type,
                dates: field.dates,
                field: field
            )
        case .function(let name, let isDistinct, let arguments): return try function(name, isDistinct, arguments)
        case .not(let operand): return Term(text: "(NOT \(try term(operand).text))", type: .boolean)
        case .minus(let operand):
            let operand = try term(operand, as: form)
            return Term(text: "(- \(operand.text))", type: operand.type)
        case .isNull(let operand, let isNegated):
            let text = try term(operand).text
            return Term(text: isNegated ? "(\(text) IS NOT NULL)" : "(\(text) IS NULL)", type: .boolean)
        case .membership(let operand, let elements, let isNegated):
            let terms = try compared([operand] + elements)
            let (first, list) = (collated(terms[0]).text, terms.dropFirst().map(\.text))
            return Term(text: isNegated ? "(\(first) NOT IN (\(list)))" : "(\(first) IN (\(list)))", type: .boolean)
        case .between(let operand, let low, let high, let isNegated):
            let terms = try compared([operand, low, high])
            let (first, not): (SQLText, SQLText) = (collated(terms[0]).text, isNegated ? " NOT" : "")
            return Term(text: "(\(first)\(not) BETWEEN \(terms[1].text) AND \(terms[2].text))", type: .boolean)
        case .operation(let symbol, let left, let right): return try operation(symbol, left, right)
        }
    }

    /// Translates expressions that are compared with each other, each once, because they nest. Constants get the form of
    /// the first expression that is none.
    private func compared(_ expressions: [DASQLExpression]) throws(QueryError) -> [Term] {
        var form: Term?
        var known: [Term?] = []
        for expression in expressions {
            known.append(expression.isConstant ? nil : try term(expression))
            form = form ?? known.last ?? nil
        }
        var terms: [Term] = []
        for (expression, term) in zip(expressions, known) {
            if let term { terms.append(term) } else { terms.append(try constant(expression, as: form)) }
        }
        return terms
    }

    private static let comparisons: [String: SQLText] = [
        "=": " = ", "<>": " <> ", "<": " < ", "<=": " <= ", ">": " > ", ">=": " >= ", "LIKE": " LIKE ",
    ]
    private static let chained: [String: StaticString] = [
        "AND": " AND ", "OR": " OR ", "||": " || ", "+": " + ", "-": " - ", "*": " * ", "/": " / ", "%": " % ",
    ]

    private func operation(
        _ symbol: String,
        _ left: DASQLExpression,
        _ right: DASQLExpression
    ) throws(QueryError) -> Term {
        if let separator = Self.chained[symbol] {
            var terms: [Term] = []
            for operand in Self.operands(of: symbol, left, right) { terms.append(try term(operand)) }
            if symbol == "AND" || symbol == "OR" {
                return Term(text: "(\(terms.map(\.text), separator: separator))", type: .boolean)
            }
            let isInteger = terms.allSatisfy(\.type.isWholeNumber)
            return Term(
                text: "(\(terms.map(\.plain), separator: separator))",
                type: symbol == "||" ? .wideString : isInteger ? .largeInt : .float
            )
        }
        guard let comparison = Self.comparisons[symbol] else { throw QueryError("DA SQL: the operator '\(symbol)'") }
        let terms = try compared([left, right])
        var (first, second) = (terms[0], terms[1])
        if symbol != "LIKE" {
            if first.field == nil { second = collated(second) }
            first = collated(first)
        }
        let isMixed = !left.isConstant && !right.isConstant && first.type != second.type
        let texts = isMixed ? (first.plain, second.plain) : (first.text, second.text)
        return Term(text: "(\(texts.0)\(comparison)\(texts.1))", type: .boolean)
    }

    /// Returns the operands of a chain of one operator; of AND and OR also those in parentheses. Without parentheses it can
    /// be long: SQLite's parser takes less than 50 levels to the right.
    private static func operands(
        of symbol: String,
        _ left: DASQLExpression,
        _ right: DASQLExpression
    ) -> [DASQLExpression] {
        let isFree = symbol == "AND" || symbol == "OR"
        var operands: [DASQLExpression] = []
        var open = [(left, true), (right, isFree)]
        while let (operand, isOpen) = open.popLast() {
            if isOpen, case .operation(symbol, let left, let right) = operand {
                open += [(left, true), (right, isFree)]
            } else {
                operands.append(operand)
            }
        }
        return operands.reversed()
    }

    private func function(
        _ name: String,
        _ isDistinct: Bool,
        _ arguments: [DASQLExpression]
    ) throws(QueryError) -> Term {
        guard let argument = arguments.first else { return Term(text: "count(*)", type: .largeInt) }
        let operand = try term(argument)
        var (text, type) = (operand.text, operand.type)
        let distinct: SQLText = isDistinct ? "DISTINCT " : ""
        switch name {
        case "COUNT": (text, type) = ("count(\(distinct)\(text))", .largeInt)
        case "SUM": (text, type) = ("sum(\(distinct)\(text))", type.isWholeNumber ? .largeInt : type)
        case "MIN": text = "min(\(text))"
        case "MAX": text = "max(\(text))"
        case "AVG": (text, type) = ("avg(\(distinct)\(operand.plain))", .float)
        case "UPPER": (text, type) = ("upper(\(text))", .wideString)
        case "LOWER": (text, type) = ("lower(\(text))", .wideString)
        case "LENGTH": (text, type) = ("length(\(text))", .largeInt)
        default: text = "abs(\(text))"
        }
        if [.autoInc, .largeAutoInc].contains(type) { type = .largeInt }
        return Term(text: text, type: type, dates: operand.dates)
    }

    private func constant(_ expression: DASQLExpression, as form: Term?) throws(QueryError) -> Term {
        // A Decimal is compared as a number, and a constant without a form has its own type.
        let field = form.map { ServedField("", $0.type, dates: $0.dates) }
        let value: SQLiteValue
        var type = DataType.unknown
        switch expression {
        case .text(let text):
            (value, type) = (try ConstantText.value(text, type: "WideString", for: field), .wideString)
        case .number(let text):
            type = text.contains(".") ? .float : .largeInt
            value = try ConstantText.value(text, type: type == .float ? "Float" : "LargeInt", for: field)
        case .typed(let text, let name):
            type = DataType(name: "dat" + name) ?? .wideString
            // The result of an operation has no form of its own.
            value = try ConstantText.value(text, type: name, for: form?.field == nil ? nil : field)
        case .boolean(let flag): return Term(text: .value(.integer(flag ? 1 : 0)), type: .boolean)
        case .parameter(let name):
            guard let found = parameters[name.lowercased()] else {
                throw QueryError("the parameter '\(name)' has no value")
            }
            (value, type) = (try ConstantText.value(found, for: field), Self.type(of: found))
        case .minus(let operand):
            let operand = try constant(operand, as: form)
            return Term(text: "(- \(operand.text))", type: operand.type)
        default: value = .null
        }
        return Term(text: .value(value), type: form?.type ?? type, dates: form?.dates ?? .days)
    }

    private static func type(of value: DataValue) -> DataType {
        switch value {
        case .integer, .unsigned: .largeInt
        case .float, .currency, .decimal: .float
        case .dateTime: .dateTime
        case .boolean: .boolean
        default: .wideString
        }
    }
}

extension DASQLExpression {
    private static let operators = [
        "and": "AND", "or": "OR", "equal": "=", "notequal": "<>", "greater": ">", "greaterorequal": ">=", "less": "<",
        "lessorequal": "<=", "like": "LIKE", "concat": "||", "addition": "+", "subtraction": "-", "multiply": "*",
        "divide": "/", "modulo": "%",
    ]

    /// The expression of a dynamic where on the rows of a table.
    ///
    /// - Parameter macros: the values of macros, by name in lower case.
    fileprivate init(
        _ expression: WhereExpression,
        on table: ServedTable,
        macros: [String: String]
    ) throws(QueryError) {
        func operand(_ expression: WhereExpression) throws(QueryError) -> Self {
            try Self(expression, on: table, macros: macros)
        }
        switch expression {
        case .constant(let content, let type): self = content.map { .typed($0, type: type) } ?? .null
        case .null: self = .null
        case .parameter(let name, _, _): self = .parameter(name)
        case .macro(let name):
            guard let text = macros[name.lowercased()] else { throw QueryError("the macro '\(name)' is unknown") }
            self = .typed(text, type: "WideString")
        case .list: throw QueryError("a list without In")
        case .field(let name, let owner):
            if let owner, !owner.isEmpty, !owner.isSame(as: table.name) {
                throw QueryError("the table '\(owner)' is not part of the request for '\(table.name)'")
            }
            // Some clients write the table before the name.
            let prefix = table.name.lowercased() + "."
            let short = name.lowercased().hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
            let field: ServedField = if let field = table.field(name) { field } else { try table.existingField(short) }
            self = .field(source: nil, name: field.name)
        case .between(let value, let low, let high):
            self = .between(try operand(value), try operand(low), try operand(high), isNegated: false)
        case .unary(let operation, let inner):
            switch operation?.rawValue.lowercased() {
            case "not": self = .not(try operand(inner))
            case "minus": self = .minus(try operand(inner))
            default: throw QueryError("unknown operator of a where clause")
            }
        case .binary(let operation, let left, let right):
            let name = operation.rawValue.lowercased()
            switch (name, left, right) {
            case ("equal", _, .null), ("notequal", _, .null):
                self = .isNull(try operand(left), isNegated: name == "notequal")
            case ("equal", .null, _), ("notequal", .null, _):
                self = .isNull(try operand(right), isNegated: name == "notequal")
            case ("equal", _, .unary(let not?, .null)) where not.rawValue.lowercased() == "not",
                ("notequal", _, .unary(let not?, .null)) where not.rawValue.lowercased() == "not":
                self = .isNull(try operand(left), isNegated: name == "equal")
            case ("in", _, .list(let elements)), ("notin", _, .list(let elements)):
                var list: [Self] = []
                for element in elements { list.append(try operand(element)) }
                self = .membership(try operand(left), list, isNegated: name == "notin")
            case ("xor", _, _): self = .operation("<>", .not(try operand(left)), .not(try operand(right)))
            case ("notlike", _, _): self = .not(.operation("LIKE", try operand(left), try operand(right)))
            default:
                guard let symbol = Self.operators[name] else { throw QueryError("unknown operator of a where clause") }
                self = .operation(symbol, try operand(left), try operand(right))
            }
        }
    }
}
