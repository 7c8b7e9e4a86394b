// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import LocalAPI
import NIOCore
import Varlink

extension TableEdit {
    /// Reads an edit of a call.
    ///
    /// - Parameter index: of the edit in the call, for errors.
    /// - Throws: `InvalidParameter` if members are missing or superfluous, or if a value is an array, an object or a
    ///   number with more than 15 digits; `PredicateError`.
    init(_ edit: DataAPI.Edit, index: Int) throws {
        func invalid(_ member: String) -> VarlinkError { .invalidParameter("edits[\(index)].\(member)") }
        func assignments(_ object: JSONObject?, _ member: String) throws -> [FieldAssignment] {
            try (object ?? [:]).map { name, value in
                guard let text = FieldText(value) else { throw invalid("\(member).\(name)") }
                return FieldAssignment(name, text)
            }
        }
        let values = try assignments(edit.values, "values")
        let change: Change
        if edit.action == .insert {
            guard edit.key == nil, edit.where == nil, edit.expected == nil else { throw invalid("action") }
            change = .insert(values)
        } else {
            let rows: EditedRows
            switch (edit.key, edit.where) {
            case (let key?, nil): rows = .keys([try assignments(key, "key")])
            case (nil, let text?): rows = .matching(try Expression(predicate: text))
            default: throw invalid("key")
            }
            guard values.isEmpty == (edit.action == .delete) else { throw invalid("values") }
            change = edit.action == .delete ? .delete(rows) : .update(rows, values)
        }
        self.init(edit.table, change)
        expected = try assignments(edit.expected, "expected")
    }
}

extension PendingRow {
    /// The bytes that its values take, about.
    var byteCount: Int {
        fields.reduce(64) { sum, field in sum + Self.byteCount(field.old) + Self.byteCount(field.new) }
    }

    private static func byteCount(_ value: DataValue?) -> Int {
        switch value {
        case .text(let text): 16 + text.utf8.count
        case .bytes(let bytes): 16 + bytes.readableBytes
        default: 16
        }
    }
}

extension JSONObject {
    /// Values of fields, with all their digits. Those that are nil are left out.
    init(values: [(name: String, type: DataType, value: DataValue?)]) {
        self.init(
            values.compactMap { field in
                field.value.map { (field.name, $0.json(as: field.type, numbersAsText: true)) }
            }
        )
    }
}

extension RowState {
    /// What the change does. An unchanged row has none.
    var action: DataAPI.EditAction {
        switch self {
        case .inserted: .insert
        case .removed: .delete
        case .updated, .unchanged: .update
        }
    }
}

extension RowOutcome {
    /// The word for programs.
    var word: DataAPI.Outcome {
        switch self {
        case .accepted: .accepted
        case .rejected: .rejected
        case .conflict: .conflict
        case .unknown: .unknown
        case .pending: .pending
        }
    }
}

extension DataAPI.Change {
    init(_ row: PendingRow, _ outcome: RowOutcome) {
        self.init(
            table: row.row.table,
            row: row.row.row.number,
            action: row.state.action,
            key: JSONObject(values: row.key.map { ($0.name, $0.type, $0.value) }),
            old: row.state == .inserted ? nil : JSONObject(values: row.fields.map { ($0.name, $0.type, $0.old) }),
            new: row.state == .removed ? nil : JSONObject(values: row.fields.map { ($0.name, $0.type, $0.new) }),
            outcome: outcome.word
        )
        if case .rejected(let text) = outcome { reason = text }
        if case .conflict(let conflict) = outcome { show(conflict) }
    }

    /// Adds the values of both sides.
    mutating func show(_ conflict: EditConflict) {
        self.conflict = "\(conflict.kind)"
        base = JSONObject(values: conflict.fields.map { ($0.name, $0.type, $0.old) })
        guard conflict.kind != .missing else { return }
        theirs = JSONObject(values: conflict.fields.map { ($0.name, $0.type, $0.theirs) })
    }
}

extension ChangeSet {
    /// The pending changes with what is known of their outcome.
    var records: [DataAPI.Change] {
        let undecided = Set(undecidedRows)
        return pendingRows.map { row in
            let outcome: RowOutcome =
                undecided.contains(row.row) ? .unknown : row.failure.map { .rejected($0) } ?? .pending
            return DataAPI.Change(row, outcome)
        }
    }

    /// The rows of a call, with the names of tables as the set spells them.
    ///
    /// - Throws: `InvalidParameter` for a row without a pending change.
    func rows(_ names: [DataAPI.ChangeName]) throws -> [ChangedRow] {
        let known = Set(changedRows)
        return try names.enumerated().map { index, name in
            let row = ChangedRow(table(name.table)?.name ?? name.table, RowID(name.row))
            guard known.contains(row) else { throw VarlinkError.invalidParameter("changes[\(index)]") }
            return row
        }
    }
}

extension DataAPI.ApplyNote {
    init(_ note: ApplyNote) {
        switch note {
        case .separateTransactions(_, let later): self.init(fact: "separateTransactions", tables: later)
        case .waitsForKey(let row, let master):
            self.init(fact: "waitsForKey", tables: [row.table, master], row: row.row.number)
        case .alreadyRemoved(let row): self.init(fact: "alreadyRemoved", tables: [row.table], row: row.row.number)
        case .keyUnknown(let row): self.init(fact: "keyUnknown", tables: [row.table], row: row.row.number)
        case .unknownRecord(let table, let record):
            self.init(fact: "unknownRecord", tables: [table], row: Int64(record))
        }
    }
}

extension DataAPI.ApplyFailure {
    init(_ failure: ApplyFailure) { self.init(kind: failure.code, message: failure.sentence) }
}
