// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// Translates a DA SQL statement to SQL: the names of the schema become quoted names of the database, and all values
/// are bound.
struct DASQLText {
    /// The maximum number of columns, of groups and of orders. This is a limit of SQLite.
    private static let mostTerms = 2_000
    /// The maximum number of bound values, which is SQLite's.
    private static let mostValues = 32_766
    /// The maximum length of the SQL in bytes. A short statement can repeat a long expression by its number.
    private static let longestText = 1 << 20

    private let expressions: ExpressionText
    private let query: DASQLQuery

    /// - Parameter parameters: the values of the request's parameters, by name in lower case.
    /// - Throws: `QueryError` for an unknown table.
    init(
        _ query: DASQLQuery,
        schema: ServedSchema,
        parameters: [String: DataValue],
        collation: ServerCollation
    ) throws(QueryError) {
        var sources: [(alias: String?, table: ServedTable)] = []
        for source in query.sources {
            let table = try schema.existingTable(source.table)
            guard table.query == nil else { throw QueryError("DA SQL: the table '\(table.name)' is a query") }
            guard !sources.contains(where: { $0.alias?.isSame(as: source.alias) == true }) else {
                throw QueryError("DA SQL: two tables have the name '\(source.alias)'")
            }
            sources.append((source.alias, table))
        }
        expressions = ExpressionText(sources: sources, parameters: parameters, collation: collation)
        self.query = query
    }

    /// Returns the statement and the columns of its result.
    ///
    /// - Parameter most: the maximum number of rows; nil for all.
    /// - Throws: `QueryError`.
    func statement(most: Int?) throws(QueryError) -> (text: SQLText, columns: [ServedField]) {
        var text: SQLText = query.isDistinct ? "SELECT DISTINCT " : "SELECT "
        var columns: [ServedField] = []
        for item in query.items {
            for (part, column) in try self.columns(of: item, count: columns.count) {
                text += columns.isEmpty ? part : ", \(part)"
                columns.append(column)
            }
            try Self.check(text, terms: columns.count)
        }
        for (index, source) in query.sources.enumerated() {
            switch source.join {
            case .inner: text += " JOIN "
            case .left: text += " LEFT JOIN "
            case .cross: text += index == 0 ? " FROM " : " CROSS JOIN "
            }
            text += "\(name: expressions.sources[index].table.source) AS \(name: source.alias)"
            try append(" ON ", source.condition, to: &text)
            try Self.check(text, terms: 0)
        }
        try append(" WHERE ", query.condition, to: &text)
        try append(" GROUP BY ", query.groups.map { ($0, false) }, to: &text)
        try append(" HAVING ", query.having, to: &text)
        try append(" ORDER BY ", query.orders.map { ($0.expression, $0.isDescending) }, to: &text)
        if let limit = [most, query.top].compactMap(\.self).min() {
            text += " LIMIT \(.value(.integer(Int64(limit))))"
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
        _ keyword: SQLText,
        _ condition: DASQLExpression?,
        to text: inout SQLText
    ) throws(QueryError) {
        guard let condition else { return }
        text += "\(keyword)\(try expressions.term(condition).text)"
        try Self.check(text, terms: 0)
    }

    private func append(
        _ keyword: SQLText,
        _ terms: [(DASQLExpression, isDescending: Bool)],
        to text: inout SQLText
    ) throws(QueryError) {
        for (index, (expression, isDescending)) in terms.enumerated() {
            let term = expressions.collated(try expressions.term(selected(expression))).text
            text += "\(index == 0 ? keyword : ", ")\(term)\(isDescending ? " DESC" : "")"
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
        let isPlain = query.sources.count == 1 && query.groups.isEmpty
        switch item {
        case .all(let name):
            let chosen = expressions.sources.filter { name?.isSame(as: $0.alias ?? "") ?? true }
            guard !chosen.isEmpty else { throw QueryError("DA SQL: there is no table '\(name ?? "")'") }
            return chosen.flatMap { source in
                source.table.fields.map { field in
                    (field.column(of: source.alias), Self.column(field, field.name, isKey: isPlain))
                }
            }
        case .expression(.field(let source, let name), let given):
            let (alias, field) = try expressions.field(name, of: source)
            return [(field.column(of: alias), Self.column(field, given ?? field.name, isKey: isPlain))]
        case .expression(let expression, let name):
            let term = try expressions.term(expression)
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
}
