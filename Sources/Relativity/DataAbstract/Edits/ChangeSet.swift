// SPDX-License-Identifier: Apache-2.0

import Platform

/// A row of one of several tables.
public struct ChangedRow: Hashable, Sendable {
    /// The table.
    public let table: String
    /// The row.
    public let row: RowID

    /// Names a row.
    public init(_ table: String, _ row: RowID) {
        self.table = table
        self.row = row
    }
}

/// The tables whose changes are applied together, in the order of the deltas.
///
/// ```swift
/// let schema = try DataSchema(parsing: try await adapter.schema())
/// let orders = try EditableTable(try await adapter.table(TableRequest("Orders")), schema: schema.table("Orders"))
/// var changes = try ChangeSet([orders], references: KeyReference.references(of: schema))
/// try changes.edit("Orders") { table throws(EditError) in
///     try table.set("Status", of: RowID(0), to: .integer(2))
/// }
/// let store = try PendingFile("orders.pending")
/// let report = try await ApplyRunner(AdapterChangeServer(adapter), store: store).apply(&changes)
/// ```
public struct ChangeSet: Sendable {
    /// The progress of an apply.
    public enum Phase: Hashable, Sendable {
        /// Changes can be edited and applied.
        case idle
        /// Rows are read, or a call is made. It does not change the tables before its end.
        case applying
        /// A call was sent, and there is no reply. The server may have applied the changes of these rows. Nothing is
        /// sent before `retry`, `settle` or `drop` was called.
        case unknownOutcome([ChangedRow])
    }

    /// The tables, in the order in which their changes are sent.
    public internal(set) var tables: [EditableTable]
    /// The references between the tables.
    public private(set) var references: [KeyReference] = []
    /// The progress of an apply.
    public internal(set) var phase: Phase = .idle
    /// The apply in progress.
    var apply: ApplyProgress?
    /// Whether tables or references are not yet in the pending file.
    var hasUnsavedTables = false

    /// Creates a set of changes.
    ///
    /// - Throws: `duplicateTable`; `unknownField`, `ambiguousField` for a reference. A reference to a table that is not in
    ///   the set has no effect.
    public init(_ tables: [EditableTable], references: [KeyReference] = []) throws(EditError) {
        self.tables = []
        for table in tables { try add(table) }
        for reference in references { try add(reference) }
    }

    /// Adds a table after the others.
    ///
    /// - Throws: `duplicateTable`, `inFlight`.
    public mutating func add(_ table: EditableTable) throws(EditError) {
        guard phase == .idle else { throw .inFlight }
        guard index(of: table.name) == nil else { throw .duplicateTable(table.name) }
        tables.append(table)
        hasUnsavedTables = true
    }

    /// Adds a reference, unless the set has it. It has no effect before both tables are in the set.
    ///
    /// - Throws: `unknownField`, `ambiguousField` if a table of the set has no such field; `inFlight`.
    public mutating func add(_ reference: KeyReference) throws(EditError) {
        guard phase == .idle else { throw .inFlight }
        for (table, fields) in [
            (reference.detail, reference.detailFields), (reference.master, reference.masterFields),
        ] {
            guard let index = index(of: table) else { continue }
            for field in fields { _ = try tables[index].layout.column(field) }
        }
        guard !references.contains(reference) else { return }
        references.append(reference)
        hasUnsavedTables = true
    }

    /// Whether a table has pending changes.
    public var hasChanges: Bool { tables.contains { $0.hasChanges } }

    /// Returns a table; nil if the set has none of this name, ignoring case.
    public func table(_ name: String) -> EditableTable? { index(of: name).map { tables[$0] } }

    /// Edits a table.
    ///
    /// - Throws: `inFlight`, `unknownTable`, and the errors of the edit. Edits before the refused one remain.
    public mutating func edit<Result>(
        _ name: String,
        _ body: (inout EditableTable) throws(EditError) -> Result
    ) throws(EditError) -> Result {
        guard phase == .idle else { throw .inFlight }
        guard let index = index(of: name) else { throw .unknownTable(UnknownName(name, among: tables.map(\.name))) }
        return try body(&tables[index])
    }

