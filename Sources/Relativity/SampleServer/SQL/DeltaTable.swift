// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The table of a delta in the database, with its statements, each compiled once.
final class DeltaTable {
    private final class Prepared {
        var statement: SQLiteStatement

        init(_ statement: consuming SQLiteStatement) {
            self.statement = statement
        }
    }

    /// The name of the table for clients.
    let name: String
    /// For each field the names of the fields whose keys it may contain, in lower case: the masters' and its own, which
    /// is the last one.
    let origins: [[[String]]]
    /// The field whose value the database assigns.
    let automatic: Int?
    /// The fields that identify a row, by index: those of the table or the delta, or all that can be compared.
    let keys: [Int]
    /// Whether `keys` are those of the table or the delta.
    let hasKey: Bool
    /// The fields of the table, in the order of the delta.
    private let fields: [ServedField]
    /// Their types in the delta.
    private let types: [DataType]
    /// The fields by which the row of an update or a delete is found.
    private let searched: [Int]
    /// The table in the database.
    private let table: String
    /// Its name in a statement.
    private let source: String
    private let names: [String]
    private var prepared: [StatementKey: Prepared] = [:]
    /// Whether the database keeps two rows with equal values, none of them NULL, in `searched` apart; nil if it was not
    /// asked.
    private var isUnique: Bool?

    /// What a statement does. Its text follows from this, and is made once.
    private struct StatementKey: Hashable {
        enum Verb { case insert, update, delete, read, savepoint, release }

        let verb: Verb
        /// The fields that it sets, or those by which it reads.
        var columns: [Int] = []
    }

