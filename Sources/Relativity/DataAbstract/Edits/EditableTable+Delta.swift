// SPDX-License-Identifier: Apache-2.0

/// A delta of a table, with the rows that it was made of.
public struct TableDelta: Sendable {
    /// The delta.
    public let delta: Delta
    /// The row of each change.
    public let rows: [RowID]
}

/// The outcome of the changes of one table after a reply to UpdateData.
public struct TableOutcome: Hashable, Sendable {
    /// Rows whose change the server accepted.
    public var accepted: [RowID] = []
    /// Rows whose change the server rejected. The row has the reason. The change stays pending.
    public var failed: [RowID] = []
    /// Rows whose change the server did not process. It stays pending.
    public var notProcessed: [RowID] = []
    /// Accepted new rows whose key the server did not report. They cannot be edited before the next refresh.
    public var withoutKey: [RowID] = []
    /// Changes in the reply that are not in the request, by their record ID.
    public var unknownRecords: [Int32] = []
    /// Temporary keys that the server replaced: for each field the real values by temporary key.
    public var keys: [String: [Int64: DataValue]] = [:]

    /// Creates an outcome without rows.
    public init() {}
}

extension EditableTable {
    /// The pending changes as a delta in the form of the vendor's client; nil if there are none.
    ///
    /// An insert has its new values as old ones too. An update has all old and all new values. A delete has the old
    /// values of the row, and as new ones those that it had when it was removed.
    ///
    /// - Throws: `tooLong`.
    public func delta() throws(TableError) -> Delta? {
        try delta(of: changedRows)?.delta
    }

    /// Returns a delta of some of the rows with pending changes, in this order; nil if there are none.
    func delta(of rows: [RowID]) throws(TableError) -> TableDelta? {
        guard !rows.isEmpty else { return nil }
        let logged = layout.logged
        var delta = emptyDelta
        // A record ID needs to be unique in the delta only.
        let hasSmallIDs = nextID <= Int64(Int32.max)
        let changes = rows.compactMap { id in
            kept[id].flatMap { row in row.state.change.map { (id: id, row: row, kind: $0) } }
        }
        for (position, (id, row, kind)) in changes.enumerated() {
            try delta.append(
                kind,
                recordID: Int32(truncatingIfNeeded: hasSmallIDs ? id.number : Int64(position)),
                old: logged.map { row.old[$0] },
                new: logged.map { row.new[$0] }
            )
        }
        return TableDelta(delta: delta, rows: changes.map(\.id))
    }

    /// A delta without changes.
    var emptyDelta: Delta {
        Delta(
            name: name,
            fields: layout.logged.map { fields[$0].column },
            keys: layout.key.map { fields[$0].name }
        )
    }

    /// Merges the reply to UpdateData: accepted changes are no longer pending, and the rows have the values that the
    /// server made. A change that the reply does not mention is accepted.
    ///
    /// - Parameters:
    ///   - reply: the delta of this table in the reply; nil if it has none.
    ///   - sent: the delta of the request. The table has not been edited since.
    mutating func merge(_ reply: Delta?, of sent: TableDelta) -> TableOutcome {
        var outcome = TableOutcome()
        var answers: [Int32: DeltaChange] = [:]
        for change in reply?.changes ?? DeltaChanges([]) { answers[change.recordID] = change }
        let columns = (reply?.fields ?? []).map { try? layout.column($0.name) }
        for (change, id) in zip(sent.delta.changes, sent.rows) {
            let answer = answers.removeValue(forKey: change.recordID)
            switch answer?.status {
            case .failed:
                if var row = kept[id] {
                    row.failure = answer?.message
                    keep(row, at: id)
                }
                outcome.failed.append(id)
            case .pending: outcome.notProcessed.append(id)
            case .resolved, nil:
                accept(id, answer, columns, isReduced: reply?.isReduced ?? false, &outcome)
                outcome.accepted.append(id)
            }
        }
        outcome.unknownRecords += answers.keys.sorted()
        return outcome
    }

    private mutating func accept(
        _ id: RowID,
        _ answer: DeltaChange?,
        _ columns: [Int?],
        isReduced: Bool,
        _ outcome: inout TableOutcome
    ) {
        guard var row = kept[id] else { return }
        guard row.state != .removed else {
            row.isGone = true
            return keep(row, at: id)
        }
        let before = row.new
        if let answer {
            for (column, (old, new)) in zip(columns, zip(answer.old, answer.new)) {
                guard let column, fields[column].fits(new), !(isReduced && new.isNull) else { continue }
                if !layout.isSame(column, old, new) { row.new[column] = new }
            }
        }
        if row.state == .inserted { noteKeys(of: id, before, row.new, &outcome) }
        (row.state, row.old, row.failure, row.isMissing) = (.unchanged, row.new, nil, false)
        keep(row, at: id)
        guard var draft = drafts[id] else { return }
        for column in draft.indices where layout.isSame(column, draft[column], before[column]) {
            draft[column] = row.new[column]
        }
        drafts[id] = draft
    }

    private func noteKeys(of id: RowID, _ before: [DataValue], _ after: [DataValue], _ outcome: inout TableOutcome) {
        for (column, field) in fields.enumerated() where field.isAutoInc && isTemporaryKey(before[column]) {
            guard case .integer(let temporary) = before[column] else { continue }
            if isTemporaryKey(after[column]) {
                if field.isInPrimaryKey { outcome.withoutKey.append(id) }
            } else {
                outcome.keys[field.name, default: [:]][temporary] = after[column]
            }
        }
    }

    /// Replaces temporary keys of another table, or of this one, in pending changes and in rows in edit mode. What the
    /// server has stays, also under a row in edit mode: a reply that was lost may have stored a temporary key there.
    ///
    /// - Throws: `unknownField`, `ambiguousField`.
    mutating func replaceKeys(_ keys: [Int64: DataValue], in field: String) throws(EditError) {
        let column = try layout.column(field)
        let field = fields[column]
        let replaced = { (value: DataValue) -> DataValue? in
            guard case .integer(let number) = value, let real = keys[number] else { return nil }
            return field.fits(real) ? real : nil
        }
        for (id, row) in kept where row.state == .inserted || row.state == .updated {
            guard let real = replaced(row.new[column]) else { continue }
            var row = row
            row.new[column] = real
            if row.state == .inserted { row.old[column] = real }
            keep(row, at: id)
        }
        for (id, draft) in drafts {
            if let row = kept[id], layout.isSame(column, row.new[column], draft[column]) { continue }
            if let real = replaced(draft[column]) { drafts[id]?[column] = real }
        }
    }
}

extension RowState {
    var change: DeltaChange.Kind? {
        switch self {
        case .unchanged: nil
        case .inserted: .insert
        case .updated: .update
        case .removed: .delete
        }
    }
}
