// SPDX-License-Identifier: Apache-2.0

/// A query in DA SQL, the SQL dialect that Relativity servers translate to that of their database.
///
/// ```swift
/// let clients = QuerySource("Clients", as: "c")
/// let orders = QuerySource("Orders", as: "o")
/// let query = DataQuery(from: clients)
///     .leftJoin(orders, on: orders["Client"] == clients["Id"])
///     .where(clients["Name"].isLike("A%") && clients["Id"] > 10)
///     .group(by: clients["Name"])
///     .select(clients["Name"], .count().named("Orders"), .sum(orders["Amount"]).named("Total"))
///     .order(by: .descending(.sum(orders["Amount"])))
///     .limit(10)
/// let table = try await adapter.table(try query.request("Totals"))
/// ```
///
/// Values are sent as parameters `:p0`, `:p1`, and names are quoted. So no value and no name can change the statement.
public struct DataQuery: Sendable {
    struct Join {
        let source: QuerySource
        let isOuter: Bool
        let condition: QueryCondition
    }

    var columns: [QueryValue] = []
    let source: QuerySource
    var joins: [Join] = []
    var condition: QueryCondition?
    var groups: [QueryValue] = []
    var having: QueryCondition?
    var orders: [QueryOrder] = []
    var isDistinct = false
    var limit: Int32?

    /// Creates a query for all fields and rows of a table.
    public init(from source: QuerySource) {
        self.source = source
    }

    /// Adds a table. Only pairs of rows that satisfy the condition remain.
    public func join(_ source: QuerySource, on condition: QueryCondition) -> DataQuery {
        changed { $0.joins.append(Join(source: source, isOuter: false, condition: condition)) }
    }

    /// Adds a table by a left outer join, which DA LINQ calls default-if-empty. Rows without a counterpart remain, with
    /// NULL in the fields of this table.
    public func leftJoin(_ source: QuerySource, on condition: QueryCondition) -> DataQuery {
        changed { $0.joins.append(Join(source: source, isOuter: true, condition: condition)) }
    }

    /// Adds a condition on the rows. All conditions must be satisfied.
    public func `where`(_ condition: QueryCondition) -> DataQuery {
        changed { $0.condition = $0.condition.map { $0 && condition } ?? condition }
    }

    /// Groups the rows. Each group gives one row.
    public func group(by values: QueryValue...) -> DataQuery {
        changed { $0.groups += values }
    }

    /// Adds a condition on the groups. All conditions must be satisfied.
    public func having(_ condition: QueryCondition) -> DataQuery {
        changed { $0.having = $0.having.map { $0 && condition } ?? condition }
    }

    /// Adds columns of the result. Without any, the result has all fields.
    public func select(_ columns: QueryValue...) -> DataQuery {
        changed { $0.columns += columns }
    }

    /// Adds values to sort by, the most significant first.
    public func order(by orders: QueryOrder...) -> DataQuery {
        changed { $0.orders += orders }
    }

    /// Removes rows that are equal to another one.
    public func distinct() -> DataQuery {
        changed { $0.isDistinct = true }
    }

    /// Sets the maximum number of rows. It is sent as the limit of the request, not in the statement.
    public func limit(_ count: Int32) -> DataQuery {
        changed { $0.limit = count }
    }

    /// Returns the request for the adapter.
    ///
    /// - Parameter name: the name of the table in the reply.
    /// - Throws: `emptyName`, `tooDeep`.
    public func request(_ name: String, includesSchema: Bool = true) throws(DataQueryError) -> TableRequest {
        var writer = QueryWriter()
        try writer.write(self)
        return TableRequest(
            name,
            .sql(writer.text),
            rowLimit: limit,
            includesSchema: includesSchema,
            parameters: writer.parameters
        )
    }

    private func changed(_ change: (inout DataQuery) -> Void) -> DataQuery {
        var query = self
        change(&query)
        return query
    }
}

/// A table in a query, with the name that its fields are qualified by.
public struct QuerySource: Hashable, Sendable {
    /// The name of the table.
    public let table: String
    /// The name within the query. A table that occurs twice needs two of them.
    public let alias: String

    /// Creates a source.
    ///
    /// - Parameter alias: nil for the name of the table.
    public init(_ table: String, as alias: String? = nil) {
        self.table = table
        self.alias = alias ?? table
    }

    /// A field of the table.
    public subscript(_ field: String) -> QueryValue { QueryValue(.field(source: alias, name: field)) }
}

/// A value to sort by, and the direction.
public struct QueryOrder: Sendable {
    let value: QueryValue
    let isDescending: Bool

    /// The least value first.
    public static func ascending(_ value: QueryValue) -> QueryOrder { QueryOrder(value: value, isDescending: false) }

    /// The greatest value first.
    public static func descending(_ value: QueryValue) -> QueryOrder { QueryOrder(value: value, isDescending: true) }
}

/// The reason why a query cannot be written.
public enum DataQueryError: Error, Hashable, Sendable {
    /// A table, field or alias has an empty name, or one with a zero byte.
    case emptyName
    /// An expression is nested more than this deeply.
    case tooDeep(limit: Int)
}

extension DataQueryError: CustomStringConvertible {
    /// A sentence fragment.
    public var description: String {
        switch self {
        case .emptyName: "a name in a query is empty or has a zero byte"
        case .tooDeep(let limit): "more than \(limit) levels in an expression of a query"
        }
    }
}
