// SPDX-License-Identifier: Apache-2.0

import Platform

/// The fields and tables that an expression may name.
struct ExpressionScope: Sendable {
    /// The table of the row.
    var table = ""
    /// The columns of the row.
    var columns: [DataColumn]
    /// The columns of the tables of aggregates and lookups, by table name.
    var tables: [String: [DataColumn]] = [:]
    /// The references between tables, for aggregates without a condition.
    var references: [KeyReference] = []
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
