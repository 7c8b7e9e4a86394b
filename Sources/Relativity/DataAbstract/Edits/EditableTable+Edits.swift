// SPDX-License-Identifier: Apache-2.0

/// Edits. A refused edit changes nothing.
extension EditableTable {
    /// Appends a row. Fields without a value have their default or NULL, or a temporary key if the server assigns the
    /// value: -1, -2 and so on. A new row with the key of a removed one changes that one instead, because a server may make
    /// new rows before it deletes others.
    ///
    /// - Returns: the new row.
    /// - Throws: `unknownField`, `ambiguousField`, `unfit`, `tooLong`, `readOnly`, `required`, `duplicateKey`; `keyUnknown`
    ///   if the removed row is known only by its temporary key.
    @discardableResult
    public mutating func append(_ values: [String: DataValue] = [:]) throws(EditError) -> RowID {
        let (row, nextKey) = try newRow(values)
        try checkNew(row)
        let removed = try replaceRemoved(by: row)
        // Each new row takes a number, also one with a key of its own.
        nextTemporaryKey = nextKey
        return removed ?? insert(row, at: takeID())
    }

    /// Gives the removed row with the key of a new one the values of that, apart from those that the server assigns or an
    /// edit cannot set.
    ///
    /// - Returns: the row, visible again; nil if no removed row has the key.
    private mutating func replaceRemoved(by new: [DataValue]) throws(EditError) -> RowID? {
        guard let key = layout.key(of: new), let id = findRemoved(key), let removed = kept[id] else { return nil }
        guard !hasTemporaryKey(removed) else { throw .keyUnknown(id) }
        var row = removed.old
        for column in row.indices where layout.isSettable[column] && !fields[column].isAutoInc {
            row[column] = new[column]
        }
        drop(id)
        try change(id, to: row)
        return id
    }

    /// Starts a new row in edit mode. It is not visible until it is posted.
    public mutating func begin() -> RowID {
        let id = takeID()
        // Defaults are checked already, so without values nothing is refused.
        if let (row, nextKey) = try? newRow([:]) {
            drafts[id] = row
            nextTemporaryKey = nextKey
        }
        return id
    }

    /// Starts edit mode for a row: changes are not visible until they are posted. Nothing happens if the row is in
    /// edit mode.
    ///
    /// - Throws: `unknownRow`, `keyUnknown`.
    public mutating func edit(_ id: RowID) throws(EditError) {
        guard drafts[id] == nil else { return }
        let row = try visible(id)
        // A refresh finds the row again by its old values.
        keep(row, at: id)
        drafts[id] = row.new
    }

    /// Returns the values of a row in edit mode, in the order of the fields; nil if it is not in edit mode.
    public func draft(_ id: RowID) -> [DataValue]? { drafts[id] }

    /// Sets fields of a row, in edit mode or visibly. A time that differs by less than a millisecond is not changed.
    ///
    /// - Throws: `unknownRow`, `unknownField`, `ambiguousField`, `unfit`, `tooLong`, `readOnly`; if the row is not in
    ///   edit mode also the errors of `post`.
    public mutating func set(_ values: [String: DataValue], of id: RowID) throws(EditError) {
        if var draft = drafts[id] {
            try assign(values, to: &draft)
            drafts[id] = draft
        } else {
            var row = try visible(id).new
            try assign(values, to: &row)
            try change(id, to: row)
        }
    }

    /// Sets a field of a row. The errors are those of the other form.
    public mutating func set(_ field: String, of id: RowID, to value: DataValue) throws(EditError) {
        try set([field: value], of: id)
    }

    /// Ends edit mode and makes the changes visible.
    ///
    /// - Returns: the row. It is another one if a new row has the key of a removed one, as in `append`.
    /// - Throws: `notEditing`, `required`, `duplicateKey`, `noKey`, `keyUnknown`. The row stays in edit mode.
    @discardableResult
    public mutating func post(_ id: RowID) throws(EditError) -> RowID {
        guard let draft = drafts[id] else { throw .notEditing(id) }
        guard kept[id] == nil else {
            try change(id, to: draft)
            drafts[id] = nil
            release(id)
            return id
        }
        try checkNew(draft)
        let removed = try replaceRemoved(by: draft)
        drafts[id] = nil
        return removed ?? insert(draft, at: id)
    }

    /// Ends edit mode and drops the changes that are not posted. A new row disappears.
    ///
    /// - Throws: `notEditing`.
    public mutating func cancel(_ id: RowID) throws(EditError) {
        guard drafts.removeValue(forKey: id) != nil else { throw .notEditing(id) }
        release(id)
    }

