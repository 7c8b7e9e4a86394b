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

/// How the row of an update or a delete is found.
package enum RowSearch: String, Hashable, Sendable, CaseIterable {
    /// By its key, so that a change of another client is overwritten.
    case key
    /// By all old values of the delta, so that a change fails if another client has changed the row. Texts without
    /// limit and blobs are not compared.
    case all
}

/// Applies deltas to a database, in the order of the schema's update rules, or of the stream if there are none.
struct DeltaRunner {
    private let schema: ServedSchema
    private let rule: UpdateRule
    private let search: RowSearch
    /// The keys that the database has assigned, by table and field in lower case, then by temporary key.
    private var assigned: [[String]: [Int64: Int64]] = [:]
    /// Whether triggers may change more than the row of a change, or leave a part of it after an error.
    private var hasTriggers = false

    init(schema: ServedSchema, rule: UpdateRule, search: RowSearch = .key) {
        self.schema = schema
        self.rule = rule
        self.search = search
    }

    /// Applies all deltas in one transaction.
    ///
    /// - Returns: the same deltas, with a state and the stored values for each change.
    /// - Throws: `QueryError` if a delta names no table or field that clients may change; `SQLiteError`, `TableError`.
    mutating func apply(_ stream: DeltaStream, _ database: borrowing SQLiteDatabase) throws -> DeltaStream {
        let parts = try UpdateOrder(schema.updateRules, stream)
        let plans = try parts.deltas.map { delta throws(QueryError) in try DeltaPlan(delta, schema, search) }
        hasTriggers = try !database.rows("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' LIMIT 1") { _ in }.isEmpty
        return try database.transaction { database in
            try parts.reply(plans.map { try apply($0, database) })
        }
    }

    private mutating func apply(_ plan: DeltaPlan, _ database: borrowing SQLiteDatabase) throws -> Delta {
        let delta = plan.delta
        let statements = DeltaStatements(plan)
        // SQLite undoes a statement that fails.
        let isUndoneAlone = try !hasTriggers && plan.identifiesRow(in: database)
        var result = Delta(name: plan.table.name, fields: delta.fields, keys: delta.keys, isReduced: delta.isReduced)
        for (index, change) in delta.changes.enumerated() {
            let new = change.new.values
            // Servers ignore the old values of an insert.
            let old = change.kind == .insert ? new : change.old.values
            var stored = new
            var status = DeltaChange.Status.resolved
            var message = ""
            do {
                if !isUndoneAlone { try database.execute("SAVEPOINT change") }
                stored = try apply(change.kind, statements, old, new, database)
                if !isUndoneAlone { try database.execute("RELEASE change") }
            } catch {
                // Some errors end the transaction; then nothing can be kept.
                guard rule == .each, database.isInTransaction else { throw error }
                if !isUndoneAlone {
                    try database.execute("ROLLBACK TO change")
                    try database.execute("RELEASE change")
                }
                status = .failed
                message = Self.message(of: error)
            }
            if status == .failed || stored == new {
                try result.append(index, of: delta, status: status, message: message)
            } else {
                try result.append(index, of: delta, new: stored, status: status)
            }
        }
        return result
    }

    /// - Returns: the new values of the change, as stored.
    private mutating func apply(
        _ kind: DeltaChange.Kind,
        _ statements: DeltaStatements,
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        let plan = statements.plan
        let (known, wanted) = (real(old, plan), real(new, plan))
        switch kind {
        case .insert: return try insert(statements, temporary: new, wanted, database)
        case .update: return try update(statements, known, wanted, database)
        case .delete:
            try Self.checkOne(try statements.delete(known, database))
            return new
        }
    }

    private mutating func insert(
        _ statements: DeltaStatements,
        temporary: [DataValue],
        _ values: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        let plan = statements.plan
        var columns: [Int] = []
        var automatic: Int?
        for (index, field) in plan.fields.enumerated() {
            if field.isAutomatic {
                automatic = index
                // A negative key is a temporary one of the client.
                guard case .integer(let key) = values[index], key >= 0 else { continue }
            }
            // The database may have a default value.
            if !values[index].isNull { columns.append(index) }
        }
        let rows = try statements.insert(columns, values, database)
        var result = values
        if let automatic {
            let key = database.lastInsertedRowID
            if case .integer(let old) = temporary[automatic], old != key {
                if let own = plan.sources[automatic].last { assigned[own, default: [:]][old] = key }
            }
            result[automatic] = .integer(key)
        }
        return try stored(result, rows, statements, database)
    }

    private func update(
        _ statements: DeltaStatements,
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        let changed = old.indices.filter { old[$0] != new[$0] }
        guard !changed.isEmpty else {
            guard try !statements.rows(old, isSearched: true, database).isEmpty else { throw Self.missing }
            return new
        }
        let rows = try statements.update(changed, old, new, database)
        try Self.checkOne(rows.count)
        return try stored(new, rows, statements, database)
    }

    /// Returns the values of a row as the database has them: defaults, generated columns, and what triggers changed.
    private func stored(
        _ values: [DataValue],
        _ changed: [[DataValue?]],
        _ statements: DeltaStatements,
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue] {
        guard statements.plan.hasKey else { return values }
        let rows = hasTriggers ? try statements.rows(values, isSearched: false, database) : changed
        return rows.first.map { row in zip(row, values).map { $0 ?? $1 } } ?? values
    }

    /// Returns the values with assigned keys instead of temporary ones.
    private func real(_ values: [DataValue], _ plan: DeltaPlan) -> [DataValue] {
        let hasTemporary = values.contains { if case .integer(let number) = $0 { number < 0 } else { false } }
        guard !assigned.isEmpty, hasTemporary else { return values }
        return plan.fields.indices.map { index in
            guard case .integer(let number) = values[index], number < 0 else { return values[index] }
            for key in plan.sources[index] {
                if let key = assigned[key]?[number] { return .integer(key) }
            }
            return values[index]
        }
    }

    private static func checkOne(_ count: Int) throws(QueryError) {
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
