// SPDX-License-Identifier: Apache-2.0

/// A pending change that does not fit the row that the server has now.
public struct EditConflict: Hashable, Sendable {
    /// The difference to the server's row.
    public enum Kind: UInt8, Sendable, CaseIterable {
        /// Both sides changed the row.
        case changed
        /// The server no longer has the row.
        case missing
        /// The server has a row with the key of a new row.
        case keyTaken
    }

    /// The values of a field on both sides.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The type of the values.
        public let type: DataType
        /// The value when the row was read before.
        public let old: DataValue
        /// The value of the pending change.
        public let mine: DataValue
        /// The value that the server has now; nil if it has no such row.
        public let theirs: DataValue?

        /// Creates the description of a conflict.
        public init(name: String, type: DataType, old: DataValue, mine: DataValue, theirs: DataValue?) {
            (self.name, self.type, self.old, self.mine, self.theirs) = (name, type, old, mine, theirs)
        }
    }

    /// The table.
    public let table: String
    /// The row.
    public let row: RowID
    /// The difference.
    public let kind: Kind
    /// The state of the row: inserted, updated or removed; unchanged if it is in edit mode only.
    public let state: RowState
    /// The fields that conflict. If a side has no row: all logged fields.
    public let fields: [Field]
}

extension EditableTable {
    /// Replaces the rows by those that the server has now, and merges pending changes and rows in edit mode.
    ///
    /// A field that only one side changed has the value of that side. If both changed it, the row keeps its own value,
    /// and the field is reported. It is reported again before the change is applied.
    ///
    /// - Parameter rows: all rows of the table.
    /// - Returns: the conflicts, in the order of the changes.
    /// - Throws: `otherColumns`.
    public mutating func refresh(_ rows: [DataRows]) throws(EditError) -> [EditConflict] {
        let pending = changedRows + kept.keys.filter { kept[$0]?.state == .unchanged && drafts[$0] != nil }.sorted()
        let before = kept
        try replaceBase(rows)
        removals = removals.filter { before[$0.key]?.isPending == true }
        var conflicts: [EditConflict] = []
        for id in pending {
            guard let row = before[id] else { continue }
            merge(row, id, &conflicts)
        }
        return conflicts
    }

    /// Adds rows that were read by key, or replaces those with the same keys, and merges pending changes as `refresh`
    /// does. The rows are held as values.
    ///
    /// - Returns: the conflicts, in the order of the rows.
    /// - Throws: `otherColumns`; `noKey` if the table has no key.
    public mutating func load(_ rows: [DataRows]) throws(EditError) -> [EditConflict] {
        guard rows.allSatisfy({ $0.types == layout.types || $0.isEmpty }) else { throw .otherColumns }
        guard !layout.key.isEmpty else { throw .noKey }
        var pending: [RowKey: RowID] = [:]
        for (id, row) in kept where row.state != .inserted && !row.isGone {
            if let key = layout.key(of: row.old) { pending[key] = id }
        }
        var conflicts: [EditConflict] = []
        for row in rows.map({ $0.reading(in: layout.codePage) }).joined() {
            let theirs = Array(row)
            guard let key = layout.key(of: theirs) else { continue }
            if let id = pending[key], let row = kept[id] {
                merge(row, id, row.base, theirs, &conflicts)
                continue
            }
            if let id = find(key), let row = kept[id] {
                conflicts.append(conflict(.keyTaken, row, id, theirs))
                continue
            }
            let place = index.find(key, in: base)
            let id = place.map { self.id(ofBase: $0) } ?? RowID(nextID)
            if place == nil {
                nextID += 1
                appended.append(id)
            }
            keep(KeptRow(state: .unchanged, base: place, old: theirs, new: theirs), at: id)
            pending[key] = id
        }
        return conflicts
    }

    /// Finds the row of a pending change in the new base and merges both.
    private mutating func merge(_ row: KeptRow, _ id: RowID, _ conflicts: inout [EditConflict]) {
        let key = layout.key(of: row.state == .inserted ? row.new : row.old)
        let place = key.flatMap { index.find($0, in: base) }
        if row.state == .inserted || place == nil { appended.append(id) }
        merge(row, id, place, place.map { Array(base[$0]) }, &conflicts)
    }

