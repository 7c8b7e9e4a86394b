// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import JSON
import LocalAPI
import NIOCore
import Platform
import Remoting
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

extension DataAPI.Change {
    init(_ row: PendingRow, _ outcome: RowOutcome) {
        let (old, new) = (row.fields.compactMap(\.before), row.fields.compactMap(\.after))
        self.init(
            table: row.row.table,
            row: row.row.row.number,
            action: row.state == .inserted ? .insert : row.state == .removed ? .delete : .update,
            key: JSONObject(row.key.map { ($0.name, $0.value.json(as: $0.type, numbersAsText: true)) }),
            old: row.state == .inserted ? nil : JSONObject(old),
            new: row.state == .removed ? nil : JSONObject(new),
            outcome: .pending
        )
        switch outcome {
        case .accepted: self.outcome = .accepted
        case .rejected(let text):
            self.outcome = .rejected
            reason = text
        case .conflict(let conflict):
            self.outcome = .conflict
            show(conflict)
        case .unknown: self.outcome = .unknown
        case .pending: break
        }
    }

    /// Adds the values of both sides.
    mutating func show(_ conflict: EditConflict) {
        switch conflict.kind {
        case .changed: self.conflict = "changed"
        case .missing: self.conflict = "missing"
        case .keyTaken: self.conflict = "keyTaken"
        }
        func values(_ value: (EditConflict.Field) -> DataValue?) -> JSONObject {
            JSONObject(
                conflict.fields.compactMap { field in
                    value(field).map { (field.name, $0.json(as: field.type, numbersAsText: true)) }
                }
            )
        }
        base = values(\.old)
        theirs = conflict.kind == .missing ? nil : values(\.theirs)
    }
}

extension PendingRow.Field {
    fileprivate var before: (String, JSONValue)? { old.map { (name, $0.json(as: type, numbersAsText: true)) } }
    fileprivate var after: (String, JSONValue)? { new.map { (name, $0.json(as: type, numbersAsText: true)) } }
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
    init(_ failure: ApplyFailure) {
        let text =
            switch failure {
            case .refused(let text), .notSent(let text), .unknownOutcome(let text), .unreadable(let text): text
            case .tooLong: "the changes exceed the size of a call"
            case .notSaved(let error): "\(error)"
            }
        self.init(kind: failure.code, message: "\(Printable(text))")
    }
}

extension DataError {
    /// - Parameter edit: the index of the edit in the call.
    init(_ error: TableEditError, edit: Int) {
        var field: String?
        let (reason, table, text): (String, String, String)
        switch error {
        case .notAKey(let name, _, let fields):
            (reason, table, text) = ("notAKey", name, "the key has the fields \(fields.joined(separator: ", "))")
        case .noRow(let name, _): (reason, table, text) = ("noRow", name, "no row has this key")
        case .invalidValue(let name, let wrong, let type, _):
            field = wrong
            let sentence = "the value of \(wrong) is no \(type.shortName): expected \(type.textForm)"
            (reason, table, text) = ("invalidValue", name, sentence)
        case .repeatedField(let name, let twice):
            field = twice
            (reason, table, text) = ("repeatedField", name, "\(twice) has two values")
        case .temporaryKey(let name, let wrong):
            field = wrong
            (reason, table, text) = ("invalidValue", name, "the server replaces negative values of \(wrong)")
        case .tooManyRows(let name, let found, let limit):
            (reason, table, text) = ("tooManyRows", name, "\(found) rows, more than the limit of \(limit)")
        case .tooManyBytes(let name, let limit):
            (reason, table, text) = ("tooManyBytes", name, "the rows have more than \(limit) bytes")
        case .notExpected(let name, _, let values):
            field = values.first?.field
            let names = values.map(\.field).joined(separator: ", ")
            (reason, table, text) = ("notExpected", name, "the row has other values in \(names)")
        case .refused(let name, let inner):
            (reason, field) = Self.reason(of: inner)
            (table, text) = (name, "\(inner)")
        }
        self = .editRefused(
            message: "edit \(edit) of \(Printable(table)) refused: \(Printable(text))",
            edit: Int64(edit),
            reason: reason,
            table: table,
            field: field
        )
    }

    private static func reason(of error: EditError) -> (reason: String, field: String?) {
        switch error {
        case .unknownField(let field): ("unknownField", field.name)
        case .ambiguousField(let field): ("ambiguousField", field)
        case .unknownRow: ("noRow", nil)
        case .unfit(let field, _): ("invalidValue", field)
        case .tooLong(let field, _, _): ("tooLong", field)
        case .unmappable(let field, _): ("unmappable", field)
        case .unreadable(let cell): ("unreadable", cell.field)
        case .required(let field): ("required", field)
        case .readOnly(let field): ("readOnly", field)
        case .readOnlyTable: ("readOnly", nil)
        case .duplicateKey: ("duplicateKey", nil)
        case .noKey: ("noKey", nil)
        case .keyUnknown: ("keyUnknown", nil)
        case .notEditing: ("notEditing", nil)
        case .otherColumns: ("otherColumns", nil)
        case .unknownTable: ("unknownTable", nil)
        case .duplicateTable: ("duplicateTable", nil)
        case .inFlight: ("inFlight", nil)
        }
    }
}
