// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import JSON
import LocalAPI
import Varlink
import VarlinkService

/// Edits and pending sets.
extension DataService {
    func edit(_ call: TypedCall<DataAPI.EditCall>) async throws {
        let parameters = call.parameters
        let edits = try await DataFailure.translating { try EditsOfCall(parameters, sets.limits) }
        try await connected(to: parameters.server, call.untyped, keepsRows: true) { connection in
            let (reader, place) = (connection.reader, connection.place)
            let editor = edits.editor(reader)
            guard let name = parameters.pending else {
                var changes = try ChangeSet([])
                let made = try await edits.make(in: &changes, editor)
                guard !edits.isDryRun else {
                    return call.reply(.init(changes: made.records(in: changes), notes: []))
                }
                let result = try await editor.apply(&changes, isForced: edits.isForced)
                return call.reply(
                    .init(
                        changes: result.records,
                        notes: result.notes.map { DataAPI.ApplyNote($0) },
                        failure: result.failure.map { DataAPI.ApplyFailure($0) }
                    )
                )
            }
            try await sets.use(name, reader.adapter.codePage) { set in
                try set.check(revision: parameters.revision)
                try set.check(isFor: place)
                let made = try await edits.make(in: &set.changes, editor)
                let records = made.records(in: set.changes)
                let revision = edits.isDryRun ? parameters.revision : try await set.save(for: place)
                call.reply(.init(changes: records, notes: [], revision: revision))
            }
        }
    }

    func apply(_ call: TypedCall<DataAPI.ApplyCall>) async throws {
        let parameters = call.parameters
        try await connected(to: parameters.server, call.untyped, keepsRows: true) { connection in
            let (reader, place) = (connection.reader, connection.place)
            try await sets.use(parameters.pending, reader.adapter.codePage) { set in
                _ = try set.known()
                try set.check(revision: parameters.revision)
                try set.check(isFor: place)
                let revision = try await set.advance(for: place)
                let result = try await TableEditor(reader, mostBytes: PendingSets.Limits.read)
                    .apply(
                        &set.changes,
                        store: set.store,
                        isForced: parameters.force ?? false,
                        isWhole: parameters.whole ?? false
                    )
                let isDone = !set.changes.hasChanges
                if isDone { try await set.remove() }
                call.reply(
                    .init(
                        changes: result.records,
                        notes: result.notes.map { DataAPI.ApplyNote($0) },
                        failure: result.failure.map { DataAPI.ApplyFailure($0) },
                        revision: isDone ? nil : revision
                    )
                )
            }
        }
    }

    /// The changes that a read shall show, of the table that it reads; nil for none.
    ///
    /// - Throws: those of a pending set.
    func pendingChanges(_ read: DataAPI.ReadCall, _ connection: ServerConnection) async throws -> PendingOverlay? {
        guard let name = read.pending else { return nil }
        // The set is not held while rows are read, so that the caller may add edits meanwhile.
        return try await sets.use(name, connection.reader.adapter.codePage) { set in
            _ = try set.known()
            try set.check(isFor: connection.place)
            return set.changes.table(read.table).map { PendingOverlay($0) }
        }
    }

    func listPending(_ call: TypedCall<DataAPI.ListPendingCall>) async throws {
        call.reply(.init(sets: try await sets.list()))
    }

    func getPending(_ call: TypedCall<DataAPI.GetPendingCall>) async throws {
        try await sets.use(call.parameters.pending) { set in
            call.reply(.init(set: try set.known().record(set.name), changes: set.changes.records))
        }
    }

    func checkPending(_ call: TypedCall<DataAPI.CheckPendingCall>) async throws {
        try await connected(to: call.parameters.server, call.untyped, keepsRows: true) { connection in
            let (reader, place) = (connection.reader, connection.place)
            try await sets.use(call.parameters.pending, reader.adapter.codePage) { set in
                _ = try set.known()
                try set.check(isFor: place, isDecided: false)
                let editor = TableEditor(reader, mostBytes: PendingSets.Limits.read)
                let verdicts = try await editor.verdicts(on: set.changes)
                call.reply(.init(verdicts: verdicts.compactMap { DataAPI.Verdict($0, set.changes) }))
            }
        }
    }

    func retryPending(_ call: TypedCall<DataAPI.RetryPendingCall>) async throws {
        let parameters = call.parameters
        try await decide(parameters.pending, parameters.revision, { $0.retry() }) { revision in
            call.reply(.init(revision: revision ?? parameters.revision))
        }
    }

    func settlePending(_ call: TypedCall<DataAPI.SettlePendingCall>) async throws {
        let parameters = call.parameters
        try await decide(
            parameters.pending,
            parameters.revision,
            { changes in
                changes.settle(try parameters.changes.map { try changes.rows($0) } ?? changes.undecidedRows)
            },
            { call.reply(.init(revision: $0)) }
        )
    }

