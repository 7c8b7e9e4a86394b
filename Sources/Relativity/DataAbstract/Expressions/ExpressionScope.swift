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
    let fields: PredicateFields
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
        return MatchedTable(name: names[index], fields: PredicateFields(columns))
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
    /// Calls for each expression directly in this one. Not for the parts of an aggregate.
    private func forEachPart(_ body: (Expression) -> Void) {
        switch node {
        case .value, .null, .field, .matchedField, .aggregate: break
        case .negative(let inner), .isNull(let inner), .not(let inner): body(inner)
        case .arithmetic(_, let left, let right), .comparison(_, let left, let right, _):
            body(left)
            body(right)
        case .isIn(let left, let list, _):
            body(left)
            list.forEach(body)
        case .between(let value, let low, let high): [value, low, high].forEach(body)
        case .and(let parts), .or(let parts), .call(_, let parts): parts.forEach(body)
        }
    }

    /// Adds the names of the fields of the matched row.
    func collectMatchedFields(_ names: inout Set<String>) {
        if case .matchedField(let name) = node { names.insert(name) }
        forEachPart { $0.collectMatchedFields(&names) }
    }

    /// Adds the names of the fields of the row.
    func collectFields(_ names: inout Set<String>) {
        if case .field(let name) = node { names.insert(name) }
        if case .aggregate(let aggregate) = node {
            aggregate.argument?.collectFields(&names)
            aggregate.condition?.collectFields(&names)
        }
        forEachPart { $0.collectFields(&names) }
    }

    /// Adds the aggregates.
    func collectAggregates(_ found: inout [AggregateExpression]) {
        if case .aggregate(let aggregate) = node { found.append(aggregate) }
        forEachPart { $0.collectAggregates(&found) }
    }

    /// The fields that a part of a condition reads.
    var reads: (row: Bool, matched: Bool) {
        var result = (row: false, matched: false)
        switch node {
        case .field: result.row = true
        case .matchedField: result.matched = true
        default:
            forEachPart {
                let part = $0.reads
                result = (result.row || part.row, result.matched || part.matched)
            }
        }
        return result
    }

    /// The parts of a condition that all have to be true.
    var conjuncts: [Expression] {
        guard case .and(let parts) = node else { return [self] }
        return parts.flatMap(\.conjuncts)
    }
}