    /// Merges a row with the server's row, which is nil if there is none.
    private mutating func merge(
        _ row: KeptRow,
        _ id: RowID,
        _ place: Int?,
        _ theirs: [DataValue]?,
        _ conflicts: inout [EditConflict]
    ) {
        var row = row
        switch (row.state, theirs) {
        case (.inserted, _):
            if let theirs { conflicts.append(conflict(.keyTaken, row, id, theirs)) }
            keep(row, at: id)
        case (.removed, nil):
            // Both sides removed it.
            unsaved.insert(id)
        case (.unchanged, nil), (.updated, nil):
            if row.state == .unchanged { row.new = drafts.removeValue(forKey: id) ?? row.new }
            conflicts.append(conflict(.missing, row, id, nil))
            guard row.state == .updated else { return }
            (row.base, row.isMissing) = (nil, true)
            keep(row, at: id)
        case (.removed, let theirs?):
            row.base = place
            row.isMissing = false
            if !layout.isSame(row.old, theirs) { conflicts.append(conflict(.changed, row, id, theirs)) }
            keep(row, at: id)
        case (.unchanged, let theirs?), (.updated, let theirs?):
            row.base = place
            row.isMissing = false
            var fields: [EditConflict.Field] = []
            if let draft = drafts[id] { drafts[id] = merged(draft, row.new, theirs, &fields).values }
            let result = merged(row.new, row.old, theirs, &fields)
            if !fields.isEmpty {
                conflicts.append(EditConflict(table: name, row: id, kind: .changed, state: row.state, fields: fields))
            }
            (row.new, row.old) = (result.values, result.old)
            row.state = layout.isSame(row.old, row.new) ? .unchanged : .updated
            keep(row, at: id)
            release(id)
        }
    }

    /// Merges one side's values into those of the other side. The old value of a field in conflict stays.
    private func merged(
        _ mine: [DataValue],
        _ old: [DataValue],
        _ theirs: [DataValue],
        _ conflicts: inout [EditConflict.Field]
    ) -> (values: [DataValue], old: [DataValue]) {
        var (values, rebased) = (theirs, theirs)
        for column in layout.logged where !layout.isSame(column, mine[column], old[column]) {
            values[column] = mine[column]
            guard !layout.isSame(column, theirs[column], old[column]),
                !layout.isSame(column, theirs[column], mine[column])
            else { continue }
            rebased[column] = old[column]
            conflicts.append(field(column, old, mine, theirs))
        }
        return (values, rebased)
    }

    /// Describes a conflict. Only fields in which the server's row differs from the old one are in conflict.
    func conflict(_ kind: EditConflict.Kind, _ row: KeptRow, _ id: RowID, _ theirs: [DataValue]?) -> EditConflict {
        let columns = layout.logged.filter { column in
            guard kind == .changed, let theirs else { return true }
            return !layout.isSame(column, theirs[column], row.old[column])
        }
        return EditConflict(
            table: name,
            row: id,
            kind: kind,
            state: row.state,
            fields: columns.map { field($0, row.old, row.new, theirs) }
        )
    }

    private func field(
        _ column: Int,
        _ old: [DataValue],
        _ mine: [DataValue],
        _ theirs: [DataValue]?
    ) -> EditConflict.Field {
        EditConflict.Field(
            name: fields[column].name,
            type: fields[column].type,
            old: old[column],
            mine: mine[column],
            theirs: theirs?[column]
        )
    }

    /// Sets the values that the server has for a row with a pending change, so that the change is based on them. Fields
    /// without a change get the server's values.
    ///
    /// - Parameter theirs: one value for each field.
    mutating func rebase(_ id: RowID, on theirs: [DataValue]) {
        guard var row = kept[id], row.state == .updated || row.state == .removed else { return }
        if row.state == .updated { row.new = layout.rebased(row, on: theirs) }
        row.old = theirs
        keep(row, at: id)
    }
}
