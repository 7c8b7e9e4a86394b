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
    private var assigned = AssignedKeys()
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
        let plans = try parts.deltas.map { delta throws(QueryError) in
            try DeltaPlan(delta, schema, search, &assigned)
        }
        hasTriggers = try !database.rows("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' LIMIT 1") { _ in }.isEmpty
        return try database.transaction { database in
            try parts.reply(plans.map { try apply($0, database) })
        }
    }

    private mutating func apply(_ plan: DeltaPlan, _ database: borrowing SQLiteDatabase) throws -> Delta {
        let delta = plan.delta
        let statements = DeltaStatements(plan)
        let columns = try StoredColumns(of: plan, in: database)
        // SQLite undoes a statement that fails.
        let isUndoneAlone = !hasTriggers && columns.identifyRow
        // The stored values are known without reading the row.
        let known = isUndoneAlone && columns.keepValues ? columns : nil
        var result = Delta(name: plan.table.name, fields: delta.fields, keys: delta.keys, isReduced: delta.isReduced)
        result.reserveCapacity(delta.changes.count, byteCount: delta.byteCount)
        for (index, change) in delta.changes.enumerated() {
            let new = change.new.values
            // Servers ignore the old values of an insert.
            let old = change.kind == .insert ? new : change.old.values
            var stored = StoredRow.asSent
            var status = DeltaChange.Status.resolved
            var message = ""
            do {
                if !isUndoneAlone { try database.execute("SAVEPOINT change") }
                stored = try apply(change.kind, statements, known, old, new, database)
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
            switch stored {
            case .asSent: try result.append(index, of: delta, status: status, message: message)
            case .withKey(let key, let field):
                try result.append(index, of: delta, settingKey: field, to: key, status: status)
            case .values(let values): try result.append(index, of: delta, new: values, status: status)
            }
        }
        return result
    }

    /// The new values of a change as the database has them.
    private enum StoredRow {
        case asSent
        /// As sent, with a key instead of the one in a field.
        case withKey(Int64, Int)
        case values([DataValue])

        init(_ values: [DataValue], sent: [DataValue]) {
            self = values == sent ? .asSent : .values(values)
        }
    }

    /// - Parameters:
    ///   - known: what the database does with the values; nil if the row must be read.
    ///   - old: the values of the delta.
    private mutating func apply(
        _ kind: DeltaChange.Kind,
        _ statements: DeltaStatements,
        _ known: StoredColumns?,
        _ old: [DataValue],
        _ new: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> StoredRow {
        switch kind {
        case .insert: return try insert(statements, known, sent: new, database)
        case .update: return try update(statements, known, real(old, statements.plan), sent: new, database)
        case .delete:
            try Self.checkOne(try statements.delete(real(old, statements.plan), database))
            return .asSent
        }
    }

    private mutating func insert(
        _ statements: DeltaStatements,
        _ known: StoredColumns?,
        sent: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> StoredRow {
        let plan = statements.plan
        var values = real(sent, plan)
        var columns: [Int] = []
        var automatic: Int?
        var isKnown = known != nil
        for (index, form) in plan.forms.enumerated() {
            if form.isAutomatic {
                automatic = index
                // A negative key is a temporary one of the client.
                guard case .integer(let key) = values[index], key >= 0 else {
                    if known?.rowID != index { isKnown = false }
                    continue
                }
            }
            // The database may have a default value.
            if !values[index].isNull { columns.append(index) } else if known?.areMade[index] == true { isKnown = false }
        }
        let rows = try statements.insert(columns, values, isRead: !isKnown, database)
        guard let automatic else {
            return isKnown ? StoredRow(values, sent: sent) : try stored(values, sent, rows, statements, database)
        }
        let isGiven = isKnown && columns.contains(automatic)
        let key = database.lastInsertedRowID
        if !isGiven {
            if case .integer(let old) = sent[automatic], old != key {
                if let list = plan.sources[automatic].last { assigned.add(key, for: old, to: list) }
                if isKnown, values == sent { return .withKey(key, automatic) }
            }
            values[automatic] = .integer(key)
        }
        return isKnown ? StoredRow(values, sent: sent) : try stored(values, sent, rows, statements, database)
    }

    private func update(
        _ statements: DeltaStatements,
        _ known: StoredColumns?,
        _ old: [DataValue],
        sent: [DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> StoredRow {
        var new = real(sent, statements.plan)
        var changed: [Int] = []
        // Fields whose values another client may have changed, and those that must be read to know it.
        var (unsure, unread): ([Int], [Int]) = ([], [])
        for index in old.indices {
            if old[index] != new[index] {
                changed.append(index)
            } else if let known, known.areRead[index] {
                unread.append(index)
            } else if let known, !known.areCompared[index] {
                unsure.append(index)
            }
        }
        guard !changed.isEmpty else {
            guard try !statements.rows(old, isSearched: true, database).isEmpty else { throw Self.missing }
            return StoredRow(new, sent: sent)
        }
        guard known != nil else {
            let rows = try statements.update(changed, old, new, database)
            try Self.checkOne(rows.count)
            return try stored(new, sent, rows, statements, database)
        }
        // Usually they are unchanged. A comparison takes less time than reading them.
        let isSame =
            unsure.isEmpty ? false : try statements.updateOnly(changed, old, new, comparing: unsure, database) == 1
        if !isSame {
            try Self.checkOne(try statements.updateOnly(changed, old, new, comparing: [], database))
            unread += unsure
        }
        if !unread.isEmpty { try statements.refresh(unread, of: &new, database) }
        return StoredRow(new, sent: sent)
    }

    /// Returns the values of a row as the database has them: defaults, generated columns, and what triggers changed.
    private func stored(
        _ values: [DataValue],
        _ sent: [DataValue],
        _ changed: [[DataValue?]],
        _ statements: DeltaStatements,
        _ database: borrowing SQLiteDatabase
    ) throws -> StoredRow {
        guard statements.plan.hasKey else { return StoredRow(values, sent: sent) }
        let rows = hasTriggers ? try statements.rows(values, isSearched: false, database) : changed
        return StoredRow(rows.first.map { row in zip(row, values).map { $0 ?? $1 } } ?? values, sent: sent)
    }

    /// Returns the values with assigned keys instead of temporary ones.
    private func real(_ values: [DataValue], _ plan: DeltaPlan) -> [DataValue] {
        var real = values
        for (index, value) in values.enumerated() {
            guard case .integer(let number) = value, number < 0 else { continue }
            if let key = assigned.key(for: number, in: plan.sources[index]) { real[index] = .integer(key) }
        }
        return real
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
