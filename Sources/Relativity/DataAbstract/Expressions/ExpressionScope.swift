// SPDX-License-Identifier: Apache-2.0

import Platform

/// The fields and tables that an expression may name.
public struct ExpressionScope: Hashable, Sendable {
    /// The table of the row.
    public var table: String
    /// The columns of the row.
    public var columns: [DataColumn]
    /// The columns of the tables of aggregates and lookups, by table name.
    public var tables: [String: [DataColumn]]
    /// The references between tables, for aggregates without a condition.
    public var references: [KeyReference]

    /// Creates a scope, by default of the row only.
    public init(
        table: String = "",
        columns: [DataColumn],
        tables: [String: [DataColumn]] = [:],
        references: [KeyReference] = []
    ) {
        self.table = table
        self.columns = columns
        self.tables = tables
        self.references = references
    }
}

/// The fields and the name of the table of an aggregate.
struct MatchedTable {
    let name: String
    let columns: [DataColumn]
}

extension ExpressionScope {
    /// Finds a table by its name (`NameMatch`).
    ///
    /// - Throws: `unknownTable`, also if several names differ only in case.
    func matchedTable(_ name: String, at column: Int) throws(ExpressionError) -> MatchedTable {
        let names = tables.keys.sorted()
        guard let index = NameMatch(name, in: names).index, let columns = tables[names[index]] else {
            throw .unknownTable(UnknownName(name, among: names), column: column)
        }
        return MatchedTable(name: names[index], columns: columns)
    }

    /// Returns the condition of the only reference from a table to the table of the row.
    ///
    /// - Throws: `noReference`.
    func condition(from matched: MatchedTable, at column: Int) throws(ExpressionError) -> Expression {
        let found = references.filter {
            NameMatch.isSimilar($0.detail, matched.name) && NameMatch.isSimilar($0.master, table)
                && !$0.detailFields.isEmpty && $0.detailFields.count == $0.masterFields.count
        }
        guard found.count == 1 else {
            throw .noReference(table: matched.name, count: found.count, column: column)
        }
        let parts = found[0].fields.map { field, masterField in
            Expression(
                .comparison(
                    .equal,
                    Expression(.matchedField(field), column: column),
                    Expression(.field(masterField), column: column)
                ),
                column: column
            )
        }
        return Expression(.and(parts), column: column)
    }
}

extension Expression {
    /// Calls for this expression and each one in it, from left to right.
    private func forEach(_ body: (Expression) -> Void) {
        body(self)
        switch node {
        case .value, .null, .constant, .field, .matchedField: break
        case .negative(let inner), .isNull(let inner), .not(let inner): inner.forEach(body)
        case .arithmetic(_, let left, let right), .comparison(_, let left, let right, _):
            for part in [left, right] { part.forEach(body) }
        case .isIn(let left, let list, _):
            for part in [left] + list { part.forEach(body) }
        case .between(let value, let low, let high):
            for part in [value, low, high] { part.forEach(body) }
        case .and(let parts), .or(let parts), .call(_, let parts):
            for part in parts { part.forEach(body) }
        case .aggregate(let aggregate):
            aggregate.argument?.forEach(body)
            aggregate.condition?.forEach(body)
        }
    }

    private func collect<Part>(_ part: (Node) -> Part?) -> [Part] {
        var found: [Part] = []
        forEach { if let part = part($0.node) { found.append(part) } }
        return found
    }

    /// The names of the fields of the row, from left to right, as written.
    package var fieldNames: [String] {
        collect { if case .field(let name) = $0 { name } else { nil } }
    }

    /// The names of the fields of the matched row.
    var matchedFieldNames: [String] {
        collect { if case .matchedField(let name) = $0 { name } else { nil } }
    }

    var aggregates: [AggregateExpression] {
        collect { if case .aggregate(let aggregate) = $0 { aggregate } else { nil } }
    }

    /// Whether a part of a condition reads fields of the row, and of the matched row.
    var reads: (row: Bool, matched: Bool) { (!fieldNames.isEmpty, !matchedFieldNames.isEmpty) }

    /// The parts of a condition that all have to be true.
    var conjuncts: [Expression] {
        guard case .and(let parts) = node else { return [self] }
        return parts.flatMap(\.conjuncts)
    }
}
