// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import Glibc
import JSON
import LocalAPI
import NIOCore
import Platform

extension JobRunner {
    /// How long a job waits for another one that uses its pending file or briefcase.
    static let lockPatience = Duration.seconds(5)

    /// Inserts, updates or deletes rows, or keeps the change in a pending file.
    ///
    /// - Returns: the exit status.
    func edit() async throws -> Int32 {
        guard job.briefcase.path.isEmpty else { return try editBriefcase() }
        let reader = try reader()
        let editor = TableEditor(reader, mostRows: job.edit.mostRows.map(Int.init) ?? TableEditor.standardRows)
        let file = try job.edit.pendingPath.map { path in
            try openPendingFile(path, place: place())
        }
        if let file { try check(file) }
        var changes = try await changes(of: file)
        guard changes.undecidedRows.isEmpty else { throw undecided(changes) }
        let before = changes
        let preview = try await editor.edit(try tableEdit(), in: &changes)
        try check(changes.orphans(since: before), of: changes)
        for conflict in preview.conflicts {
            text.note("\(Printable(conflict.table)): the server's row has changed since the change was made")
        }
        if job.edit.isDryRun {
            show(preview)
            return EXIT_SUCCESS
        }
        guard let file else {
            guard changes.hasChanges else {
                report(EditReport(changes: [], rowsFound: preview.rowsFound))
                return EXIT_SUCCESS
            }
            return try await apply(&changes, editor, rowsFound: preview.rowsFound)
        }
        try naming(file.path) { try file.save(&changes) }
        report(preview, keptIn: "\(Printable(file.path))", changes)
        return EXIT_SUCCESS
    }

    /// Keeps a change in a briefcase, whose rows are those that are found.
    private func editBriefcase() throws -> Int32 {
        var (file, briefcase) = try openBriefcase()
        var changes = try changeSet(of: briefcase, table())
        let before = changes
        let mostRows = job.edit.mostRows.map(Int.init) ?? 1_000_000
        let preview = try TableEditor.edit(try tableEdit(), offline: &changes, mostRows: mostRows)
        try check(changes.orphans(since: before), of: changes)
        if job.edit.isDryRun {
            show(preview)
            return EXIT_SUCCESS
        }
        briefcase.changes = changes.hasChanges ? changes : nil
        // The rows are as they were.
        try file.save(briefcase, tables: [])
        report(preview, keptIn: job.briefcase.isKept ? "the kept tables" : "\(Printable(path))", changes)
        return EXIT_SUCCESS
    }

    /// - Parameter changes: all that are pending.
    private func report(_ preview: TableEditor.Preview, keptIn place: String, _ changes: ChangeSet) {
        if preview.rowsFound == 0, job.edit.kind != .insert { text.note("no row matches") }
        text.tell(
            preview.json,
            else: "\(Counted(changes.changedRows.count, "change")) pending in \(place)"
        )
    }

    /// The pending changes of a briefcase, merged with the rows of one of its tables.
    ///
    /// - Throws: `DataFailure` if there is no such table, or if the outcome of some changes is unknown.
    func changeSet(of briefcase: Briefcase, _ name: String) throws -> ChangeSet {
        var part = Briefcase()
        part.put(try table(name, of: briefcase))
        part.changes = briefcase.changes
        let changes = try part.changeSet().changes
        guard changes.undecidedRows.isEmpty else { throw undecided(changes) }
        return changes
    }

    /// Applies the changes of a pending file.
    ///
    /// - Returns: the exit status.
    func applyPending() async throws -> Int32 {
        guard path.isEmpty else { return try await applyBriefcase() }
        let (file, found) = try pendingFile()
        try check(file)
        var changes = found
        let editor = TableEditor(try reader())
        try await prepare(&changes, editor)
        let status = try await apply(&changes, editor, store: file)
        if !changes.hasChanges, changes.undecidedRows.isEmpty { try naming(file.path) { try file.remove() } }
        return status
    }

    /// Makes pending changes ready to be applied.
    ///
    /// - Throws: `DataFailure` if the outcome of some is unknown, unless the user wants to send them again.
    func prepare(_ changes: inout ChangeSet, _ editor: TableEditor) async throws {
        if !changes.undecidedRows.isEmpty {
            guard job.edit.isRetried else {
                try await showVerdicts(on: changes, editor)
                throw undecided(changes)
            }
            changes.retry()
        }
        try await addReferences(to: &changes)
    }