    /// - Throws: `QueryError` for an unknown table or field, and for a table that clients may not change.
    init(_ delta: Delta, _ schema: ServedSchema, _ search: RowSearch) throws(QueryError) {
        let table = try schema.existingTable(delta.name)
        guard !table.isReadOnly else { throw QueryError("the table '\(table.name)' is read-only") }
        var fields: [ServedField] = []
        for column in delta.fields { fields.append(try table.existingField(column.name)) }
        self.fields = fields
        name = table.name
        types = delta.fields.map(\.type)
        self.table = table.source
        source = SQLText.quoted(table.source)
        names = fields.map { SQLText.quoted($0.column) }
        automatic = fields.firstIndex(where: \.isAutomatic)
        origins = fields.map { field in
            let masters = schema.relationships.filter { $0.detail.isSame(as: table.name) }.flatMap { reference in
                reference.fields.filter { $0.detail.isSame(as: field.name) }.map { [reference.master, $0.master] }
            }
            return (masters + [[table.name, field.name]]).map { $0.map { $0.lowercased() } }
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

    /// Inserts a row.
    ///
    /// - Returns: the row as stored, one for each row of the statement. A value that the delta cannot contain is nil.
    func insert(_ values: [DataValue], _ database: borrowing SQLiteDatabase) throws -> [[DataValue?]] {
        let columns = fields.indices.filter { index in
            // A negative key is a temporary one of the client.
            if fields[index].isAutomatic, case .integer(..<0) = values[index] { return false }
            // The database may have a default value.
            return !values[index].isNull
        }
        try checkWritable(columns)
        return try rows(StatementKey(verb: .insert, columns: columns), [(columns, values)], database) {
            let content =
                columns.isEmpty
                ? "DEFAULT VALUES"
                : "(\(list(columns))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
            return "INSERT INTO \(source) \(content)\(returning)"
        }
    }

    /// Updates the rows with the old values in the fields by which rows are found.
    ///
    /// - Parameter columns: the fields to set, by index; none only finds the rows.
    /// - Returns: the rows as stored.
    func update(
        _ columns: [Int],
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [[DataValue?]] {
        guard !columns.isEmpty else { return try read(by: searched, old, database) }
        try checkWritable(columns)
        let key = StatementKey(verb: .update, columns: columns)
        return try rows(key, [(columns, new), (searched, old)], database) {
            "UPDATE \(source) SET \(list(columns, " = ?"))\(try condition(searched))\(returning)"
        }
    }

    /// Deletes the rows with these values in the fields by which rows are found.
    ///
    /// - Returns: the rows as they were.
    func delete(_ values: [DataValue], _ database: borrowing SQLiteDatabase) throws -> [[DataValue?]] {
        try rows(StatementKey(verb: .delete), [(searched, values)], database) {
            "DELETE FROM \(source)\(try condition(searched))\(returning)"
        }
    }

    /// Reads the rows with these values in some fields.
    func read(
        by columns: [Int],
        _ values: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [[DataValue?]] {
        try rows(StatementKey(verb: .read, columns: columns), [(columns, values)], database) {
            "SELECT \(list(fields.indices)) FROM \(source)\(try condition(columns))"
        }
    }

    /// Whether the change may concern more than one row.
    func mayMatchMany(_ change: DeltaChange, _ database: borrowing SQLiteDatabase) throws -> Bool {
        guard change.kind != .insert else { return false }
        let old = change.old.values
        guard !searched.contains(where: { old[$0].isNull }) else { return true }
        if let isUnique { return !isUnique }
        // The names of the columns are compared as SQLite does.
        let columns = searched.map { _ in "?" }.joined(separator: ", ")
        let found = try database.rows(
            """
            WITH unique_columns(key, name) AS (
                SELECT '', name FROM pragma_table_info(?1) WHERE pk > 0
                UNION ALL
                SELECT list.name, info.name FROM pragma_index_list(?1) list, pragma_index_info(list.name) info
                WHERE list."unique" AND NOT list.partial
            )
            SELECT 1 FROM unique_columns GROUP BY key HAVING min(ifnull(name COLLATE NOCASE IN (\(columns)), 0)) LIMIT 1
            """,
            [.text(table)] + searched.map { .text(fields[$0].column) }
        ) { _ in true }
        isUnique = !found.isEmpty
        return found.isEmpty
    }

    /// Begins a change that can be undone (`ROLLBACK TO change`).
    func beginChange(_ database: borrowing SQLiteDatabase) throws {
        _ = try rows(StatementKey(verb: .savepoint), [], database) { "SAVEPOINT change" }
    }

    /// Keeps the change that was begun last.
    func keepChange(_ database: borrowing SQLiteDatabase) throws {
        _ = try rows(StatementKey(verb: .release), [], database) { "RELEASE change" }
    }

    private var returning: String { " RETURNING \(list(fields.indices))" }

    private func list(_ columns: some Sequence<Int>, _ end: String = "", separator: String = ", ") -> String {
        columns.map { names[$0] + end }.joined(separator: separator)
    }

    private func condition(_ columns: [Int]) throws(QueryError) -> String {
        guard !columns.isEmpty else { throw QueryError("the delta of '\(name)' has no key") }
        return " WHERE " + list(columns, " IS ?", separator: " AND ")
    }

    private func checkWritable(_ columns: [Int]) throws(QueryError) {
        if let field = columns.map({ fields[$0] }).first(where: \.isReadOnly) {
            throw QueryError("the field '\(field.name)' is read-only")
        }
    }

    /// Runs a statement whose columns are the fields.
    private func rows(
        _ key: StatementKey,
        _ parameters: [(columns: [Int], values: [DataValue])],
        _ database: borrowing SQLiteDatabase,
        text: () throws -> String
    ) throws -> [[DataValue?]] {
        let prepared: Prepared
        if let known = self.prepared[key] {
            prepared = known
        } else {
            prepared = Prepared(try database.prepare(try text()))
            self.prepared[key] = prepared
        }
        var place = 0
        for (columns, values) in parameters {
            for index in columns {
                guard let stored = FieldCodec.stored(values[index], in: fields[index]) else {
                    throw QueryError("a value of '\(fields[index].name)' cannot be stored")
                }
                try prepared.statement.bind(stored, at: place)
                place += 1
            }
        }
        var rows: [[DataValue?]] = []
        while try prepared.statement.step() {
            rows.append(
                try fields.indices.map { index in
                    let stored = try prepared.statement.value(index)
                    return FieldCodec.value(stored, as: types[index], dates: fields[index].dates)
                }
            )
        }
        return rows
    }
}
