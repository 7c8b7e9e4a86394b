// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The treatment of a change that fails.
package enum UpdateRule: String, Hashable, Sendable, CaseIterable {
    /// It is reported as failed with a message, and the other changes are kept.
    case each
    /// The call fails, and no change is kept.
    case all
}

/// Applies deltas to a database, in the order of the schema's update rules, or of the stream if there are none.
struct DeltaRunner {
    private let schema: ServedSchema
    private let rule: UpdateRule
    /// The keys that the database has assigned, by table and field in lower case, then by temporary key.
    private var assigned: [[String]: [Int64: Int64]] = [:]

    init(schema: ServedSchema, rule: UpdateRule) {
        self.schema = schema
        self.rule = rule
    }

    /// Applies all deltas in one transaction.
    ///
    /// - Returns: the same deltas, with a state and the stored values for each change.
    /// - Throws: `QueryError` if a delta names no table or field that clients may change; `SQLiteError`, `TableError`.
    mutating func apply(_ stream: DeltaStream, _ database: borrowing SQLiteDatabase) throws -> DeltaStream {
        let parts = try UpdateOrder(schema.updateRules, stream)
        let plans = try parts.deltas.map { delta throws(QueryError) in try DeltaPlan(delta, schema) }
        return try database.transaction { database in
            try parts.reply(plans.map { try apply($0, database) })
        }
    }

    private mutating func apply(_ plan: DeltaPlan, _ database: borrowing SQLiteDatabase) throws -> Delta {
        let delta = plan.delta
        var result = Delta(name: plan.table.name, fields: delta.fields, keys: delta.keys, isReduced: delta.isReduced)
        for change in delta.changes {
            let (old, new) = (Array(change.old), Array(change.new))
            var stored = new
            var status = DeltaChange.Status.resolved
            var message = ""
            do {
                try database.execute("SAVEPOINT change")
                stored = try apply(change.kind, plan, old, new, database)
                try database.execute("RELEASE change")
            } catch {
                // Some errors end the transaction; then nothing can be kept.
                guard rule == .each, database.isInTransaction else { throw error }
                try database.execute("ROLLBACK TO change")
                try database.execute("RELEASE change")
                status = .failed
                message = Self.message(of: error)
            }
            try result.append(
                change.kind,
                recordID: change.recordID,
                old: old,
                new: status == .failed ? new : stored,
                status: status,
                message: message
            )
        }
        return result
    }

    /// - Returns: the new values of the change, as stored.
    private mutating func apply(
        _ kind: DeltaChange.Kind,
        _ plan: DeltaPlan,
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        let (known, wanted) = (real(old, plan), real(new, plan))
        switch kind {
        case .insert: return try insert(plan, temporary: new, wanted, database)
        case .update: return try update(plan, known, wanted, database)
        case .delete:
            var text = SQLText("DELETE FROM ")
            text.append(name: plan.table.source)
            text.append(try plan.condition(known))
            try Self.changeOne(text, database)
            return new
        }
    }

    private mutating func insert(
        _ plan: DeltaPlan,
        temporary: [DataValue],
        _ values: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        var columns: [SQLText] = []
        var stored: [SQLText] = []
        var automatic: Int?
        for (index, field) in plan.fields.enumerated() {
            if field.isAutomatic {
                automatic = index
                // A negative key is a temporary one of the client.
                guard case .integer(let key) = values[index], key >= 0 else { continue }
            }
            // The database may have a default value.
            guard !values[index].isNull else { continue }
            guard !field.isReadOnly else { throw QueryError("the field '\(field.name)' is read-only") }
            columns.append(.name(field.column))
            stored.append(.value(try plan.stored(values[index], index)))
        }
        var text = SQLText("INSERT INTO ")
        text.append(name: plan.table.source)
        if columns.isEmpty {
            text.append(" DEFAULT VALUES")
        } else {
            text.append(" (")
            text.append(columns, separator: ", ")
            text.append(") VALUES (")
            text.append(stored, separator: ", ")
            text.append(")")
        }
        try Self.changeOne(text, database)
        var result = values
        if let automatic {
            let key = database.lastInsertedRowID
            if case .integer(let old) = temporary[automatic], old != key {
                let field = plan.fields[automatic].name
                assigned[[plan.table.name.lowercased(), field.lowercased()], default: [:]][old] = key
            }
            result[automatic] = .integer(key)
        }
        return try read(plan, result, database)
    }

