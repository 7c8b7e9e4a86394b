// SPDX-License-Identifier: Apache-2.0

import Platform

/// Rows to read: those whose fields have one of the lists of values.
public struct RowRequest: Hashable, Sendable {
    /// The table.
    public let table: String
    /// The fields to compare, in the order of the values.
    public let fields: [DataColumn]
    /// A list of values for each row, such as its key.
    public let values: [[DataValue]]

    /// Creates a request. Each list has as many values as there are fields.
    public init(table: String, fields: [DataColumn], values: [[DataValue]]) {
        (self.table, self.fields, self.values) = (table, fields, values)
    }
}

/// Rows that were read for a `RowRequest`. They must have all logged fields of the table.
public struct RowReading: Sendable {
    /// The columns.
    public let columns: [DataColumn]
    /// The rows, in any order.
    public let rows: [DataRows]

    /// Creates the answer to a request.
    public init(columns: [DataColumn], rows: [DataRows]) {
        self.columns = columns
        self.rows = rows
    }
}

/// The next effect of an apply.
public enum ApplyEffect: Sendable {
    /// Read these rows, one reading for each request, then call `rowsRead`.
    case read([RowRequest])
    /// Send these deltas with UpdateData, then call `replied` or `stopped`. The pending file must be saved first.
    case send(DeltaStream)
    /// The apply has ended.
    case finished(ApplyReport)
}

/// The reason why an apply ended before all calls were made.
public enum ApplyFailure: Error, Hashable, Sendable {
    /// The server answered with an exception, so it rolled the call back. The text is untrusted.
    case refused(String)
    /// Nothing was sent. The text is the reason, untrusted.
    case notSent(String)
    /// The connection broke after the call was sent, or the reply is unreadable: the server may have applied the
    /// changes. The text is the reason, untrusted.
    case unknownOutcome(String)
    /// The rows to compare could not be read, or lack fields of the table. The text is the reason.
    case unreadable(String)
    /// The deltas exceed the size of a stream.
    case tooLong
    /// The pending file could not be written. If a call was made, the report has its outcome.
    case notSaved(PendingFileError)

    /// The name of the case, for programs.
    package var code: String {
        switch self {
        case .refused: "refused"
        case .notSent: "notSent"
        case .unknownOutcome: "unknownOutcome"
        case .unreadable: "unreadable"
        case .tooLong: "tooLong"
        case .notSaved: "notSaved"
        }
    }
}

/// A fact about an apply.
public enum ApplyNote: Hashable, Sendable {
    /// The changes of `later` refer to keys that the server made in the call for `first`, and its schema does not show
    /// the relationship. So they were sent in a call of their own, which is another transaction.
    case separateTransactions(first: [String], later: [String])
    /// The change was not sent: it refers to a new row of a table that has no key yet.
    case waitsForKey(ChangedRow, of: String)
    /// The row was to be removed, and the server no longer has it.
    case alreadyRemoved(ChangedRow)
    /// The server accepted the new row and did not report its key.
    case keyUnknown(ChangedRow)
    /// The reply has a change that was not sent.
    case unknownRecord(table: String, Int32)
}

/// The outcome of an apply.
public struct ApplyReport: Hashable, Sendable {
    /// Changes that the server accepted. They are no longer pending.
    public var accepted: [ChangedRow] = []
    /// Changes that the server rejected. The row has the reason.
    public var failed: [ChangedRow] = []
    /// Changes that the server did not process.
    public var notProcessed: [ChangedRow] = []
    /// Changes that were not sent, because the server's row is not the one that was read.
    public var conflicts: [EditConflict] = []
    /// Facts, in the order in which they were found.
    public var notes: [ApplyNote] = []
    /// The number of calls of UpdateData that were replied to.
    public var calls = 0
    /// Nil if all calls were made.
    public var failure: ApplyFailure?

    /// Creates an empty report.
    public init() {}
}

