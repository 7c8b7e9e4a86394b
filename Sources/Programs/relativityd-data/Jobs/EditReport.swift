// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import DataJobs
import Endpoints
import Glibc
import JSON
import NIOCore

/// The outcome of an edit, as it is printed.
struct EditReport {
    /// The most rows that are named one by one.
    private static let mostNamed = 10

    var changes: [EditResult.Row]
    var rowsFound: Int?
    var failure: ApplyFailure?
    /// The pending file; nil if there is none.
    var path: String?

    /// The sentence of `failure`.
    var failureSentence: String? {
        if case .notSaved(let error) = failure, let path { return JobFailure(error, path).message }
        return failure?.sentence
    }

    /// The object for `--json`.
    var json: JSONObject {
        var object: JSONObject = [
            "changes": .array(
                changes.map { row in
                    var object = row.change.json
                    row.outcome.write(to: &object)
                    return .object(object)
                }
            )
        ]
        object["rowsFound"] = rowsFound.map { .integer(Int64($0)) }
        if let failure, let failureSentence {
            object["failure"] = .object(["code": .string(failure.code), "message": .string(failureSentence)])
        }
        return object
    }

    /// The changes of rows that another client changed.
    var conflicts: Set<ChangedRow> {
        Set(changes.compactMap { row in if case .conflict = row.outcome { row.change.row } else { nil } })
    }

    /// A line for each accepted change, or for many of them their number.
    var lines: [String] {
        let accepted = changes.filter { $0.outcome == .accepted }.map(\.change)
        guard accepted.count > Self.mostNamed else {
            return accepted.isEmpty ? [] : accepted.map { "\($0.state.done) \($0.name)" }
        }
        return [RowState.inserted, .updated, .removed].compactMap { state in
            let count = accepted.count { $0.state == state }
            return count == 0 ? nil : "\(Counted(count, "row")) \(state.done)"
        }
    }

    /// A line for each change that was not accepted.
    var errors: [String] {
        changes.flatMap { row -> [String] in
            switch row.outcome {
            case .accepted: []
            case .rejected(let message): ["\(row.change.name): \(Printable(message))"]
            case .conflict(let conflict): conflict.lines(of: row.change)
            case .unknown: []
            case .pending: failure == nil ? ["\(row.change.name): not applied"] : []
            }
        }
    }

    var status: Int32 {
        if let failure { return failure.status.rawValue }
        let isComplete = changes.allSatisfy { $0.outcome == .accepted }
        return isComplete ? EXIT_SUCCESS : JobFailure.Status.someFailed.rawValue
    }
}

extension JobRunner {
    /// The most changes of unknown outcome that are shown.
    private static let mostVerdicts = 100

    /// Applies changes and reports the outcome.
    ///
    /// - Returns: the exit status.
    func apply(
        _ changes: inout ChangeSet,
        _ editor: TableEditor,
        store: PendingFile? = nil,
        rowsFound: Int? = nil
    ) async throws -> Int32 {
        var outcome = try await outcome(of: &changes, editor, store, path: store?.path)
        outcome.rowsFound = rowsFound
        report(outcome)
        if case .unknownOutcome = outcome.failure { try? await showVerdicts(on: changes, editor) }
        return outcome.status
    }

    /// Applies changes. Prints only notes.
    ///
    /// - Parameter path: the path of the store; nil if there is none.
    func outcome(
        of changes: inout ChangeSet,
        _ editor: TableEditor,
        _ store: (some ChangeStore)?,
        path: String?
    ) async throws -> EditReport {
        let result = try await editor.apply(&changes, store: store, isForced: job.edit.isForced)
        for note in result.notes { if let sentence = note.sentence { text.note(sentence) } }
        return EditReport(changes: result.rows, failure: result.failure, path: path)
    }

    /// Prints the outcome of an edit.
    ///
    /// - Parameter members: more members of the JSON object.
    func report(_ outcome: EditReport, _ members: JSONObject = [:]) {
        if text.isDocument {
            text.write(JSONObject(Array(outcome.json) + Array(members)))
        } else if !job.output.isQuiet {
            if outcome.changes.isEmpty { text.write(line: "nothing to change") }
            for line in outcome.lines { text.write(line: line) }
        }
        for line in outcome.errors { Main.writeError("relctl: error: \(Printable(again: line))\n") }
        if let failure = outcome.failureSentence {
            Main.writeError("relctl: error: \(Printable(again: failure))\n")
        }
    }

