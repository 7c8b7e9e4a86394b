// SPDX-License-Identifier: Apache-2.0

import Platform

/// A definition of extra fields of a table: lookups and calculated fields. They are added to its rows for a reader and
/// never reach a server.
public struct TableView: Hashable, Sendable {
    /// The name of the table.
    public var table: String
    /// The lookup fields, before the calculated ones in the order of the columns.
    public var lookups: [LookupField]
    /// The calculated fields.
    public var calculated: [CalculatedField]
    /// The references between tables, for aggregates without a condition.
    public var references: [KeyReference]

    /// Creates a view.
    public init(
        _ table: String,
        lookups: [LookupField] = [],
        calculated: [CalculatedField] = [],
        references: [KeyReference] = []
    ) {
        self.table = table
        self.lookups = lookups
        self.calculated = calculated
        self.references = references
    }
}

extension TableView {
    /// The names of the extra fields.
    package var fieldNames: [String] { lookups.map(\.name) + calculated.map(\.name) }

    /// The names of the fields of the row that the extra fields read, as written. Some may be those of extra fields.
    package var readFields: Set<String> {
        var names = Set(lookups.flatMap(\.source) + calculated.flatMap(\.expression.fieldNames))
        if needsReferences { names.formUnion(references.flatMap(\.masterFields)) }
        return names
    }

    /// The fields of other tables that the extra fields read, by the name of the table. Names are as written. Those of
    /// tables that differ only in case are one. There may be none, such as for `count(Details where true)`.
    package var matchedFields: [String: Set<String>] {
        var fields: [String: Set<String>] = [:]
        func add(_ names: Set<String>, of table: String) {
            let known = fields.keys.first { NameMatch.isSimilar($0, table) }
            fields[known ?? table, default: []].formUnion(names)
        }
        for field in lookups {
            if case .table(let name, let keys, let result) = field.content { add(Set(keys + [result]), of: name) }
        }
        for aggregate in aggregates {
            let parts = [aggregate.argument, aggregate.condition].compactMap { $0 }
            var names = Set(parts.flatMap(\.matchedFieldNames))
            if aggregate.condition == nil {
                let own = references.filter { NameMatch.isSimilar($0.detail, aggregate.table) }
                names.formUnion(own.flatMap(\.detailFields))
            }
            add(names, of: aggregate.table)
        }
        return fields
    }

    /// Whether an aggregate has no condition.
    package var needsReferences: Bool { aggregates.contains { $0.condition == nil } }

    private var aggregates: [AggregateExpression] { calculated.flatMap(\.expression.aggregates) }
}

/// A field whose value is found by a key.
public struct LookupField: Hashable, Sendable {
    /// The place where the value is found.
    public enum Content: Hashable, Sendable {
        /// The field `result` of the first row of a table whose `keys` equal the source fields.
        case table(String, keys: [String], result: String)
        /// A fixed list, by one source field.
        case list([LookupEntry])
    }

    /// The name of the field.
    public var name: String
    /// The fields of the row that hold the key, as many as there are keys.
    public var source: [String]
    /// The place where the value is found.
    public var content: Content
    /// The text for a key that is not found, or is NULL; nil for NULL.
    public var missing: String?

    /// Creates a lookup field.
    public init(_ name: String, _ source: [String], in content: Content, missing: String? = nil) {
        self.name = name
        self.source = source
        self.content = content
        self.missing = missing
    }
}

/// An entry of a fixed list, such as the name of a state.
public struct LookupEntry: Hashable, Sendable {
    /// The key, a literal that fits the source field.
    public var key: PredicateValue
    /// The value of the lookup field.
    public var text: String

    /// Creates an entry.
    public init(_ key: PredicateValue, _ text: String) {
        self.key = key
        self.text = text
    }
}

/// A field with the value of an expression.
public struct CalculatedField: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// The formula.
    public var expression: Expression
    /// The type of the values; nil for the type of the expression.
    public var type: DataType?

    /// Creates a calculated field.
    public init(_ name: String, _ expression: Expression, as type: DataType? = nil) {
        self.name = name
        self.expression = expression
        self.type = type
    }
}

/// The reason why a view does not fit the columns of the tables.
public enum TableViewError: Error, Hashable, Sendable {
    /// The name of an extra field is empty, or differs from that of another field at most in the case of ASCII letters.
    case existingField(String)
    /// Each of these fields reads the next one, and the last one the first.
    case cycle([String])
    /// The columns of the error are those of the expression.
    case expression(field: String, ExpressionError)
    /// A lookup names a field or a table that does not exist, or keys of another type. The error has no column.
    case lookup(field: String, ExpressionError)
    /// A lookup has not as many source fields as keys, or none.
    case keyCount(field: String)
    /// A literal of a list is no value of the source field.
    case key(field: String, PredicateValue)
}

extension TableViewError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .existingField(let name): "field '\(name)' exists, or has no name"
        case .cycle(let names): "fields that need each other: \(names.map { "'\($0)'" }.joined(separator: ", "))"
        case .expression(let field, let error): "field '\(field)': \(error)"
        case .lookup(let field, let error): "lookup field '\(field)': \(error.reason)"
        case .keyCount(let field): "lookup field '\(field)': expected as many source fields as keys"
        case .key(let field, let value): "lookup field '\(field)': \(value) is no value of the source field"
        }
    }
}