    /// Shows the changes of a pending file.
    func listPending() throws {
        let path = job.edit.pendingPath ?? ""
        let found: ChangeSet?
        if job.briefcase.path.isEmpty {
            try checkExists(path)
            // The file may be read-only.
            let content = try naming(path) { try PendingFile.content(of: path, codePage: fileCodePage()) }
            noteTorn(content.isTorn, path)
            found = content.changes
        } else {
            found = try existing().changes
        }
        let changes = try found ?? ChangeSet([])
        let undecided = Set(changes.undecidedRows)
        let rows = changes.pendingRows
        guard !text.isDocument else {
            let changes = rows.map { row -> JSONValue in
                var object = row.json
                object["undecided"] = .bool(undecided.contains(row.row))
                object["message"] = row.failure.map { .string($0) }
                return .object(object)
            }
            return text.write(["changes": .array(changes)])
        }
        for (number, row) in zip(1..., rows) {
            text.write(line: "\(number). \(row.title)" + (undecided.contains(row.row) ? " (outcome unknown)" : ""))
            for line in row.lines { text.write(line: "   \(line)") }
            if let failure = row.failure { text.write(line: "   rejected: \(Printable(failure))") }
        }
    }

    /// Drops changes of a pending file.
    func dropPending() throws {
        let found: ChangeSet
        let save: (inout ChangeSet) throws -> Void
        if job.briefcase.path.isEmpty {
            let (file, changes) = try pendingFile()
            found = changes
            save = { changes in
                try naming(file.path) { if changes.hasChanges { try file.save(&changes) } else { try file.remove() } }
            }
        } else {
            var (file, briefcase) = try openBriefcase()
            found = try briefcase.changes ?? ChangeSet([])
            save = { changes in
                briefcase.changes = changes
                // The rows are as they were.
                try file.save(briefcase, tables: [])
            }
        }
        var changes = found
        let rows = changes.changedRows
        let numbers = job.edit.numbers
        if let wrong = numbers.first(where: { $0 < 1 || $0 > rows.count }) {
            throw DataFailure(.notFound, "no pending change \(wrong)")
        }
        let undecided = Set(changes.undecidedRows)
        let dropped = Set(numbers.isEmpty ? rows + changes.undecidedRows : numbers.map { rows[Int($0) - 1] })
        changes.drop(dropped.filter { undecided.contains($0) }.sorted { $0.row < $1.row })
        let rest = dropped.subtracting(undecided)
        guard rest.isEmpty || changes.undecidedRows.isEmpty else {
            throw DataFailure(.failed, "changes of unknown outcome come first: drop them, or apply with --retry")
        }
        try changes.revert(Array(rest))
        try check(changes.orphans(since: found), of: changes, numbers: rows)
        try save(&changes)
        text.tell(["dropped": .integer(Int64(dropped.count))], else: "\(Counted(dropped.count, "change")) dropped")
    }

    /// The changes of a table in the pending file of the job; nil if there are none.
    func pendingOverlay(_ table: String) throws -> PendingOverlay? {
        guard let path = job.edit.pendingPath, access(path, F_OK) == 0 else { return nil }
        return try openPendingFile(path).changes?.table(table).map { PendingOverlay($0) }
    }

    /// Prints the fields of one row for an editor.
    func showRow() async throws {
        let (name, key) = (try self.table(), job.edit.key ?? "")
        var changes = try ChangeSet([])
        if path.isEmpty {
            _ = try await TableEditor(reader()).edit(TableEdit(name, .update(.key(key), [])), in: &changes)
        } else {
            changes = try changeSet(of: existing(), name)
        }
        guard let table = changes.table(name), let row = table.row(try TableEditor.find(key, in: table)) else {
            throw DataFailure(.notFound, "no such row")
        }
        let fields = zip(table.fields, row.values).map { field, value -> JSONValue in
            [
                "name": .string(field.name), "type": .string(field.type.shortName),
                "value": value.text(as: field.type).map { .string($0) } ?? .null,
                "isReadOnly": .bool(field.isReadOnly), "isInKey": .bool(field.isInPrimaryKey),
            ]
        }
        text.write(["table": .string(table.name), "fields": .array(fields)])
    }

    // MARK: Parts

    private func tableEdit() throws -> TableEdit {
        let values = try job.edit.values.map { try $0.assignment() }
        let rows: EditedRows
        if let predicate = job.rows.predicate {
            rows = .matching(try Expression(predicate: predicate))
        } else {
            rows = .key(job.edit.key ?? "")
        }
        let change: TableEdit.Change =
            switch job.edit.kind {
            case .insert: .insert(values)
            case .update: .update(rows, values)
            case .delete: .delete(rows)
            }
        var edit = TableEdit(try table(), change)
        edit.expected = try job.edit.expected.map { try $0.assignment() }
        return edit
    }

    /// The changes of a file, or an empty set.
    private func changes(of file: PendingFile?) async throws -> ChangeSet {
        var changes = try file?.changes ?? ChangeSet([])
        guard let file else { return changes }
        noteTorn(file.wasTorn, file.path)
        if changes.undecidedRows.isEmpty { try await addReferences(to: &changes) }
        return changes
    }