    /// Removes a row. A new row disappears, and the server is not asked to delete it.
    ///
    /// - Throws: `unknownRow`, `noKey`, `keyUnknown`.
    public mutating func remove(_ id: RowID) throws(EditError) {
        if drafts[id] != nil, kept[id] == nil {
            drafts[id] = nil
            return
        }
        var row = try visible(id)
        drafts[id] = nil
        guard row.state != .inserted else { return keep(nil, at: id) }
        guard !layout.key.isEmpty else { throw .noKey }
        row.state = .removed
        row.failure = nil
        noteRemoval(of: id)
        keep(row, at: id)
    }

    /// Drops the pending change of a row: a new row disappears, a removed one is visible again.
    ///
    /// - Throws: `unknownRow` if the row has no pending change; `duplicateKey` if another row has its old key.
    public mutating func revert(_ id: RowID) throws(EditError) { try revert([id]) }

    /// Drops the pending changes of rows together, which may exchange their keys.
    ///
    /// - Throws: `unknownRow` if a row has no pending change; `duplicateKey` if another row has the old key of one. Then
    ///   nothing is dropped.
    public mutating func revert(_ ids: Set<RowID>) throws(EditError) {
        for id in ids {
            guard let row = kept[id], row.isPending else { throw .unknownRow(id) }
            guard row.state != .inserted, let key = layout.key(of: row.old), let other = find(key) else { continue }
            guard ids.contains(other) else { throw .duplicateKey }
        }
        for id in ids { drop(id) }
    }

    /// Drops the pending change of a row, if it has one. Its old key must be free.
    mutating func drop(_ id: RowID) {
        guard let row = kept[id], row.isPending else { return }
        drafts[id] = nil
        removals[id] = nil
        guard row.state != .inserted, !row.isMissing else { return keep(nil, at: id) }
        keep(KeptRow(state: .unchanged, base: row.base, old: row.old, new: row.old), at: id)
        release(id)
    }

    private mutating func takeID() -> RowID {
        defer { nextID += 1 }
        return RowID(nextID)
    }

    private func newRow(_ values: [String: DataValue]) throws(EditError) -> (row: [DataValue], nextKey: Int64) {
        var nextKey = nextTemporaryKey
        var row = layout.initialValues
        for (column, field) in fields.enumerated() where field.isAutoInc {
            row[column] = .integer(nextKey)
            // A table may have negative keys of its own.
            while layout.key == [column], let key = layout.key(of: row), find(key) != nil || findRemoved(key) != nil {
                nextKey -= 1
                row[column] = .integer(nextKey)
            }
            nextKey -= 1
        }
        try assign(values, to: &row)
        return (row, nextKey)
    }

    private mutating func insert(_ values: [DataValue], at id: RowID) -> RowID {
        appended.append(id)
        keep(KeptRow(state: .inserted, old: values, new: values), at: id)
        return id
    }

    private func assign(_ values: [String: DataValue], to row: inout [DataValue]) throws(EditError) {
        // In the order of the fields, so that the error does not depend on the order of the dictionary.
        var columns: [(column: Int, value: DataValue)] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            columns.append((try layout.column(name), value))
        }
        try layout.assign(columns.sorted { $0.column < $1.column }, to: &row)
    }

    private func visible(_ id: RowID) throws(EditError) -> KeptRow {
        guard let row = keptOrBase(id), row.isVisible else { throw .unknownRow(id) }
        guard row.state == .inserted || !hasTemporaryKey(row) else { throw .keyUnknown(id) }
        return row
    }

    /// Whether a row that the server has is known only by its temporary key.
    private func hasTemporaryKey(_ row: KeptRow) -> Bool {
        guard row.base == nil else { return false }
        return layout.key.contains { fields[$0].isAutoInc && isTemporaryKey(row.old[$0]) }
    }

    /// Whether this table has issued the value as a temporary key.
    func isTemporaryKey(_ value: DataValue) -> Bool {
        if case .integer(let number) = value { number < 0 && number > nextTemporaryKey } else { false }
    }

    private func checkNew(_ row: [DataValue]) throws(EditError) {
        try layout.checkRequired(row)
        guard let key = layout.key(of: row) else { return }
        guard find(key) == nil else { throw .duplicateKey }
    }

    private mutating func change(_ id: RowID, to values: [DataValue]) throws(EditError) {
        var row = try visible(id)
        for (column, field) in fields.enumerated() where values[column].isNull && !row.new[column].isNull {
            guard !field.isRequired, !field.isInPrimaryKey else { throw .required(field: field.name) }
        }
        if row.state != .inserted, layout.key.isEmpty { throw .noKey }
        if let key = layout.key(of: values), key != layout.key(of: row.new), find(key) != nil { throw .duplicateKey }
        row.new = values
        row.failure = nil
        if row.state == .inserted {
            row.old = values
        } else {
            row.state = layout.isSame(row.old, values) ? .unchanged : .updated
        }
        keep(row, at: id)
        release(id)
    }
}
