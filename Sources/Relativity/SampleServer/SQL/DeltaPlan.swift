// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// A delta with the table and the fields that it changes.
struct DeltaPlan {
    let delta: Delta
    let table: ServedTable
    /// The fields of the table, in the order of the delta.
    let fields: [ServedField]
    /// For each field the keys, by table and name in lower case, whose assigned values it may contain.
    let sources: [[[String]]]
    /// The fields that identify a row, by index: the key, or all that can be compared.
    let keys: [Int]
    /// The fields by which the row of an update or a delete is found.
    let searched: [Int]
    /// Whether `keys` are those of the table or the delta.
    let hasKey: Bool

    /// - Throws: `QueryError` for an unknown table or field, and for a table that clients may not change.
    init(_ delta: Delta, _ schema: ServedSchema, _ search: RowSearch) throws(QueryError) {
        let table = try schema.existingTable(delta.name)
        guard !table.isReadOnly else { throw QueryError("the table '\(table.name)' is read-only") }
        var fields: [ServedField] = []
        for column in delta.fields { fields.append(try table.existingField(column.name)) }
        self.delta = delta
        self.table = table
        self.fields = fields
        sources = fields.map { field in
            let masters = schema.relationships.filter {
                $0.detail.isSame(as: table.name) && $0.detailField.isSame(as: field.name)
            }
            return masters.map { [$0.master.lowercased(), $0.masterField.lowercased()] }
                + [[table.name.lowercased(), field.name.lowercased()]]
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

    /// Whether the database guarantees that no two rows have equal values in `keys`.
    func identifiesRow(in database: borrowing SQLiteDatabase) throws -> Bool {
        let columns = try database.rows(
            #"SELECT name, "notnull", type FROM pragma_table_info(?) WHERE pk > 0"#,
            [.text(table.source)]
        ) { (name: try $0.text(0) ?? "", isRequired: try $0.integer(1) == 1, type: try $0.text(2)?.uppercased()) }
        let isRowID = columns.count == 1 && columns.first?.type == "INTEGER"
        return !columns.isEmpty
            && columns.allSatisfy { column in
                (column.isRequired || isRowID) && keys.contains { fields[$0].column.isSame(as: column.name) }
            }
    }

    func stored(_ value: DataValue, _ index: Int) throws(QueryError) -> SQLiteValue {
        guard let stored = FieldCodec.stored(value, in: fields[index]) else {
            throw QueryError("a value of '\(fields[index].name)' cannot be stored")
        }
        return stored
    }
}

/// The statements of a delta. Each is compiled once.
final class DeltaStatements {
    private struct Key: Hashable {
        let verb: String
        let columns: [Int]
    }

    private final class Prepared {
        var statement: SQLiteStatement

        init(_ statement: consuming SQLiteStatement) {
            self.statement = statement
        }
    }

    let plan: DeltaPlan
    private var prepared: [Key: Prepared] = [:]

    init(_ plan: DeltaPlan) {
        self.plan = plan
    }

    /// Inserts a row.
    ///
    /// - Parameter columns: the fields to set, by index.
    /// - Returns: the row as stored. A value that the delta cannot contain is nil.
    func insert(
        _ columns: [Int],
        _ values: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [[DataValue?]] {
        let statement = try statement(Key(verb: "INSERT", columns: columns), database) { text throws(QueryError) in
            try checkWritable(columns)
            text.append("INSERT INTO ")
            text.append(name: plan.table.source)
            if columns.isEmpty {
                text.append(" DEFAULT VALUES")
            } else {
                text.append(" (")
                text.append(columns.map { .name(plan.fields[$0].column) }, separator: ", ")
                text.append(") VALUES (")
                text.append(columns.map { _ in .value(.null) }, separator: ", ")
                text.append(")")
            }
            appendReturning(&text)
        }
        return try rows(statement, try stored(columns, values))
    }

    /// Updates the rows with the old values in the fields by which rows are found.
    ///
    /// - Parameter columns: the fields to set, by index.
    /// - Returns: the rows as stored.
    func update(
        _ columns: [Int],
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [[DataValue?]] {
        let statement = try statement(Key(verb: "UPDATE", columns: columns), database) { text throws(QueryError) in
            try checkWritable(columns)
            text.append("UPDATE ")
            text.append(name: plan.table.source)
            text.append(" SET ")
            for (place, index) in columns.enumerated() {
                if place > 0 { text.append(", ") }
                text.append(name: plan.fields[index].column)
                text.append(" = ?")
            }
            try appendCondition(plan.searched, &text)
            appendReturning(&text)
        }
        return try rows(statement, try stored(columns, new) + stored(plan.searched, old))
    }

    /// Deletes the rows with these values in the fields by which rows are found.
    ///
    /// - Returns: their number.
    func delete(_ values: [DataValue], _ database: borrowing SQLiteDatabase) throws -> Int {
        let statement = try statement(Key(verb: "DELETE", columns: []), database) { text throws(QueryError) in
            text.append("DELETE FROM ")
            text.append(name: plan.table.source)
            try appendCondition(plan.searched, &text)
        }
        try statement.statement.bind(try stored(plan.searched, values))
        return try statement.statement.run()
    }

    /// Reads rows.
    ///
    /// - Parameter isSearched: finds the rows as those of an update; otherwise by their key.
    func rows(
        _ values: [DataValue],
        isSearched: Bool,
        _ database: borrowing SQLiteDatabase
    ) throws -> [[DataValue?]] {
        let columns = isSearched ? plan.searched : plan.keys
        let statement = try statement(Key(verb: "SELECT", columns: columns), database) { text throws(QueryError) in
            text.append("SELECT ")
            text.append(plan.fields.map { .name($0.column) }, separator: ", ")
            text.append(" FROM ")
            text.append(name: plan.table.source)
            try appendCondition(columns, &text)
        }
        return try rows(statement, try stored(columns, values))
    }

    private func rows(_ prepared: Prepared, _ values: [SQLiteValue]) throws -> [[DataValue?]] {
        try prepared.statement.bind(values)
        var rows: [[DataValue?]] = []
        while try prepared.statement.step() {
            var row: [DataValue?] = []
            row.reserveCapacity(plan.fields.count)
            for (index, field) in plan.fields.enumerated() {
                let type = plan.delta.fields[index].type
                row.append(FieldCodec.value(try prepared.statement.value(index), as: type, dates: field.dates))
            }
            rows.append(row)
        }
        return rows
    }

    private func statement(
        _ key: Key,
        _ database: borrowing SQLiteDatabase,
        _ write: (inout SQLText) throws(QueryError) -> Void
    ) throws -> Prepared {
        if let known = prepared[key] { return known }
        var text = SQLText()
        try write(&text)
        let made = Prepared(try database.prepare(text.text))
        prepared[key] = made
        return made
    }

    private func appendCondition(_ columns: [Int], _ text: inout SQLText) throws(QueryError) {
        guard !columns.isEmpty else { throw QueryError("the delta of '\(plan.table.name)' has no key") }
        text.append(" WHERE ")
        for (place, index) in columns.enumerated() {
            if place > 0 { text.append(" AND ") }
            text.append(name: plan.fields[index].column)
            text.append(" IS ?")
        }
    }

    private func appendReturning(_ text: inout SQLText) {
        text.append(" RETURNING ")
        text.append(plan.fields.map { .name($0.column) }, separator: ", ")
    }

    private func checkWritable(_ columns: [Int]) throws(QueryError) {
        if let field = columns.map({ plan.fields[$0] }).first(where: \.isReadOnly) {
            throw QueryError("the field '\(field.name)' is read-only")
        }
    }

    private func stored(_ columns: [Int], _ values: [DataValue]) throws(QueryError) -> [SQLiteValue] {
        try columns.map { index throws(QueryError) in try plan.stored(values[index], index) }
    }
}
