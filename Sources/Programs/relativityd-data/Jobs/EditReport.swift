// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI

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
        if case .notSaved(let error) = failure, let path { return DataFailure(error, path).message }
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
        if let failure { return failure.status.after(changes: changes.count { $0.outcome == .accepted }).rawValue }
        let isComplete = changes.allSatisfy { $0.outcome == .accepted }
        return isComplete ? EXIT_SUCCESS : ExitStatus.someFailed.rawValue
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
        if case .unknownOutcome = outcome.failure { await showVerdictsNow(on: changes, editor) }
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
        // As the download after it does.
        let isMerging = job.briefcase.isApplied
        let result = try await editor.apply(&changes, store: store, isForced: job.edit.isForced, isMerging: isMerging)
        for note in result.notes { text.note(note.sentence) }
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
        for line in outcome.errors { text.error(line) }
        if let failure = outcome.failureSentence { text.error(failure) }
    }

    /// Prints changes that were not sent.
    func show(_ preview: TableEditor.Preview) {
        guard !text.isDocument else { return text.write(preview.json) }
        if preview.changes.isEmpty { text.write(line: "nothing to change") }
        for change in preview.changes {
            text.write(line: change.title)
            for line in change.lines { text.write(line: "  \(line)") }
        }
    }

    /// Does so also after a signal. Nothing is shown if the rows cannot be read.
    func showVerdictsNow(on changes: ChangeSet, _ editor: TableEditor) async {
        await shielded { try? await showVerdicts(on: changes, editor) }
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

extension TableEditor.Preview {
    /// The object for `--json`.
    var json: JSONObject {
        ["changes": .array(changes.map { .object($0.json) }), "rowsFound": .integer(Int64(rowsFound))]
    }
}

extension PendingRow {
    /// The kind of the change, the table and the key.
    var title: String { "\(state.action.rawValue) \(name)" }

    /// A line for each field, with the old and the new value.
    var lines: [String] {
        fields.map { field in
            let values = [field.old, field.new].compactMap { $0?.shown(field.type) }
            return "\(Printable(field.name)): \(values.joined(separator: " -> "))"
        }
    }

    var json: JSONObject {
        [
            "table": .string(row.table), "change": .string(state.action.rawValue),
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
        object["outcome"] = word.jsonValue
        if case .rejected(let message) = self { object["message"] = .string(message) }
        if case .conflict(let conflict) = self { object["conflict"] = conflict.fieldsJSON }
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
        let names = fields.map { "\(Printable($0.name))" }.joined(separator: ", ")
        let reason = kind == .changed ? "the server changed \(names) too" : sentence
        return "\(name): \(reason); the pending change stays"
    }

    /// The reason, then a line for each field with the values of both sides.
    fileprivate func lines(of change: PendingRow) -> [String] {
        guard kind == .changed else { return ["\(change.name): \(sentence)"] }
        let fields = fields.map { field in
            let mine = field.mine == field.old ? "" : ", and the change sets \(field.mine.shown(field.type))"
            let values = "it was \(field.old.shown(field.type)) and is \(field.theirs?.shown(field.type) ?? "gone")"
            return "\(Printable(field.name)): \(values)\(mine)"
        }
        return ["\(change.name): \(sentence); --force overwrites it"] + fields.map { "  \($0)" }
    }
}

extension ApplyFailure {
    var status: ExitStatus {
        switch self {
        case .refused: .serverException
        case .notSent: .notSent
        case .unknownOutcome: .unknownOutcome
        case .unreadable, .tooLong, .notSaved: .failed
        }
    }
}
