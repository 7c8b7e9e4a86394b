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
    /// What became of a change.
    private struct Outcome {
        /// The values that the database has; nil if they are those that were sent.
        var new: [DataValue]?
        var status = DeltaChange.Status.resolved
        var message = ""
    }

    private let schema: ServedSchema
    private let rule: UpdateRule
    private let search: RowSearch
    /// The keys that the database has assigned in the call: for each field, by temporary key.
    private var assigned: [[String]: [Int64: Int64]] = [:]
    /// Whether triggers may change a row after it was returned.
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
        let deltas = stream.deltas
        let tables = try deltas.map { try DeltaTable($0, schema, search) }
        hasTriggers = try !database.rows("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' LIMIT 1") { _ in }.isEmpty
        return try database.transaction { database in
            let uncovered = Outcome(status: .failed, message: "no update rule of the schema covers the change")
            var outcomes = deltas.map { Array(repeating: uncovered, count: $0.changes.count) }
            for (delta, changes) in order(of: deltas) {
                for change in changes {
                    outcomes[delta][change] = try outcome(of: deltas[delta].changes[change], tables[delta], database)
                }
            }
            return DeltaStream(
                try deltas.indices.map { try Self.reply(to: deltas[$0], named: tables[$0].name, outcomes[$0]) }
            )
        }
    }

    /// Returns the deltas with the indices of their changes, in the order in which they are applied.
    private func order(of deltas: [Delta]) -> [(delta: Int, changes: [Int])] {
        let ruled = schema.updateRules.flatMap { rule in
            deltas.indices.filter { deltas[$0].name.isSame(as: rule.table) }.map { index in
                let changes = deltas[index].changes
                return (index, changes.indices.filter { rule.kinds.contains(changes[$0].kind) })
            }
        }
        let others = deltas.indices.filter { index in
            !schema.updateRules.contains { $0.table.isSame(as: deltas[index].name) }
        }
        return ruled + others.map { ($0, Array(deltas[$0].changes.indices)) }
    }

    private static func reply(to delta: Delta, named name: String, _ outcomes: [Outcome]) throws(TableError) -> Delta {
        var reply = Delta(name: name, fields: delta.fields, keys: delta.keys, isReduced: delta.isReduced)
        reply.reserveCapacity(delta.changes.count, byteCount: delta.byteCount)
        for (index, outcome) in outcomes.enumerated() {
            if let new = outcome.new {
                try reply.append(index, of: delta, new: new, status: outcome.status)
            } else {
                try reply.append(index, of: delta, status: outcome.status, message: outcome.message)
            }
        }
        return reply
    }

    private mutating func outcome(
        of change: DeltaChange,
        _ table: DeltaTable,
        _ database: borrowing SQLiteDatabase
    ) throws -> Outcome {
        // SQLite undoes a statement that fails, so only more statements and too many rows need a savepoint.
        let hasSavepoint = try rule == .each && (hasTriggers || table.mayMatchMany(change, database))
        if hasSavepoint { try table.beginChange(database) }
        do {
            let stored = try apply(change, table, database)
            if hasSavepoint { try table.keepChange(database) }
            return Outcome(new: stored)
        } catch {
            // Some errors end the transaction; then nothing can be kept.
            guard rule == .each, database.isInTransaction else { throw error }
            if hasSavepoint { try database.execute("ROLLBACK TO change; RELEASE change") }
            return Outcome(status: .failed, message: Self.message(of: error))
        }
    }

    /// - Returns: the new values as the database has them; nil if they are those that were sent.
    private mutating func apply(
        _ change: DeltaChange,
        _ table: DeltaTable,
        _ database: borrowing SQLiteDatabase
    ) throws -> [DataValue]? {
        let sent = change.new.values
        var values = real(sent, table)
        switch change.kind {
        case .insert:
            merge(try table.insert(values, database), into: &values)
            if let index = table.automatic, let own = table.origins[index].last,
                case .integer(let temporary) = sent[index], case .integer(let key) = values[index], key != temporary
            {
                assigned[own, default: [:]][temporary] = key
            }
        case .update:
            let old = real(change.old.values, table)
            let changed = values.indices.filter { values[$0] != old[$0] }
            let rows = try table.update(changed, old, values, database)
            guard !changed.isEmpty else {
                guard !rows.isEmpty else { throw Self.missing }
                return values == sent ? nil : values
            }
            try Self.checkOne(rows.count)
            merge(rows, into: &values)
        case .delete:
            try Self.checkOne(try table.delete(real(change.old.values, table), database).count)
            return nil
        }
        if hasTriggers, table.hasKey { merge(try table.read(by: table.keys, values, database), into: &values) }
        return values == sent ? nil : values
    }

    /// Puts the values of the first row into others, except those that a delta cannot contain.
    private func merge(_ rows: [[DataValue?]], into values: inout [DataValue]) {
        for (index, value) in (rows.first ?? []).enumerated() {
            if let value { values[index] = value }
        }
    }

    /// Returns the values with assigned keys instead of temporary ones.
    private func real(_ values: [DataValue], _ table: DeltaTable) -> [DataValue] {
        var real = values
        for (index, value) in values.enumerated() {
            guard case .integer(let number) = value, number < 0 else { continue }
            let key = table.origins[index].lazy.compactMap { assigned[$0]?[number] }.first
            if let key { real[index] = .integer(key) }
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