    /// - Parameter place: the place that is noted in a new file.
    private func openPendingFile(_ path: String, place: PendingFilePlace? = nil) throws -> PendingFile {
        try naming(path) {
            try PendingFile(path, place: place, codePage: fileCodePage(), waiting: Self.lockPatience)
        }
    }

    private func pendingFile() throws -> (PendingFile, ChangeSet) {
        let path = job.edit.pendingPath ?? ""
        try checkExists(path)
        let file = try openPendingFile(path)
        noteTorn(file.wasTorn, path)
        return (file, try file.changes ?? ChangeSet([]))
    }

    private func checkExists(_ path: String) throws {
        guard access(path, F_OK) == 0 else { throw DataFailure(.notFound, "no pending file '\(Printable(path))'") }
    }

    /// Throws errors of a pending file with its path.
    private func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PendingFileError {
            throw DataFailure(error, path)
        }
    }

    /// Refuses a change after which others refer to a new row that no longer exists.
    ///
    /// - Parameter numbers: the rows as they are numbered for the user; empty if they have no numbers.
    private func check(_ orphans: [ChangedRow], of changes: ChangeSet, numbers: [ChangedRow] = []) throws {
        guard let first = orphans.first.flatMap(changes.pendingRow) else { return }
        let places = Dictionary(uniqueKeysWithValues: zip(numbers, 1...))
        let others = orphans.compactMap { places[$0] }.map { "\($0)" }
        let advice = others.isEmpty ? "delete it first" : "drop \(others.joined(separator: " ")) too"
        throw DataFailure(.usage, "'\(first.title)' refers to the new row: \(advice)")
    }

    /// The server and the data service of the changes.
    private func place() throws -> PendingFilePlace {
        let adapter = try server()
        return PendingFilePlace(endpoint: adapter.identity ?? adapter.name, service: adapter.service)
    }

    /// - Throws: `DataFailure` if the changes of the file are for another place. Older files do not have a place.
    private func check(_ file: PendingFile) throws {
        let place = try place()
        guard let found = file.place, found != place else { return }
        func name(_ place: PendingFilePlace) -> String { "\(Printable(place.service)) of \(Printable(place.endpoint))" }
        throw DataFailure(
            .usage,
            "the changes in \(Printable(file.path)) are for \(name(found)), not for \(name(place)),"
                + " which is \(Printable(job.adapters[0].name))"
        )
    }

    private func noteTorn(_ isTorn: Bool, _ path: String) {
        if isTorn { text.note("the last record of \(Printable(path)) was incomplete and is ignored") }
    }

    /// Adds the references that the user names, and those of the server's schema if it is available.
    private func addReferences(to changes: inout ChangeSet) async throws {
        let own = try job.edit.references.map { text in
            guard let reference = KeyReference(text) else {
                throw DataFailure(.usage, "'\(Printable(text))' is no reference: use DETAIL.FIELD=MASTER.FIELD")
            }
            return (text: "--ref \(Printable(text))", reference)
        }
        do {
            let schema = try await TableEditor(reader()).addReferences(own.map(\.1), to: &changes)
            if schema == nil {
                let effect = job.verb == .briefcase ? "references between tables are unknown" : "--ref names references"
                text.note("\(Printable(job.adapters[0].name)): the schema is not available, so \(effect)")
            }
            // A table may get its first pending change later.
            let needsTable = schema != nil || job.verb == .apply
            for (text, reference) in own where needsTable {
                for table in [reference.detail, reference.master]
                where changes.table(table) == nil && schema?.table(table) == nil {
                    throw DataFailure(.usage, "\(text): no table \(Printable(table))")
                }
            }
        } catch let error as ReferenceRefusal {
            let text = own.first { $0.1 == error.reference }?.text ?? "--ref"
            throw DataFailure(.usage, "\(text): \(Printable(again: "\(error.reason)"))")
        }
    }

    private func undecided(_ changes: ChangeSet) -> DataFailure {
        let count = Counted(changes.undecidedRows.count, "change")
        let advice =
            job.verb != .apply && !path.isEmpty
            ? "'briefcase refresh --apply --retry' to send again"
            : "'table apply --retry' to send again, or 'table pending drop'"
        return DataFailure(.unknownOutcome, "the outcome of \(count) is unknown: use \(advice)")
    }
}

extension JobValue {
    /// - Throws: `DataFailure` if the bytes are no Base64.
    fileprivate func assignment() throws -> FieldAssignment {
        if let text { return FieldAssignment(field, .text(text)) }
        guard let base64 else { return FieldAssignment(field, .null) }
        guard let bytes = Base64.decode(base64) else { throw DataFailure(.failed, "the job is not valid: base64") }
        return FieldAssignment(field, .bytes(ByteBuffer(bytes: bytes)))
    }
}