    /// Prints changes that were not sent.
    func show(_ changes: [PendingRow], rowsFound: Int) {
        guard !text.isDocument else {
            return text.write([
                "changes": .array(changes.map { .object($0.json) }), "rowsFound": .integer(Int64(rowsFound)),
            ])
        }
        if changes.isEmpty { text.write(line: "nothing to change") }
        for change in changes {
            text.write(line: change.title)
            for line in change.lines { text.write(line: "  \(line)") }
        }
    }

    /// Reads the rows that show what the server did with changes of unknown outcome.
    func showVerdicts(on changes: ChangeSet, _ editor: TableEditor) async throws {
        for verdict in try await editor.verdicts(on: changes).prefix(Self.mostVerdicts) {
            guard let row = changes.pendingRow(verdict.row), let table = changes.table(row.row.table) else { continue }
            text.note("\(row.title): \(verdict.sentence(on: row.state))")
            for match in verdict.matches {
                let fields = zip(table.fields, match).filter { !$1.isNull }
                text.note("  " + fields.map { "\(Printable($0.name)) = \($1.shown($0.type))" }.joined(separator: ", "))
            }
        }
    }
}

extension OutcomeVerdict {
    /// Whether the change was made, and the reason.
    fileprivate func sentence(on state: RowState) -> String {
        switch (verdict, state) {
        case (.applied, .inserted): "was made: the row exists"
        case (.applied, .removed): "was made: the row no longer exists"
        case (.applied, _): "was made: the row has the new values"
        case (.notApplied, .inserted): "was not made: the row does not exist"
        case (.notApplied, .removed): "was not made: the row still exists"
        case (.notApplied, _): "was not made: the row has the old values"
        case (.unclear, _): "may have been made or not" + (matches.isEmpty ? "" : ": the row has other values")
        }
    }
}

extension PendingRow {
    /// The table and the key.
    var name: String {
        let key = key.map { "\(Printable($0.name))=\(Printable($0.value.text(as: $0.type) ?? "NULL"))" }
        return "\(Printable(row.table)) \(key.joined(separator: ","))"
    }

    /// The kind of the change, the table and the key.
    var title: String { "\(state.verb) \(name)" }

    /// A line for each field, with the old and the new value.
    var lines: [String] {
        fields.map { field in
            let values = [field.old, field.new].compactMap { $0?.shown(field.type) }
            return "\(Printable(field.name)): \(values.joined(separator: " -> "))"
        }
    }

    var json: JSONObject {
        [
            "table": .string(row.table), "change": .string(state.verb),
            "key": .object(JSONObject(key.map { ($0.name, $0.value.json(as: $0.type)) })),
            "fields": .array(
                fields.map { field in
                    var object: JSONObject = ["name": .string(field.name)]
                    object["old"] = field.old?.json(as: field.type)
                    object["new"] = field.new?.json(as: field.type)
                    return .object(object)
                }
            ),
        ]
    }
}

extension RowState {
    fileprivate var verb: String {
        switch self {
        case .unchanged: "keep"
        case .inserted: "insert"
        case .updated: "update"
        case .removed: "delete"
        }
    }

    fileprivate var done: String {
        switch self {
        case .unchanged: "kept"
        case .inserted: "inserted"
        case .updated: "updated"
        case .removed: "deleted"
        }
    }
}

extension RowOutcome {
    /// Adds the members `outcome`, and `message` or `conflict`.
    fileprivate func write(to object: inout JSONObject) {
        switch self {
        case .accepted: object["outcome"] = "accepted"
        case .rejected(let message):
            object["outcome"] = "rejected"
            object["message"] = .string(message)
        case .conflict(let conflict):
            object["outcome"] = "conflict"
            object["conflict"] = conflict.fieldsJSON
        case .unknown: object["outcome"] = "unknown"
        case .pending: object["outcome"] = "pending"
        }
    }
}