    private func update(
        _ plan: DeltaPlan,
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        let changed = plan.fields.indices.filter { old[$0] != new[$0] }
        guard !changed.isEmpty else {
            guard try !plan.rows(old, database).isEmpty else { throw Self.missing }
            return new
        }
        var text = SQLText("UPDATE ")
        text.append(name: plan.table.source)
        text.append(" SET ")
        for (place, index) in changed.enumerated() {
            let field = plan.fields[index]
            guard !field.isReadOnly else { throw QueryError("the field '\(field.name)' is read-only") }
            if place > 0 { text.append(", ") }
            text.append(name: field.column)
            text.append(" = ")
            text.append(value: try plan.stored(new[index], index))
        }
        text.append(try plan.condition(old))
        try Self.changeOne(text, database)
        return try read(plan, new, database)
    }

    /// Reads a row again, because the database may have changed values.
    private func read(
        _ plan: DeltaPlan,
        _ values: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        guard plan.hasKey, let row = try plan.rows(values, database).first else { return values }
        return zip(row, values).map { $0 ?? $1 }
    }

    /// Returns the values with assigned keys instead of temporary ones.
    private func real(_ values: [DataValue], _ plan: DeltaPlan) -> [DataValue] {
        guard !assigned.isEmpty else { return values }
        return plan.fields.indices.map { index in
            guard case .integer(let number) = values[index] else { return values[index] }
            for key in plan.sources[index] {
                if let key = assigned[key]?[number] { return .integer(key) }
            }
            return values[index]
        }
    }

    private static func changeOne(_ text: SQLText, _ database: borrowing SQLiteDatabase) throws {
        let count = try database.run(text.text, text.values)
        guard count > 0 else { throw missing }
        guard count == 1 else { throw QueryError("the key of the change identifies \(count) rows") }
    }

    private static let missing = QueryError("the row does not exist; another client may have changed or deleted it")

    private static func message(of error: any Error) -> String {
        switch error {
        case let error as QueryError: error.message
        case let error as SQLiteError: error.message
        default: "\(error)"
        }
    }
}

/// A delta with the table and the fields that it changes.
struct DeltaPlan {
    let delta: Delta
    let table: ServedTable
    /// The fields of the table, in the order of the delta.
    let fields: [ServedField]
    /// For each field the keys, by table and name in lower case, whose assigned values it may contain.
    let sources: [[[String]]]
    /// The indices of the fields that identify a row.
    private let keys: [Int]
    /// Whether the keys are those of the table, so that they identify one row.
    let hasKey: Bool

    /// - Throws: `QueryError` for an unknown table or field, and for a table that clients may not change.
    init(_ delta: Delta, _ schema: ServedSchema) throws(QueryError) {
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
        // Without a key all values identify the row, except those that a database does not compare well.
        keys =
            hasKey
            ? named
            : fields.indices.filter { ![.unknown, .memo, .blob, .wideMemo, .xml].contains(fields[$0].type) }
    }

    /// Returns the condition for the row with these values.
    func condition(_ values: [DataValue]) throws(QueryError) -> SQLText {
        var text = SQLText(" WHERE ")
        guard !keys.isEmpty else { throw QueryError("the delta of '\(table.name)' has no key") }
        for (place, index) in keys.enumerated() {
            if place > 0 { text.append(" AND ") }
            text.append(name: fields[index].column)
            text.append(" IS ")
            text.append(value: try stored(values[index], index))
        }
        return text
    }

    /// Reads the fields of the rows with the key of these values. A value that the delta cannot contain is nil.
    func rows(_ values: [DataValue], _ database: borrowing SQLiteDatabase) throws -> [[DataValue?]] {
        var text = SQLText("SELECT ")
        text.append(fields.map { .name($0.column) }, separator: ", ")
        text.append(" FROM ")
        text.append(name: table.source)
        text.append(try condition(values))
        return try database.rows(text.text, text.values) { row in
            try fields.indices.map { index in
                FieldCodec.value(try row.value(index), as: delta.fields[index].type, dates: fields[index].dates)
            }
        }
    }

    func stored(_ value: DataValue, _ index: Int) throws(QueryError) -> SQLiteValue {
        guard let stored = FieldCodec.stored(value, in: fields[index]) else {
            throw QueryError("a value of '\(fields[index].name)' cannot be stored")
        }
        return stored
    }
}
