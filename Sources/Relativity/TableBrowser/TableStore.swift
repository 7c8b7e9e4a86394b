// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Platform

/// The tables that were read, with their pending changes.
struct TableStore: Sendable {
    /// A table.
    struct Entry: Sendable {
        var table: EditableTable
        /// The condition that the server got; nil if it was asked for all rows.
        var predicate: Expression?
        /// Whether there are more rows than the limit.
        var isCut: Bool
        /// Counts the changes of the rows.
        var version = 0

        /// Whether all rows of the server's table were read.
        var isComplete: Bool { predicate == nil && !isCut }
    }

    private var entries: [NameKey: Entry] = [:]
    /// The references between tables.
    var references: [KeyReference] = []
    /// The changes of a call whose outcome is unknown.
    var undecided: ChangeSet?

    /// The entry of a table, ignoring case; nil if it was not read.
    subscript(name: String) -> Entry? { entries[NameKey(name)] }

    /// Whether a table has pending changes.
    var hasChanges: Bool { entries.values.contains { $0.table.hasChanges } }

    /// The number of pending changes.
    var changeCount: Int { entries.values.reduce(0) { $0 + $1.table.changedRows.count } }

    /// The number of pending changes of a table.
    func changes(of name: String) -> Int {
        guard let table = self[name]?.table, table.hasChanges else { return 0 }
        return table.changedRows.count
    }

    /// Replaces a table after an edit.
    mutating func update(_ table: EditableTable) {
        entries[NameKey(table.name)]?.table = table
        entries[NameKey(table.name)]?.version += 1
    }

    /// Adds a table that was read, or merges it with the pending changes of an earlier reading.
    ///
    /// - Returns: the conflicts.
    /// - Throws: `otherColumns` if there are pending changes, and the server's table has other fields now.
    mutating func take(
        _ table: EditableTable,
        where predicate: Expression?,
        isCut: Bool
    ) throws(EditError) -> [EditConflict] {
        let name = NameKey(table.name)
        let version = (entries[name]?.version ?? 0) + 1
        guard var entry = entries[name], entry.table.hasChanges || entry.table.isEditing else {
            entries[name] = Entry(table: table, predicate: predicate, isCut: isCut, version: version)
            return []
        }
        entry.version = version
        let conflicts: [EditConflict]
        if predicate == nil, !isCut {
            conflicts = try entry.table.refresh(table.readRows)
            (entry.predicate, entry.isCut) = (nil, false)
        } else {
            // Rows that are missing in such a reading are not missing on the server.
            conflicts = try entry.table.load(table.readRows)
        }
        entries[name] = entry
        return conflicts
    }

    /// The pending changes of all tables, masters before details.
    ///
    /// - Parameter isComplete: whether the set has tables without changes, too.
    func changeSet(isComplete: Bool = false) -> ChangeSet? {
        let tables = entries.values.map(\.table).filter { isComplete || $0.hasChanges }
        let depths = tables.map { depth(of: $0.name) }
        let sorted = zip(tables, depths).sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }.map(\.0)
        guard var changes = try? ChangeSet(sorted) else { return nil }
        // A reference with a field that the table does not have cannot connect rows.
        for reference in references { try? changes.add(reference) }
        return changes
    }

    /// Takes the tables of a set after an apply.
    mutating func take(_ changes: ChangeSet) {
        for table in changes.tables { update(table) }
        undecided = changes.undecidedRows.isEmpty ? nil : changes
    }

    /// The number of masters above a table, at most as many as there are references.
    private func depth(of table: String) -> Int {
        var depth = 0
        var level: Set = [NameKey(table)]
        while depth < references.count {
            let masters = references.filter { level.contains(NameKey($0.detail)) }.map { NameKey($0.master) }
            level = Set(masters).subtracting(level)
            guard !level.isEmpty else { break }
            depth += 1
        }
        return depth
    }
}
