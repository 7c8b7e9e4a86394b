// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// A table as clients see it, and its name in the database.
package struct ServedTable: Hashable, Sendable {
    /// The name for clients.
    package let name: String
    /// The name in the database.
    package let source: String
    /// The fields with values in the rows, in order.
    package let fields: [ServedField]
    /// All fields in the schema: also those that clients look up or calculate.
    let declaredFields: [ServedField]
    /// A SELECT in the SQL of the database whose rows are those of the table; nil for the rows of `source`. Clients
    /// send the values of its parameters, such as `:Name`. Its table is read-only and not part of DA SQL.
    package let query: String?
    /// Whether clients may not change rows.
    package let isReadOnly: Bool
    /// JavaScript for the vendor's clients; nil if there is none.
    package let script: String?

    /// Creates a table; by default its name in the database is the same.
    package init(
        _ name: String,
        source: String? = nil,
        query: String? = nil,
        isReadOnly: Bool = false,
        script: String? = nil,
        _ fields: [ServedField]
    ) {
        self.name = name
        self.source = source ?? name
        self.query = query
        self.isReadOnly = isReadOnly || query != nil
        self.script = script
        self.fields = fields.filter { !$0.isLookup && !$0.isCalculated }
        declaredFields = fields
    }

    /// The fields of the primary key, in order.
    var keys: [ServedField] { fields.filter(\.isInPrimaryKey) }

    /// Returns a field, or nil if there is none with this name.
    func field(_ name: String) -> ServedField? { fields.first { $0.name.isSame(as: name) } }
}

/// A field of a table.
package struct ServedField: Hashable, Sendable {
    /// The form of a DateTime in the database.
    package enum DateStorage: Hashable, Sendable {
        /// Days since 1899-12-30 00:00, as on the wire.
        case days
        /// Text such as `2020-01-02 03:04:05`, as SQLite's date functions write it.
        case text
    }

    /// The name for clients.
    package let name: String
    /// The name of the column in the database.
    package let column: String
    /// The type on the wire.
    package let type: DataType
    /// The maximum number of characters of a text; 0 if it is not limited or not a text.
    package let size: Int
    /// Whether the field is part of the primary key.
    package let isInPrimaryKey: Bool
    /// Whether every row must have a value.
    package let isRequired: Bool
    /// Whether clients may not change the values.
    package let isReadOnly: Bool
    /// The value that clients put into new rows, as text; empty for none.
    package let defaultValue: String
    /// The form of the values of a DateTime.
    package let dates: DateStorage
    /// Whether clients get the value from another table.
    var isLookup = false
    /// Whether clients calculate the value.
    var isCalculated = false

    /// Creates a field; by default its column has the same name.
    package init(
        _ name: String,
        _ type: DataType,
        size: Int = 0,
        column: String? = nil,
        isInPrimaryKey: Bool = false,
        isRequired: Bool = false,
        isReadOnly: Bool = false,
        defaultValue: String = "",
        dates: DateStorage = .days
    ) {
        self.name = name
        self.column = column ?? name
        self.type = type
        self.size = size
        self.isInPrimaryKey = isInPrimaryKey
        self.isRequired = isRequired
        self.isReadOnly = isReadOnly
        self.defaultValue = defaultValue
        self.dates = dates
    }

    /// Whether the database assigns the value of a new row.
    var isAutomatic: Bool { type == .autoInc || type == .largeAutoInc }

    /// The schema entry in a stream.
    var entry: SchemaEntry {
        SchemaEntry(
            field: name,
            type,
            isInPrimaryKey: isInPrimaryKey,
            isRequired: isRequired,
            isReadOnly: isReadOnly,
            defaultValue: defaultValue
        )
    }

    /// The header of the column in a stream.
    var dataColumn: DataColumn { DataColumn(name, type, size: Int32(clamping: size)) }
}

/// A command of a schema: a statement with named parameters, to which it refers as `:Name`.
package struct ServedCommand: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The parameters, in order.
    package let parameters: [SchemaParameter]
    /// The statement that changes rows, in the SQL of the database; nil for none.
    package let statement: String?
    /// A SELECT with one row, whose columns are the parameters that clients receive; nil for none.
    package let output: String?

    init(_ name: String, _ parameters: [SchemaParameter], statement: String?, output: String? = nil) {
        self.name = name
        self.parameters = parameters
        self.statement = statement
        self.output = output
    }
}
