// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// A request of a user for rows of one table, before it is known what the server can do.
package struct TableQuery: Hashable, Sendable {
    /// The name of the table.
    package var table: String
    /// The fields, in order; empty for all.
    package var fields: [String] = []
    /// The condition; nil for all rows.
    package var predicate: Expression?
    /// A where clause that the server must evaluate, in addition to the predicate.
    package var whereClause: WhereExpression?
    /// The order; empty for the order of the server.
    package var order: [FieldOrder] = []
    /// The maximum number of rows; nil for all.
    package var limit: Int?
    /// The values of the parameters of the table's query.
    package var parameters: [DataParameter] = []

    /// Creates a query for all rows and fields.
    package init(_ table: String) {
        self.table = table
    }
}
