// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite

/// Translates a DA SQL statement to SQL: the names of the schema become quoted names of the database, and all values
/// are bound.
struct DASQLText {
    /// An expression with the form of its values.
    private struct Term {
        var text: SQLText
        var type: DataType
        var dates = ServedField.DateStorage.days
        /// The field, if the expression is one.
        var field: ServedField?

        /// The expression as a plain number: a Currency is stored times 10,000.
        var plain: SQLText {
            guard type == .currency else { return text }
            var result = SQLText("(")
            result.append(text)
            result.append(" / 10000.0)")
            return result
        }
    }

    /// The maximum number of columns, of groups and of orders. This is a limit of SQLite.
    private static let mostTerms = 2_000
    /// The maximum number of bound values, which is SQLite's.
    private static let mostValues = 32_766
    /// The maximum length of the SQL in bytes. A short statement can repeat a long expression by its number.
    private static let longestText = 1 << 20

    private let sources: [(alias: String, table: ServedTable)]
    private let query: DASQLQuery
    private let parameters: [String: RemotingVariant]
    private let collation: ServerCollation

    /// - Parameter parameters: the values of the request's parameters, by name in lower case.
    /// - Throws: `QueryError` for an unknown table.
    init(
        _ query: DASQLQuery,
        schema: ServedSchema,
        parameters: [String: RemotingVariant],
        collation: ServerCollation
    ) throws(QueryError) {
        var sources: [(alias: String, table: ServedTable)] = []
        for source in query.sources {
            let table = try schema.existingTable(source.table)
            guard table.query == nil else { throw QueryError("DA SQL: the table '\(table.name)' is a query") }
            guard !sources.contains(where: { $0.alias.isSame(as: source.alias) }) else {
                throw QueryError("DA SQL: two tables have the name '\(source.alias)'")
            }
            sources.append((source.alias, table))
        }
        self.sources = sources
        self.query = query
        self.parameters = parameters
        self.collation = collation
    }