/// The progress of an apply.
struct ApplyProgress: Sendable {
    let isForced: Bool
    let isWhole: Bool
    let isMerging: Bool
    var report = ApplyReport()
    /// Rows that are not sent again in this apply.
    var done: Set<ChangedRow> = []
    /// The rows of the next or current call, by the index of the table.
    var call: [(table: Int, rows: [RowID])] = []
    /// The requests for rows of the call.
    var requests: [(table: Int, rows: [RowID])] = []
    /// The deltas of the current call, with the index of the table.
    var sent: [(table: Int, delta: TableDelta)] = []
    /// The tables of the last call.
    var previous: [String] = []
}

extension ChangeSet {
    /// Starts to apply all pending changes. Rows in edit mode are not sent.
    ///
    /// - Parameter isForced: sends changes also if the server's row is not the one that was read before. Fields that a
    ///   change sets are overwritten, other ones keep the server's values.
    /// - Parameter isWhole: sends all changes in one call, or none if a row is in conflict. If they need two calls, the apply
    ///   fails with `notSent`.
    /// - Parameter isMerging: sends changes also if the server's row differs only in fields that they do not set, which keep
    ///   the server's values.
    /// - Throws: `inFlight`.
    public mutating func beginApply(
        isForced: Bool = false,
        isWhole: Bool = false,
        isMerging: Bool = false
    ) throws(EditError) -> ApplyEffect {
        guard phase == .idle else { throw .inFlight }
        phase = .applying
        apply = ApplyProgress(isForced: isForced, isWhole: isWhole, isMerging: isMerging)
        return nextCall()
    }

    /// Continues after rows were read, one reading for each request.
    ///
    /// - Throws: `inFlight` if the apply does not wait for rows.
    public mutating func rowsRead(_ readings: [RowReading]) throws(EditError) -> ApplyEffect {
        guard var progress = apply, progress.sent.isEmpty, readings.count == progress.requests.count else {
            throw .inFlight
        }
        for ((index, rows), reading) in zip(progress.requests, readings) {
            guard let theirs = tables[index].rowsByKey(reading) else {
                return finish(.unreadable("fields are missing"))
            }
            var unsent: Set<RowID> = []
            for id in rows where !compare(id, of: index, theirs, &progress) { unsent.insert(id) }
            guard let call = progress.call.firstIndex(where: { $0.table == index }) else { continue }
            progress.call[call].rows.removeAll { unsent.contains($0) }
        }
        progress.call.removeAll { $0.rows.isEmpty }
        progress.requests = []
        apply = progress
        if progress.isWhole, !progress.report.conflicts.isEmpty { return finish(nil) }
        return progress.call.isEmpty ? nextCall() : send()
    }

    /// Continues after the server's reply to UpdateData.
    ///
    /// - Throws: `inFlight` if the apply does not wait for a reply.
    public mutating func replied(_ reply: DeltaStream) throws(EditError) -> ApplyEffect {
        guard var progress = apply, !progress.sent.isEmpty else { throw .inFlight }
        progress.report.calls += 1
        for (index, sent) in progress.sent {
            let name = tables[index].name
            let outcome = tables[index].merge(reply.deltas.first { NameMatch.isSimilar($0.name, name) }, of: sent)
            let changed = { (rows: [RowID]) in rows.map { ChangedRow(name, $0) } }
            progress.report.accepted += changed(outcome.accepted)
            progress.report.failed += changed(outcome.failed)
            progress.report.notProcessed += changed(outcome.notProcessed)
            progress.done.formUnion(changed(outcome.failed + outcome.notProcessed))
            progress.report.notes += changed(outcome.withoutKey).map { .keyUnknown($0) }
            progress.report.notes += outcome.unknownRecords.map { .unknownRecord(table: name, $0) }
            replaceKeys(outcome.keys, of: index)
        }
        progress.sent = []
        apply = progress
        return nextCall()
    }

    /// Ends the apply because an effect failed. After `unknownOutcome` the phase names the rows of the call; after any
    /// other failure they are pending as before.
    ///
    /// - Throws: `inFlight` if nothing is applied.
    public mutating func stopped(_ failure: ApplyFailure) throws(EditError) -> ApplyEffect {
        guard apply != nil else { throw .inFlight }
        return finish(failure)
    }

    /// The rows of the call that is sent.
    var sentRows: [ChangedRow] {
        (apply?.sent ?? []).flatMap { index, sent in sent.rows.map { ChangedRow(tables[index].name, $0) } }
    }

