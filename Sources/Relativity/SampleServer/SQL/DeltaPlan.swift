// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The form of the values of a field. It has no references, because it is copied for each value.
struct FieldForm {
    /// The type of the field.
    let type: DataType
    /// The type in the delta.
    let sent: DataType
    let dates: ServedField.DateStorage
    /// Whether the database assigns the value of a new row.
    let isAutomatic: Bool
}

/// A delta with the table and the fields that it changes.
struct DeltaPlan {
    let delta: Delta
    let table: ServedTable
    /// The fields of the table, in the order of the delta.
    let fields: [ServedField]
    /// The forms of their values.
    let forms: [FieldForm]
    /// For each field the lists of `AssignedKeys` whose keys it may contain. The last one is its own.
    let sources: [[Int]]
    /// The fields that identify a row, by index: the key, or all that can be compared.
    let keys: [Int]
    /// The fields by which the row of an update or a delete is found.
    let searched: [Int]
    /// Whether `keys` are those of the table or the delta.
    let hasKey: Bool

    /// - Throws: `QueryError` for an unknown table or field, and for a table that clients may not change.
    init(
        _ delta: Delta,
        _ schema: ServedSchema,
        _ search: RowSearch,
        _ assigned: inout AssignedKeys
    ) throws(QueryError) {
        let table = try schema.existingTable(delta.name)
        guard !table.isReadOnly else { throw QueryError("the table '\(table.name)' is read-only") }
        var fields: [ServedField] = []
        for column in delta.fields { fields.append(try table.existingField(column.name)) }
        self.delta = delta
        self.table = table
        self.fields = fields
        forms = zip(fields, delta.fields).map { field, column in
            FieldForm(type: field.type, sent: column.type, dates: field.dates, isAutomatic: field.isAutomatic)
        }
        sources = fields.map { field in
            let masters = schema.relationships.filter {
                $0.detail.isSame(as: table.name) && $0.detailField.isSame(as: field.name)
            }
            return masters.map { assigned.list(of: $0.master, $0.masterField) }
                + [assigned.list(of: table.name, field.name)]
        }
        let named = fields.indices.filter { index in
            delta.keys.contains { $0.isSame(as: fields[index].name) } || fields[index].isInPrimaryKey
        }
        hasKey = !named.isEmpty
        // Databases do not compare the others well.
        let comparable = fields.indices.filter { ![.unknown, .memo, .blob, .wideMemo, .xml].contains(fields[$0].type) }
        keys = hasKey ? named : comparable
        searched = search == .key ? keys : Set(keys + comparable).sorted()
    }
}

/// The keys that the database has assigned in a call: a list for each field, by temporary key.
struct AssignedKeys {
    private var lists: [[Int64: Int64]] = []
    private var places: [[String]: Int] = [:]

    /// Returns the number of the list of a field.
    mutating func list(of table: String, _ field: String) -> Int {
        let name = [table.lowercased(), field.lowercased()]
        if let place = places[name] { return place }
        lists.append([:])
        places[name] = lists.count - 1
        return lists.count - 1
    }

    mutating func add(_ key: Int64, for temporary: Int64, to list: Int) { lists[list][temporary] = key }

    /// Finds the key in the first of some lists that has one.
    func key(for temporary: Int64, in lists: [Int]) -> Int64? {
        for list in lists {
            if let key = self.lists[list][temporary] { return key }
        }
        return nil
    }
}