    /// Returns the statement and the columns of its result.
    ///
    /// - Parameter most: the maximum number of rows; nil for all.
    /// - Throws: `QueryError`.
    func statement(most: Int?) throws(QueryError) -> (text: SQLText, columns: [ServedField]) {
        var text = SQLText(query.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        var columns: [ServedField] = []
        for item in query.items {
            for (part, column) in try self.columns(of: item, count: columns.count) {
                if !columns.isEmpty { text.append(", ") }
                text.append(part)
                columns.append(column)
            }
            try Self.check(text, terms: columns.count)
        }
        for (source, place) in zip(query.sources, sources) {
            switch source.join {
            case .inner: text.append(" JOIN ")
            case .left: text.append(" LEFT JOIN ")
            case .cross: text.append(place.alias == sources[0].alias ? " FROM " : " CROSS JOIN ")
            }
            text.append(name: place.table.source)
            text.append(" AS ")
            text.append(name: place.alias)
            if let condition = source.condition {
                text.append(" ON ")
                text.append(try term(condition).text)
            }
            try Self.check(text, terms: 0)
        }
        try append(" WHERE ", query.condition, to: &text)
        try append(" GROUP BY ", query.groups.map { ($0, false) }, to: &text)
        try append(" HAVING ", query.having, to: &text)
        try append(" ORDER BY ", query.orders.map { ($0.expression, $0.isDescending) }, to: &text)
        if let limit = [most, query.top].compactMap(\.self).min() {
            text.append(" LIMIT ")
            text.append(value: .integer(Int64(limit)))
        }
        return (text, columns)
    }

    /// - Parameter terms: the number of columns, groups or orders.
    private static func check(_ text: SQLText, terms: Int) throws(QueryError) {
        guard terms <= mostTerms, text.values.count <= mostValues, text.text.utf8.count <= longestText else {
            throw QueryError("DA SQL: the statement is too large")
        }
    }

    private func append(
        _ keyword: StaticString,
        _ condition: DASQLExpression?,
        to text: inout SQLText
    ) throws(QueryError) {
        guard let condition else { return }
        text.append(keyword)
        text.append(try term(condition).text)
        try Self.check(text, terms: 0)
    }

    private func append(
        _ keyword: StaticString,
        _ terms: [(DASQLExpression, isDescending: Bool)],
        to text: inout SQLText
    ) throws(QueryError) {
        for (index, (expression, isDescending)) in terms.enumerated() {
            if index == 0 { text.append(keyword) } else { text.append(", ") }
            text.append(collated(try term(selected(expression))).text)
            if isDescending { text.append(" DESC") }
            try Self.check(text, terms: index + 1)
        }
    }

    /// Returns the selected expression that a number or a name in GROUP BY or ORDER BY refers to.
    private func selected(_ expression: DASQLExpression) throws(QueryError) -> DASQLExpression {
        switch expression {
        case .number(let digits):
            guard let place = Int(digits), query.items.indices.contains(place - 1),
                case .expression(let selected, _) = query.items[place - 1]
            else { throw QueryError("DA SQL: there is no column \(digits)") }
            return selected
        case .field(nil, let name):
            for case .expression(let selected, let given?) in query.items where given.isSame(as: name) {
                return selected
            }
            return expression
        default: return expression
        }
    }

    private func columns(of item: DASQLQuery.Item, count: Int) throws(QueryError) -> [(SQLText, ServedField)] {
        let isPlain = sources.count == 1 && query.groups.isEmpty
        switch item {
        case .all(let name):
            let chosen = sources.filter { name?.isSame(as: $0.alias) ?? true }
            guard !chosen.isEmpty else { throw QueryError("DA SQL: there is no table '\(name ?? "")'") }
            return chosen.flatMap { source in
                source.table.fields.map { field in
                    (FieldText.column(field, of: source.alias), Self.column(field, field.name, isKey: isPlain))
                }
            }
        case .expression(.field(let source, let field), let name):
            let found = try self.field(field, of: source)
            let column = Self.column(found.field, name ?? found.field.name, isKey: isPlain)
            return [(FieldText.column(found.field, of: found.alias), column)]
        case .expression(let expression, let name):
            let term = try term(expression)
            let type = term.type == .unknown ? .wideString : term.type
            return [
                (term.text, ServedField(name ?? "Column\(count + 1)", type, isReadOnly: true, dates: term.dates))
            ]
        }
    }

    private static func column(_ field: ServedField, _ name: String, isKey: Bool) -> ServedField {
        ServedField(
            name,
            field.type,
            size: field.size,
            isInPrimaryKey: isKey && field.isInPrimaryKey,
            isReadOnly: true,
            dates: field.dates
        )
    }

    private func field(_ name: String, of source: String?) throws(QueryError) -> (alias: String, field: ServedField) {
        var found: [(alias: String, field: ServedField)] = []
        for (alias, table) in sources where source?.isSame(as: alias) ?? true {
            if let field = table.field(name) { found.append((alias, field)) }
        }
        guard let first = found.first else { throw QueryError("the field '\(name)' does not exist") }
        guard found.count == 1 else { throw QueryError("the field '\(name)' is in more than one table") }
        return first
    }

    private func collated(_ term: Term) -> Term {
        guard let field = term.field else { return term }
        var term = term
        FieldText.collate(&term.text, field, collation)
        return term
    }

    private func term(_ expression: DASQLExpression, as form: Term? = nil) throws(QueryError) -> Term {
        switch expression {
        case .text, .number, .boolean, .null, .parameter: return try constant(expression, as: form)
        case .field(let source, let name):
            let found = try field(name, of: source)
            let type = found.field.type == .decimal ? .float : found.field.type
            return Term(
                text: FieldText.stored(found.field, of: found.alias),
                type: type,
                dates: found.field.dates,
                field: found.field
            )
        case .function(let name, let isDistinct, let arguments): return try function(name, isDistinct, arguments)
        case .not(let operand): return condition([try term(operand).text], "(NOT ", "")
        case .minus(let operand):
            let operand = try term(operand, as: form)
            var text = SQLText("(- ")
            text.append(operand.text)
            text.append(")")
            return Term(text: text, type: operand.type)
        case .isNull(let operand, let isNegated):
            var text = SQLText("(")
            text.append(try term(operand).text)
            text.append(isNegated ? " IS NOT NULL)" : " IS NULL)")
            return Term(text: text, type: .boolean)
        case .membership(let operand, let elements, let isNegated):
            let operand = collated(try term(operand))
            var text = SQLText("(")
            text.append(operand.text)
            text.append(isNegated ? " NOT IN (" : " IN (")
            var parts: [SQLText] = []
            for element in elements { parts.append(try term(element, as: operand).text) }
            text.append(parts, separator: ", ")
            text.append("))")
            return Term(text: text, type: .boolean)
        case .between(let operand, let low, let high, let isNegated):
            let operand = collated(try term(operand))
            var text = SQLText("(")
            text.append(operand.text)
            text.append(isNegated ? " NOT BETWEEN " : " BETWEEN ")
            text.append([try term(low, as: operand).text, try term(high, as: operand).text], separator: " AND ")
            text.append(")")
            return Term(text: text, type: .boolean)
        case .operation(let symbol, let left, let right): return try operation(symbol, left, right)
        }
    }

    private func condition(_ parts: [SQLText], _ start: StaticString, _ separator: StaticString) -> Term {
        var text = SQLText(start)
        text.append(parts, separator: separator)
        text.append(")")
        return Term(text: text, type: .boolean)
    }

    private static let comparisons: [String: StaticString] = [
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
        if let chained = Self.chained[symbol] {
            let terms = try Self.operands(of: symbol, left, right).map { operand throws(QueryError) in
                try term(operand)
            }
            let isCondition = symbol == "AND" || symbol == "OR"
            var result = condition(terms.map { isCondition ? $0.text : $0.plain }, "(", chained)
            if symbol == "||" {
                result.type = .wideString
            } else if !isCondition {
                result.type = terms.allSatisfy(\.type.isInteger) ? .largeInt : .float
            }
            return result
        }
        if let comparison = Self.comparisons[symbol] {
            // Each side is translated once, because operations nest.
            let known = try (
                left.isConstant ? nil : term(left), right.isConstant ? nil : term(right)
            )
            let form = known.0 ?? known.1
            var first: Term
            var second: Term
            if let term = known.0 { first = term } else { first = try term(left, as: form) }
            if let term = known.1 { second = term } else { second = try term(right, as: form) }
            if symbol != "LIKE" {
                if first.field == nil { second = collated(second) }
                first = collated(first)
            }
            let isMixed = !left.isConstant && !right.isConstant && first.type != second.type
            let texts = isMixed ? [first.plain, second.plain] : [first.text, second.text]
            return condition(texts, "(", comparison)
        }
        throw QueryError("DA SQL: the operator '\(symbol)'")
    }

    /// Returns the operands of a chain of one operator. Written without parentheses it can be long: SQLite's parser
    /// takes less than 100 levels.
    private static func operands(
        of symbol: String,
        _ left: DASQLExpression,
        _ right: DASQLExpression
    ) -> [DASQLExpression] {
        var operands = [right]
        var rest = left
        while case .operation(symbol, let left, let right) = rest {
            operands.append(right)
            rest = left
        }
        operands.append(rest)
        return operands.reversed()
    }

    private func function(
        _ name: String,
        _ isDistinct: Bool,
        _ arguments: [DASQLExpression]
    ) throws(QueryError) -> Term {
        guard let argument = arguments.first else { return Term(text: SQLText("count(*)"), type: .largeInt) }
        let operand = try term(argument)
        var text: SQLText
        var type = operand.type
        switch name {
        case "COUNT": (text, type) = (SQLText(isDistinct ? "count(DISTINCT " : "count("), .largeInt)
        case "SUM":
            text = SQLText(isDistinct ? "sum(DISTINCT " : "sum(")
            if type.isInteger { type = .largeInt }
        case "MIN": text = SQLText("min(")
        case "MAX": text = SQLText("max(")
        case "AVG": (text, type) = (SQLText(isDistinct ? "avg(DISTINCT " : "avg("), .float)
        case "UPPER": (text, type) = (SQLText("upper("), .wideString)
        case "LOWER": (text, type) = (SQLText("lower("), .wideString)
        case "LENGTH": (text, type) = (SQLText("length("), .largeInt)
        default: text = SQLText("abs(")
        }
        if [.autoInc, .largeAutoInc].contains(type) { type = .largeInt }
        text.append(name == "AVG" ? operand.plain : operand.text)
        text.append(")")
        return Term(text: text, type: type, dates: operand.dates)
    }

    /// - Parameter form: the expression that the constant is compared with; nil if there is none.
    private func constant(_ expression: DASQLExpression, as form: Term?) throws(QueryError) -> Term {
        // A Decimal is compared as a number, and a constant without a form has its own type.
        let field = form.map { ServedField("", $0.type, dates: $0.dates) }
        let value: SQLiteValue
        var type = form?.type ?? .unknown
        switch expression {
        case .text(let text):
            value = try ConstantText.value(text, type: "WideString", for: field)
            if form == nil { type = .wideString }
        case .number(let text):
            let isInteger = !text.contains(".")
            value = try ConstantText.value(text, type: isInteger ? "LargeInt" : "Float", for: field)
            if form == nil { type = isInteger ? .largeInt : .float }
        case .boolean(let flag): (value, type) = (.integer(flag ? 1 : 0), .boolean)
        case .parameter(let name):
            guard let variant = parameters[name.lowercased()], let found = DataValue(variant) else {
                throw QueryError("the parameter '\(name)' has no value")
            }
            value = try ConstantText.value(found, for: field)
            if form == nil { type = Self.type(of: found) }
        default: value = .null
        }
        return Term(text: .value(value), type: type, dates: form?.dates ?? .days)
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
