// SPDX-License-Identifier: Apache-2.0

/// A request for the rows of one table: an entry in the two arrays of GetData (docs/wire.md, "Services").
public struct TableRequest: Hashable, Sendable {
    /// The selection of fields and rows. Each case has its own struct on the wire.
    public enum Selection: Hashable, Sendable {
        /// All fields and, unless there is a filter, all rows: `TableRequestInfo`.
        case all(userFilter: String = "")
        /// Chosen fields and rows: `TableRequestInfoV5`.
        case dynamic(DynamicSelection)
        /// A statement in DA SQL: `TableRequestInfoV6`.
        case sql(String)
    }

    /// The name of the table. For DA SQL the name of the result.
    public var table: String
    /// The selection of fields and rows.
    public var selection: Selection
    /// The maximum number of rows; 0 for the columns only, nil for all rows.
    public var rowLimit: Int32?
    /// Whether the reply contains the schema of the table.
    public var includesSchema: Bool
    /// The values of the parameters of the table's query, or of the statement's `:name` parameters.
    public var parameters: [DataParameter]

    /// Creates a request; by default for all fields and rows, with the schema.
    public init(
        _ table: String,
        _ selection: Selection = .all(),
        rowLimit: Int32? = nil,
        includesSchema: Bool = true,
        parameters: [DataParameter] = []
    ) {
        self.table = table
        self.selection = selection
        self.rowLimit = rowLimit
        self.includesSchema = includesSchema
        self.parameters = parameters
    }
}

/// Chosen fields, rows and order.
public struct DynamicSelection: Hashable, Sendable {
    /// The names of the fields; empty for all.
    public var fields: [String]
    /// The condition of the rows; nil for all.
    public var condition: WhereExpression?
    /// The field to sort by; nil for the order of the server.
    public var order: FieldOrder?

    /// Creates a selection; by default of everything.
    public init(fields: [String] = [], condition: WhereExpression? = nil, order: FieldOrder? = nil) {
        self.fields = fields
        self.condition = condition
        self.order = order
    }
}

/// A field to sort by, and the direction.
public struct FieldOrder: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// Whether the greatest value is first.
    public var isDescending: Bool

    /// Creates an order, ascending by default.
    public init(_ field: String, isDescending: Bool = false) {
        self.field = field
        self.isDescending = isDescending
    }
}

/// A named value of a query or a command.
public struct DataParameter: Hashable, Sendable {
    /// The name, without a colon.
    public var name: String
    /// The value.
    public var value: DataValue

    /// Creates a parameter.
    public init(_ name: String, _ value: DataValue) {
        self.name = name
        self.value = value
    }
}
