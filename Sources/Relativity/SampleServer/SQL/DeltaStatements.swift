// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The statements of a delta. Each is compiled once.
final class DeltaStatements {
    private enum Verb {
        case insert, insertAndRead, update, updateSame, updateAndRead, delete, find, read
    }

    private struct Key: Hashable {
        let verb: Verb
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
    private var last: (key: Key, prepared: Prepared)?

    init(_ plan: DeltaPlan) {
        self.plan = plan
    }

    /// Inserts a row.
    ///
    /// - Parameters:
    ///   - columns: the fields to set, by index.
    ///   - isRead: whether the row is read.
    /// - Returns: the row as stored. A value that the delta cannot contain is nil.
    func insert(
        _ columns: [Int],
        _ values: [DataValue],
        isRead: Bool,
        _ database: borrowing SQLiteDatabase
    ) throws -> [[DataValue?]] {
        let key = Key(verb: isRead ? .insertAndRead : .insert, columns: columns)
        let statement = try statement(key, database) { text throws(QueryError) in
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
            if isRead { appendReturning(&text) }
        }
        try bind(columns, values, to: &statement.statement)
        return try rows(statement)
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
        let key = Key(verb: .updateAndRead, columns: columns)
        return try rows(try update(key, old, new, comparing: [], database))
    }

    /// Does the same, and does not read the rows.
    ///
    /// - Parameter others: fields whose old values must be those of the row, byte for byte. The same columns always have
    ///   the same ones, or none.
    /// - Returns: the number of rows.
    func updateOnly(
        _ columns: [Int],
        _ old: [DataValue],
        _ new: [DataValue],
        comparing others: [Int],
        _ database: borrowing SQLiteDatabase
    ) throws -> Int {
        let key = Key(verb: others.isEmpty ? .update : .updateSame, columns: columns)
        return try update(key, old, new, comparing: others, database).statement.run()
    }

    private func update(
        _ key: Key,
        _ old: [DataValue],
        _ new: [DataValue],
        comparing others: [Int],
        _ database: borrowing SQLiteDatabase
    ) throws -> Prepared {
        let columns = key.columns
        let statement = try statement(key, database) { text throws(QueryError) in
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
            for index in others {
                text.append(" AND ")
                text.append(name: plan.fields[index].column)
                text.append(" COLLATE BINARY IS ?")
            }
            if key.verb == .updateAndRead { appendReturning(&text) }
        }
        try bind(columns, new, to: &statement.statement)
        try bind(plan.searched, old, to: &statement.statement, after: columns.count)
        try bind(others, old, to: &statement.statement, after: columns.count + plan.searched.count)
        return statement
    }

    /// Deletes the rows with these values in the fields by which rows are found.
    ///
    /// - Returns: their number.
    func delete(_ values: [DataValue], _ database: borrowing SQLiteDatabase) throws -> Int {
        let statement = try statement(Key(verb: .delete, columns: []), database) { text throws(QueryError) in
            text.append("DELETE FROM ")
            text.append(name: plan.table.source)
            try appendCondition(plan.searched, &text)
        }
        try bind(plan.searched, values, to: &statement.statement)
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
        let key = Key(verb: isSearched ? .find : .read, columns: Array(plan.fields.indices))
        let statement = try select(key, by: columns, database)
        try bind(columns, values, to: &statement.statement)
        return try rows(statement)
    }

    /// Reads some fields of the row with the key of these values, and puts them into the values.
    ///
    /// - Parameter columns: the fields to read, by index.
    func refresh(_ columns: [Int], of values: inout [DataValue], _ database: borrowing SQLiteDatabase) throws {
        let statement = try select(Key(verb: .read, columns: columns), by: plan.keys, database)
        try bind(plan.keys, values, to: &statement.statement)
        guard try statement.statement.step() else { return }
        for (place, index) in columns.enumerated() {
            if let value = try value(index, at: place, of: statement) { values[index] = value }
        }
        statement.statement.reset()
    }

    private func select(
        _ key: Key,
        by condition: [Int],
        _ database: borrowing SQLiteDatabase
    ) throws -> Prepared {
        try statement(key, database) { text throws(QueryError) in
            text.append("SELECT ")
            text.append(key.columns.map { .name(plan.fields[$0].column) }, separator: ", ")
            text.append(" FROM ")
            text.append(name: plan.table.source)
            try appendCondition(condition, &text)
        }
    }

    private func rows(_ prepared: Prepared) throws -> [[DataValue?]] {
        var rows: [[DataValue?]] = []
        while try prepared.statement.step() {
            rows.append(try plan.fields.indices.map { try value($0, at: $0, of: prepared) })
        }
        return rows
    }

    private func value(_ index: Int, at place: Int, of prepared: Prepared) throws -> DataValue? {
        let form = plan.forms[index]
        return FieldCodec.value(try prepared.statement.value(place), as: form.sent, dates: form.dates)
    }

    private func statement(
        _ key: Key,
        _ database: borrowing SQLiteDatabase,
        _ write: (inout SQLText) throws(QueryError) -> Void
    ) throws -> Prepared {
        // Most changes are like the one before.
        if let last, last.key == key { return last.prepared }
        if let known = prepared[key] {
            last = (key, known)
            return known
        }
        var text = SQLText()
        try write(&text)
        let made = Prepared(try database.prepare(text.text))
        prepared[key] = made
        last = (key, made)
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

    private func bind(
        _ columns: [Int],
        _ values: [DataValue],
        to statement: inout SQLiteStatement,
        after first: Int = 0
    ) throws {
        for (place, index) in columns.enumerated() {
            let form = plan.forms[index]
            guard let stored = FieldCodec.stored(values[index], as: form.type, dates: form.dates) else {
                throw QueryError("a value of '\(plan.fields[index].name)' cannot be stored")
            }
            try statement.bind(stored, at: first + place)
        }
    }
}