    private mutating func finish(_ failure: ApplyFailure?) -> ApplyEffect {
        var report = apply?.report ?? ApplyReport()
        report.failure = failure
        if case .unknownOutcome = failure { phase = .unknownOutcome(sentRows) } else { phase = .idle }
        apply = nil
        return .finished(report)
    }

    /// Chooses the rows of the next call: all except those that wait for the key of a new row.
    private mutating func nextCall() -> ApplyEffect {
        guard var progress = apply else { return finish(nil) }
        let pending = tables.map { table in
            table.changedRows.filter { !progress.done.contains(ChangedRow(table.name, $0)) }
        }
        let (ready, waiting, order) = divide(pending)
        guard ready.contains(where: { !$0.isEmpty }) else {
            progress.report.notes += waiting.map { .waitsForKey($0.row, of: $0.master) }
            apply = progress
            return finish(nil)
        }
        if progress.isWhole, let first = waiting.first {
            return finish(
                .notSent("changes of '\(first.row.table)' need the keys of '\(first.master)' from a transaction before")
            )
        }
        progress.call = order.map { (table: $0, rows: ready[$0]) }.filter { !$0.rows.isEmpty }
        progress.requests = progress.call.compactMap { index, rows in
            let known = rows.filter { tables[index].kept[$0]?.state != .inserted }
            return known.isEmpty ? nil : (index, known)
        }
        apply = progress
        guard !progress.requests.isEmpty else { return send() }
        return .read(progress.requests.map { tables[$0.table].keyRequest(for: $0.rows) })
    }

    private typealias Waiting = (row: ChangedRow, master: String)

    /// Divides rows into those that can be sent in one call, and those that refer to a row without a key.
    ///
    /// - Returns: also the order of the tables in the call.
    private func divide(_ pending: [[RowID]]) -> (ready: [[RowID]], waiting: [Waiting], order: [Int]) {
        var waiting: [ChangedRow: [TemporaryReference]] = [:]
        for (table, rows) in zip(tables, pending) {
            for id in rows {
                let found = temporaryReferences(of: id, in: table)
                if !found.isEmpty { waiting[ChangedRow(table.name, id)] = found }
            }
        }
        let order = order(of: waiting.values.joined().map(\.reference))
        let all = Set(zip(tables, pending).flatMap { table, rows in rows.map { ChangedRow(table.name, $0) } })
        // A row is ready if the server replaces all its keys in the same call. Rows depend on each other in chains, so
        // that each pass may make more of them ready.
        var isChanged = true
        while isChanged {
            isChanged = false
            for (row, found) in waiting where found.allSatisfy({ isReplaced($0, all, waiting, order) }) {
                waiting[row] = nil
                isChanged = true
            }
        }
        let ready = zip(tables, pending).map { table, rows in
            rows.filter { waiting[ChangedRow(table.name, $0)] == nil }
        }
        let names = zip(tables, pending).flatMap { table, rows in
            rows.compactMap { id -> Waiting? in
                let row = ChangedRow(table.name, id)
                return waiting[row]?.first.map { (row, $0.reference.master) }
            }
        }
        return (ready, names, order)
    }

    /// The tables in their order, but masters of new rows before the details. Tables that refer to each other in a circle
    /// stay where they are.
    private func order(of references: [KeyReference]) -> [Int] {
        var masters = [Set<Int>](repeating: [], count: tables.count)
        for reference in references where reference.isKnownToServer {
            guard let master = index(of: reference.master), let detail = index(of: reference.detail) else { continue }
            if master != detail { masters[detail].insert(master) }
        }
        var order: [Int] = []
        var rest = Array(tables.indices)
        while let next = rest.firstIndex(where: { masters[$0].isDisjoint(with: rest) }) {
            order.append(rest.remove(at: next))
        }
        return order + rest
    }

    private func isReplaced(
        _ found: TemporaryReference,
        _ all: Set<ChangedRow>,
        _ waiting: [ChangedRow: [TemporaryReference]],
        _ order: [Int]
    ) -> Bool {
        // The server replaces keys in deltas after the one of the master.
        guard found.reference.isKnownToServer, let id = found.master,
            let master = index(of: found.reference.master), let detail = index(of: found.reference.detail),
            let masterPlace = order.firstIndex(of: master), let detailPlace = order.firstIndex(of: detail),
            masterPlace < detailPlace
        else { return false }
        let row = ChangedRow(tables[master].name, id)
        return all.contains(row) && waiting[row] == nil
    }