extension EditConflict {
    /// The fields with the values of both sides.
    fileprivate var fieldsJSON: JSONValue {
        .array(
            fields.map { field in
                var object: JSONObject = ["name": .string(field.name)]
                object["old"] = field.old.json(as: field.type)
                object["mine"] = field.mine.json(as: field.type)
                object["theirs"] = field.theirs?.json(as: field.type)
                return .object(object)
            }
        )
    }

    /// The row, the kind of the conflict, and the fields.
    func json(_ changes: ChangeSet) -> JSONObject {
        let key = changes.pendingRow(ChangedRow(table, row))?.key ?? []
        return [
            "table": .string(table), "kind": .string("\(kind)"),
            "key": .object(JSONObject(key.map { ($0.name, $0.value.json(as: $0.type)) })), "fields": fieldsJSON,
        ]
    }

    /// A sentence about a change that stays pending.
    func note(_ changes: ChangeSet) -> String {
        let name = changes.pendingRow(ChangedRow(table, row))?.name ?? "\(Printable(table))"
        let reason =
            switch kind {
            case .changed: "the server changed \(fields.map { "\(Printable($0.name))" }.joined(separator: ", ")) too"
            case .missing: "the server no longer has the row"
            case .keyTaken: "the server has a row with this key"
            }
        return "\(name): \(reason); the pending change stays"
    }

    /// The reason, then a line for each field with the values of both sides.
    fileprivate func lines(of change: PendingRow) -> [String] {
        guard kind == .changed else {
            return ["\(change.name): " + (kind == .missing ? "the server no longer has the row" : "the key is taken")]
        }
        let fields = fields.map { field in
            let mine = field.mine == field.old ? "" : ", and the change sets \(field.mine.shown(field.type))"
            let values = "it was \(field.old.shown(field.type)) and is \(field.theirs?.shown(field.type) ?? "gone")"
            return "\(Printable(field.name)): \(values)\(mine)"
        }
        return ["\(change.name): another client changed the row; --force overwrites it"] + fields.map { "  \($0)" }
    }
}

extension ApplyFailure {
    var status: JobFailure.Status { if case .refused = self { .serverException } else { .failed } }

    /// A sentence for the user. Untrusted parts are escaped.
    var sentence: String {
        switch self {
        case .refused(let text): "the server refused all changes: \(Printable(text))"
        case .notSent(let text): "nothing was changed: \(Printable(text))"
        case .unknownOutcome(let text): "the server may have made the changes or not: \(Printable(text))"
        case .unreadable(let text): "the rows to compare cannot be read: \(Printable(text))"
        case .tooLong: "the changes are more than one call can have"
        case .notSaved(let error): "the pending file cannot be written: \(Printable("\(error)"))"
        }
    }
}

extension ApplyNote {
    /// A sentence for the user; nil for facts that errors show too.
    fileprivate var sentence: String? {
        switch self {
        case .separateTransactions(let first, let later):
            "two transactions: the changes of \(Self.names(later)) were sent after those of \(Self.names(first))"
        case .waitsForKey(let row, let master):
            "a change of \(Printable(row.table)) waits for the key of a new row of \(Printable(master))"
        case .alreadyRemoved(let row): "a row of \(Printable(row.table)) was removed by another client"
        case .keyUnknown(let row): "the server did not report the key of a new row of \(Printable(row.table))"
        case .unknownRecord(let table, let record):
            "the reply for \(Printable(table)) has change \(record), which was not sent"
        }
    }

    private static func names(_ tables: [String]) -> String {
        tables.map { "\(Printable($0))" }.joined(separator: ", ")
    }
}

extension DataValue {
    /// The value in a line of text, escaped; text in quotes.
    func shown(_ type: DataType?) -> String {
        guard let text = text(as: type ?? .unknown) else { return "NULL" }
        return switch self {
        case .text, .unreadable: "'\(Printable(text))'"
        case .bytes(let bytes): "\(Counted(bytes.readableBytes, "byte"))"
        default: "\(Printable(text))"
        }
    }
}
