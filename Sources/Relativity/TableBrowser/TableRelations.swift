// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Platform

/// The references between the tables of a schema: which tables have the details of a row, and which fields have names.
package struct TableRelations: Sendable {
    private let schema: DataSchema
    /// The references that can connect rows, each once, in the order of the schema.
    package let references: [KeyReference]

    /// - Parameter schema: the tables, and the relationships that the server shows.
    package init(_ schema: DataSchema) {
        self.schema = schema
        var references: [KeyReference] = []
        for reference in KeyReference.references(of: schema) {
            let isSound =
                !reference.detailFields.isEmpty && reference.detailFields.count == reference.masterFields.count
            if isSound, !references.contains(where: { $0.isSame(as: reference) }) { references.append(reference) }
        }
        self.references = references
    }

    /// Returns the references to a table: one for each table with details of its rows, or more.
    package func details(of table: String) -> [KeyReference] {
        references.filter { NameMatch.isSimilar($0.master, table) }
    }

    /// Returns the references of a table to its masters.
    package func masters(of table: String) -> [KeyReference] {
        references.filter { NameMatch.isSimilar($0.detail, table) }
    }

    /// Returns the fields of a table whose values are keys of a master that has names.
    package func lookups(of table: String) -> [NameLookup] {
        var lookups: [NameLookup] = []
        for reference in masters(of: table) where reference.detailFields.count == 1 {
            let field = reference.detailFields[0]
            guard !lookups.contains(where: { NameMatch.isSimilar($0.field, field) }),
                let master = schema.table(reference.master), let name = Self.nameField(of: master, reference)
            else { continue }
            lookups.append(
                NameLookup(field: field, master: master.name, key: reference.masterFields[0], name: name.name)
            )
        }
        return lookups
    }

    /// Returns the names for the fields of a table, by the name of the field as the table has it.
    ///
    /// - Parameter masters: the masters that were read, by name. Fields of others have no names.
    package func names(for table: EditableTable, masters: [String: EditableTable]) -> [String: [NamedKey]] {
        var names: [String: [NamedKey]] = [:]
        for lookup in lookups(of: table.name) {
            let master = masters.first { NameMatch.isSimilar($0.key, lookup.master) }?.value
            guard let field = table.fields.named(lookup.field), let master else { continue }
            names[field.name] = lookup.names(in: master)
        }
        return names
    }

    /// Returns the field that names a row: a text with the name `Name`, otherwise the first text that is not in the key;
    /// a Memo only without any other.
    private static func nameField(of master: SchemaTable, _ reference: KeyReference) -> SchemaField? {
        let texts = master.fields.filter { field in
            field.type.isText && field.type != .guid && field.type != .xml && !field.isInPrimaryKey
                && !NameMatch.isSimilar(field.name, reference.masterFields[0])
        }
        return texts.first { NameMatch.isSimilar($0.name, "Name") }
            ?? texts.first { $0.type != .memo && $0.type != .wideMemo } ?? texts.first
    }
}

/// A field whose values are keys of a master, and the field that has the names of the master's rows.
package struct NameLookup: Hashable, Sendable {
    /// The field with the keys.
    package let field: String
    /// The name of the master.
    package let master: String
    /// The field of the master that the keys are values of.
    package let key: String
    /// The field of the master with the names.
    package let name: String

    /// Returns the keys and names of the master's rows, with pending changes. Rows without a key are left out.
    package func names(in master: EditableTable) -> [NamedKey] {
        master.rowIDs.compactMap { id in
            guard let row = master.row(id), let key = try? row.value(self.key), !key.isNull else { return nil }
            guard case .text(let name)? = try? row.value(name) else { return NamedKey(key, "") }
            return NamedKey(key, name)
        }
    }
}

extension KeyReference {
    /// Returns the condition of the details of a master's row; nil if it has none, because a value of its key is NULL or
    /// equals nothing, or if it does not have the fields.
    package func detailCondition(of row: EditableRow) -> Expression? {
        var parts: [Expression] = []
        for (detail, master) in fields {
            guard let value = try? row.value(master), let literal = PredicateValue(value) else { return nil }
            if case .float(let number) = literal, !number.isFinite { return nil }
            parts.append(.comparison(detail, .equal, .value(literal)))
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Whether two references connect the same fields.
    fileprivate func isSame(as other: KeyReference) -> Bool {
        func names(_ reference: KeyReference) -> [String] {
            [reference.detail, reference.master] + reference.detailFields + reference.masterFields
        }
        let (left, right) = (names(self), names(other))
        return left.count == right.count && zip(left, right).allSatisfy(NameMatch.isSimilar)
    }
}

/// The numbers of details of a master's rows. The details are read once, so that a number is found without a search.
package struct DetailCounts: Sendable {
    private let table: CalculatedTable

    /// Reads the details, with their pending changes.
    ///
    /// - Throws: `TableViewError.expression` if the reference does not fit the tables. Keys cannot be Floats. `GrowthError`
    ///   of a key.
    package init(_ reference: KeyReference, master: EditableTable, details: EditableTable) throws {
        let source = try SourceTable(details)
        let count = Expression(.aggregate(AggregateExpression(.count, reference.detail, nil, where: nil)))
        // No field of a server has this name.
        let field = CalculatedField("\u{0}", count)
        var table = try CalculatedTable(
            TableView(reference.master, calculated: [field], references: [reference]),
            columns: master.fields.map(\.column),
            tables: [reference.detail: source.columns]
        )
        try table.load([reference.detail: source])
        self.table = table
    }

    /// Returns the number of details of a row.
    ///
    /// - Precondition: the row is of the master table.
    package func count(of row: EditableRow) -> Int {
        guard case .integer(let count)? = try? table.extraValues(row.values).first else { return 0 }
        return Int(clamping: count)
    }
}

/// A key of a row of a master, with the name of the row.
package struct NamedKey: Hashable, Sendable {
    /// The key.
    package let key: DataValue
    /// The name, which is untrusted text.
    package let name: String

    /// Creates a key with a name.
    package init(_ key: DataValue, _ name: String) {
        (self.key, self.name) = (key, name)
    }
}