    private mutating func send() -> ApplyEffect {
        guard var progress = apply else { return finish(nil) }
        do {
            progress.sent = try progress.call.compactMap { index, rows in
                try tables[index].delta(of: rows).map { (index, $0) }
            }
        } catch {
            return finish(.tooLong)
        }
        let names = progress.sent.map { tables[$0.table].name }
        if !progress.previous.isEmpty {
            progress.report.notes.append(.separateTransactions(first: progress.previous, later: names))
        }
        progress.previous = names
        apply = progress
        return .send(DeltaStream(progress.sent.map(\.delta.delta)))
    }

    /// Compares the old values of a row with those that the server has now.
    ///
    /// - Returns: whether the change is to be sent.
    private mutating func compare(
        _ id: RowID,
        of index: Int,
        _ theirs: [RowKey: [DataValue]],
        _ progress: inout ApplyProgress
    ) -> Bool {
        // Not a copy of the table: a change would copy all of its pending rows.
        let layout = tables[index].layout
        guard let row = tables[index].kept[id], let key = layout.key(of: row.old) else { return false }
        let changed = ChangedRow(tables[index].name, id)
        guard let theirs = theirs[key] else {
            if row.state == .removed {
                tables[index].accept(id)
                progress.report.accepted.append(changed)
                progress.report.notes.append(.alreadyRemoved(changed))
            } else {
                progress.done.insert(changed)
                progress.report.conflicts.append(tables[index].conflict(.missing, row, id, nil))
            }
            return false
        }
        guard !layout.isSame(row.old, theirs) else { return true }
        let isRebased = progress.isForced || progress.isMerging && layout.isApart(row, theirs)
        let new = isRebased ? layout.rebased(row, on: theirs) : row.new
        if row.state == .updated, layout.isSame(new, theirs) {
            // Another client made the same change.
            tables[index].accept(id)
            progress.report.accepted.append(changed)
            return false
        }
        if isRebased {
            tables[index].rebase(id, on: theirs)
            return true
        }
        progress.done.insert(changed)
        progress.report.conflicts.append(tables[index].conflict(.changed, row, id, theirs))
        return false
    }

    private mutating func replaceKeys(_ keys: [String: [Int64: DataValue]], of index: Int) {
        for (field, keys) in keys {
            guard let column = try? tables[index].layout.column(field) else { continue }
            for reference in references where self.index(of: reference.master) == index {
                guard let detail = self.index(of: reference.detail) else { continue }
                for (field, masterField) in reference.fields
                where (try? tables[index].layout.column(masterField)) == column {
                    // `add` has resolved the field.
                    try? tables[detail].replaceKeys(keys, in: field)
                }
            }
        }
    }
}

extension EditableTable {
    /// Asks for the server's rows of pending changes, by their old keys.
    func keyRequest(for rows: [RowID]) -> RowRequest {
        RowRequest(
            table: name,
            fields: layout.key.map { fields[$0].column },
            values: rows.compactMap { id in kept[id].map { row in layout.key.map { row.old[$0] } } }
        )
    }

    /// Returns rows that were read, by key, with NULL in fields that deltas do not include. Nil if a logged field is
    /// missing.
    func rowsByKey(_ reading: RowReading) -> [RowKey: [DataValue]]? {
        guard let rows = logged(reading) else { return nil }
        return Dictionary(
            rows.compactMap { row in layout.key(of: row).map { ($0, row) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns rows that were read, with one value for each field. Nil if a logged field is missing.
    func logged(_ reading: RowReading) -> [[DataValue]]? {
        let columns = reading.columns.map { try? layout.column($0.name) }
        guard layout.logged.allSatisfy({ columns.contains($0) }) else { return nil }
        return reading.rows.flatMap { rows in
            rows.map { row in
                var values = [DataValue](repeating: .null, count: fields.count)
                for (column, value) in zip(columns, row) {
                    if let column { values[column] = value }
                }
                return values
            }
        }
    }
}