    func dropPending(_ call: TypedCall<DataAPI.DropPendingCall>) async throws {
        let parameters = call.parameters
        try await decide(
            parameters.pending,
            parameters.revision,
            { changes in
                guard let names = parameters.changes else {
                    changes = try ChangeSet([])
                    return
                }
                let before = changes
                let rows = try changes.rows(names)
                let undecided = Set(changes.undecidedRows)
                guard undecided.isEmpty || undecided.isSuperset(of: rows) else {
                    throw VarlinkError.invalidParameter("changes")
                }
                changes.drop(rows)
                if undecided.isEmpty { try changes.revert(rows) }
                guard changes.orphans(since: before).isEmpty else { throw VarlinkError.invalidParameter("changes") }
            },
            { call.reply(.init(revision: $0)) }
        )
    }

    /// Changes a set without its server.
    private func decide(
        _ name: String,
        _ revision: Int64,
        _ body: (inout ChangeSet) throws -> Void,
        _ reply: (Int64?) -> Void
    ) async throws {
        try await sets.use(name) { set in
            let facts = try set.known()
            try set.check(revision: revision)
            try body(&set.changes)
            reply(try await set.save(for: facts.place))
        }
    }
}

/// The edits of a call, checked.
private struct EditsOfCall {
    let isDryRun: Bool
    let isForced: Bool
    private let edits: [TableEdit]
    private let references: [KeyReference]
    private let mostRows: Int

    /// - Throws: `InvalidParameter`, `PredicateError`.
    init(_ call: DataAPI.EditCall, _ limits: PendingSets.Limits) throws {
        isDryRun = call.dryRun ?? false
        isForced = call.force ?? false
        guard !call.edits.isEmpty else { throw VarlinkError.invalidParameter("edits") }
        guard call.pending != nil || call.revision == nil else { throw VarlinkError.invalidParameter("revision") }
        guard call.pending == nil || !isForced else { throw VarlinkError.invalidParameter("force") }
        edits = try call.edits.enumerated().map { index, edit in try TableEdit(edit, index: index) }
        references = try (call.references ?? []).map { try KeyReference($0) }
        mostRows = min(try DataService.limit(call.limit) ?? .max, limits.changes)
    }

    func editor(_ reader: TableReader) -> TableEditor {
        TableEditor(reader, mostRows: mostRows, mostBytes: PendingSets.Limits.read)
    }

    /// The rows that edits were for, in their order, with their conflicts.
    struct Made {
        var rows: [ChangedRow] = []
        var conflicts: [ChangedRow: EditConflict] = [:]

        /// The pending changes of the rows.
        func records(in changes: ChangeSet) -> [DataAPI.Change] {
            var seen: Set<ChangedRow> = []
            return rows.compactMap { row in
                guard seen.insert(row).inserted, let pending = changes.pendingRow(row), pending.state != .unchanged
                else { return nil }
                var record = DataAPI.Change(pending, .pending)
                if let conflict = conflicts[row] { record.show(conflict) }
                return record
            }
        }
    }

    /// Makes all edits in a set, or throws; then the set is not to be used.
    func make(in changes: inout ChangeSet, _ editor: TableEditor) async throws -> Made {
        var made = Made()
        for (index, edit) in edits.enumerated() {
            do {
                let preview = try await editor.make(edit, in: &changes)
                made.rows += preview.changes.map(\.row)
                for conflict in preview.conflicts {
                    made.conflicts[ChangedRow(conflict.table, conflict.row)] = conflict
                }
            } catch let error as TableEditError {
                throw DataFailure(error, edit: index)
            }
        }
        guard changes.tables.count > 1 || !references.isEmpty else { return made }
        do {
            _ = try await editor.addReferences(references, to: &changes)
        } catch is ReferenceRefusal {
            throw VarlinkError.invalidParameter("references")
        }
        return made
    }
}

extension EditResult {
    fileprivate var records: [DataAPI.Change] {
        rows.map { DataAPI.Change($0.change, $0.outcome) }
    }
}

extension DataAPI.Verdict {
    fileprivate init?(_ verdict: OutcomeVerdict, _ changes: ChangeSet) {
        guard let row = changes.pendingRow(verdict.row), let fields = changes.table(verdict.row.table)?.fields else {
            return nil
        }
        self.init(
            change: DataAPI.Change(row, .unknown),
            verdict: "\(verdict.verdict)",
            matches: verdict.matches.map { JSONObject(values: zip(fields, $0).map { ($0.name, $0.type, $1) }) }
        )
    }
}