    /// Drops pending changes together, whatever their order.
    ///
    /// - Throws: the errors of `edit` and of `EditableTable.revert`.
    public mutating func revert(_ rows: [ChangedRow]) throws(EditError) {
        for (name, rows) in Dictionary(grouping: rows, by: \.table) {
            let ids = Set(rows.map(\.row))
            try edit(name) { table throws(EditError) in try table.revert(ids) }
        }
    }

    /// The pending changes as deltas, in the order of the tables. Tables without changes have none.
    ///
    /// - Throws: `tooLong`.
    public func deltas() throws(TableError) -> DeltaStream {
        var stream = DeltaStream()
        for table in tables {
            if let delta = try table.delta() { stream.deltas.append(delta) }
        }
        return stream
    }

    func index(of name: String) -> Int? { NameMatch(name, in: tables.lazy.map(\.name)).index }

    /// The rows with pending changes, in the order of the tables.
    public var changedRows: [ChangedRow] {
        tables.flatMap { table in table.changedRows.map { ChangedRow(table.name, $0) } }
    }
}

/// The temporary keys that pending rows refer to.
extension ChangeSet {
    /// A reference of a pending row to a row that the server does not have.
    struct TemporaryReference {
        let reference: KeyReference
        /// The column with the temporary key.
        let column: Int
        /// The new row; nil if there is none any longer, or if the server did not report its key.
        let master: RowID?
    }

    /// Finds the references of a row to temporary keys.
    func temporaryReferences(of id: RowID, in table: EditableTable) -> [TemporaryReference] {
        guard let row = table.kept[id], row.state == .inserted || row.state == .updated else { return [] }
        return references.flatMap { reference -> [TemporaryReference] in
            guard NameMatch.isSimilar(reference.detail, table.name), let master = self.table(reference.master) else {
                return []
            }
            return reference.fields.compactMap { field, masterField in
                guard let column = try? table.layout.column(field),
                    let masterColumn = try? master.layout.column(masterField),
                    master.fields[masterColumn].isAutoInc,
                    // An unchanged value is one that the server has, so it is not temporary.
                    row.state == .inserted || !table.layout.isSame(column, row.new[column], row.old[column]),
                    let key = master.temporaryKey(row.new[column], in: masterColumn)
                else { return nil }
                return TemporaryReference(reference: reference, column: column, master: key.row)
            }
        }
    }

    /// The pending rows that refer to a new row which an earlier state of this set has and this one has not. They would
    /// wait for its key forever.
    public func orphans(since earlier: ChangeSet) -> [ChangedRow] {
        changedRows.filter { row in
            guard let table = table(row.table), let before = earlier.table(row.table) else { return false }
            let lost = temporaryReferences(of: row.row, in: table).filter { $0.master == nil }.map(\.column)
            guard !lost.isEmpty else { return false }
            return earlier.temporaryReferences(of: row.row, in: before)
                .contains { $0.master != nil && lost.contains($0.column) }
        }
    }
}

extension EditableTable {
    struct TemporaryKey {
        let row: RowID?
    }

    /// Finds the pending new row with a temporary key. The row is nil if there is none any longer, or if the server
    /// accepted it and did not report its key.
    ///
    /// - Returns: nil if the value is not a temporary key.
    func temporaryKey(_ value: DataValue, in column: Int) -> TemporaryKey? {
        guard isTemporaryKey(value) else { return nil }
        if layout.key == [column] {
            guard let id = find(key: [value]) else { return TemporaryKey(row: nil) }
            // A table may have negative keys of its own.
            guard let row = kept[id], row.base == nil else { return nil }
            return TemporaryKey(row: row.state == .inserted ? id : nil)
        }
        let row = kept.first { $0.value.state == .inserted && layout.isSame(column, $0.value.new[column], value) }
        return TemporaryKey(row: row?.key)
    }
}
