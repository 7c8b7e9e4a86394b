// SPDX-License-Identifier: Apache-2.0

/// The state of a view of a table: which rows it shows, in which order, and which one is selected.
///
/// ```swift
/// var view = TableViewModel(table)
/// try view.sort(by: [FieldOrder("Name"), FieldOrder("Date", isDescending: true)])
/// try view.filter(by: Expression(predicate: "City == 'Ulm'"))
/// try view.insert(["Name": .text("Ada")])
/// for row in view.rows(in: 0..<50) { show(row, isChanged: row.state != .unchanged) }
/// ```
///
/// The order is that of the last `sort`, `filter` or `reload`: an edited row keeps its place, so that it does not move
/// while it is edited. To apply changes, assign `table` in a `ChangeSet`, and `reload` its table after that.
public struct TableViewModel: Sendable {
    /// The table with its pending changes.
    public private(set) var table: EditableTable
    /// Whether edits are refused.
    public let isReadOnly: Bool
    /// The fields that the rows are sorted by, the most significant one first.
    public private(set) var order: [FieldOrder] = []
    /// The condition of the rows that are shown.
    public private(set) var predicate: Expression?
    /// The rows that are shown, in order.
    public private(set) var ids: [RowID] = []
    /// The place of the selected row.
    public private(set) var selectedIndex: Int?
    /// Whether rows whose removal is pending are shown, at their places.
    package let showsRemoved: Bool

    /// Creates a view of all rows in the order of the table. The first row is selected.
    public init(_ table: EditableTable, isReadOnly: Bool = false) {
        self.init(table, isReadOnly: isReadOnly, showsRemoved: false)
    }

    /// Creates a view that may also show the rows whose removal is pending.
    package init(_ table: EditableTable, isReadOnly: Bool = false, showsRemoved: Bool) {
        self.table = table
        self.isReadOnly = isReadOnly
        self.showsRemoved = showsRemoved
        ids = RowArranger(table, showsRemoved: showsRemoved).arranged(by: [])
        selectedIndex = ids.isEmpty ? nil : 0
    }

    /// Creates a view of a table that cannot be edited.
    ///
    /// - Throws: `otherColumns`.
    public init(_ table: DataTable) throws(EditError) {
        self.init(try EditableTable(table), isReadOnly: true)
    }

    /// The number of rows that are shown.
    public var count: Int { ids.count }

    /// The selected row.
    public var selection: RowID? { selectedIndex.map { ids[$0] } }

    /// Returns rows that are shown.
    ///
    /// - Parameter range: places; those that do not exist are left out.
    public func rows(in range: Range<Int>) -> [EditableRow] {
        range.clamped(to: ids.indices).compactMap { table.row(ids[$0]) }
    }

    // MARK: Selection, order, filter

    /// Selects the row at a place, or none. A place that does not exist is the nearest one.
    public mutating func select(_ index: Int?) {
        selectedIndex = ids.isEmpty ? nil : index.map { min(max($0, 0), ids.count - 1) }
    }

    /// Sorts the rows. The same row stays selected.
    ///
    /// - Throws: `unknownField`, `ambiguousField`.
    public mutating func sort(by order: [FieldOrder]) throws(EditError) {
        for field in order { _ = try table.layout.column(field.field) }
        self.order = order
        arrange()
    }

    /// Shows the rows that satisfy a predicate; nil for all rows. The selected row stays selected if it is shown, otherwise
    /// the one at its place is.
    ///
    /// - Throws: `unknownField`, `ambiguousField`, `mismatch`, `unmappable`, `unreadable`. The view is then as before.
    public mutating func filter(by predicate: Expression?) throws(PredicateError) {
        let rows = try predicate.map { predicate throws(PredicateError) in try selected(predicate) }
        self.predicate = predicate
        arrange(rows ?? RowArranger(table, showsRemoved: showsRemoved), selecting: selection)
    }

    /// Shows a table that was refreshed or applied, or another reading of it. The row with the same key stays selected,
    /// otherwise the one at its place. Parts of the order and the predicate that do not fit the fields are dropped.
    public mutating func reload(_ table: EditableTable) {
        let found = selection.flatMap { Self.find($0, of: self.table, in: table) }
        self.table = table
        order.removeAll { (try? table.layout.column($0.field)) == nil }
        arrange(selecting: found)
    }

    private var fields: [DataColumn] { table.fields.map(\.column) }

    /// Finds a row of a table in another reading of it.
    private static func find(_ id: RowID, of table: EditableTable, in other: EditableTable) -> RowID? {
        guard let values = table.row(id)?.values else { return nil }
        if let found = other.find(key: table.layout.key.map { values[$0] }) { return found }
        // The server has assigned the key of a new row.
        return table.kept[id]?.state == .inserted && other.kept[id]?.isVisible == true ? id : nil
    }

    private mutating func arrange() { arrange(selecting: selection) }

    private mutating func arrange(selecting id: RowID?) {
        let found = predicate.flatMap { try? selected($0) }
        if found == nil { predicate = nil }
        arrange(found ?? RowArranger(table, showsRemoved: showsRemoved), selecting: id)
    }

    private func selected(_ predicate: Expression) throws(PredicateError) -> RowArranger {
        try RowArranger(table, try CompiledPredicate(predicate, fields: fields), showsRemoved: showsRemoved)
    }

    private mutating func arrange(_ rows: RowArranger, selecting id: RowID?) {
        let keys = order.compactMap { field in
            (try? table.layout.column(field.field)).map {
                SortColumn($0, isDescending: field.isDescending)
            }
        }
        ids = rows.arranged(by: keys)
        let index = selectedIndex
        selectedIndex = id.flatMap { ids.firstIndex(of: $0) }
        if selectedIndex == nil { select(index) }
    }

    // MARK: Edits

    /// Edits the table. Rows that are new are shown after the selected one, also if the predicate excludes them, and the
    /// first of them is selected. If the selected row is gone, the next one is selected.
    ///
    /// - Throws: `readOnlyTable`, and the errors of the edit. Edits before the refused one remain.
    public mutating func edit<Result>(
        _ body: (inout EditableTable) throws(EditError) -> Result
    ) throws(EditError) -> Result {
        guard !isReadOnly else { throw .readOnlyTable }
        let before = table.kept
        defer { update(after: before) }
        return try body(&table)
    }

    /// Adds a row after the selected one, and selects it.
    ///
    /// - Throws: `readOnlyTable`, and the errors of `EditableTable.append`.
    @discardableResult
    public mutating func insert(_ values: [String: DataValue] = [:]) throws(EditError) -> RowID {
        try edit { table throws(EditError) in try table.append(values) }
    }

    /// Sets fields of the selected row. Nothing happens if none is selected.
    ///
    /// - Throws: `readOnlyTable`, and the errors of `EditableTable.set`.
    public mutating func set(_ values: [String: DataValue]) throws(EditError) {
        let selection = selection
        try edit { table throws(EditError) in
            if let selection { try table.set(values, of: selection) }
        }
    }

    /// Removes the selected row, and selects the next one, or the last one. Nothing happens if none is selected.
    ///
    /// - Throws: `readOnlyTable`, and the errors of `EditableTable.remove`.
    public mutating func remove() throws(EditError) {
        let selection = selection
        try edit { table throws(EditError) in
            if let selection { try table.remove(selection) }
        }
    }

    /// Drops the pending change of the selected row. A row that was new is gone. Nothing happens without a change.
    ///
    /// - Throws: `readOnlyTable`, and the errors of `EditableTable.revert`.
    public mutating func revert() throws(EditError) {
        let selection = selection
        try edit { table throws(EditError) in
            if let selection, table.row(selection)?.state != .unchanged { try table.revert(selection) }
        }
    }

    private func isShown(_ row: KeptRow) -> Bool { row.isShown(withRemoved: showsRemoved) }

    /// Updates the rows that are shown after an edit.
    private mutating func update(after before: [RowID: KeptRow]) {
        var (added, gone): ([RowID], Set<RowID>) = ([], [])
        for id in Set(before.keys).union(table.kept.keys) {
            let wasVisible = before[id].map(isShown) ?? (id.number < table.firstID + Int64(table.base.count))
            let isVisible = table.kept[id].map(isShown) ?? (table.baseRow(of: id) != nil)
            if wasVisible, !isVisible { gone.insert(id) }
            if !wasVisible, isVisible { added.append(id) }
        }
        if !gone.isEmpty {
            let index = selectedIndex ?? 0
            // The rows before the selected one move it.
            let moved = ids[..<min(index, ids.count)].count { gone.contains($0) }
            ids.removeAll { gone.contains($0) }
            if selectedIndex != nil { select(index - moved) }
        }
        if !added.isEmpty {
            let place = selectedIndex.map { $0 + 1 } ?? ids.count
            ids.insert(contentsOf: added.sorted(), at: place)
            selectedIndex = place
        }
    }
}

extension TableViewModel {
    /// Returns rows that are shown, with their pending changes, for a format. Without rows whose removal is pending.
    ///
    /// - Parameter range: places; those that do not exist are left out.
    /// - Throws: `tooLong`.
    package func encodedRows(in range: Range<Int>) throws(TableError) -> DataRows {
        var left = range.clamped(to: ids.indices)
        return try encodedRows(from: &left, bytes: .max)
    }

    /// Lends all rows in batches of 128 KiB, or one row if it is larger.
    ///
    /// - Parameter count: the places, from the first one.
    /// - Throws: `TableError.tooLong`; `CancellationError`; the error of `body`.
    package func forEachBatch(first count: Int, _ body: (DataRows) async throws -> Void) async throws {
        var left = (0..<count).clamped(to: ids.indices)
        while !left.isEmpty {
            try Task.checkCancellation()
            try await body(encodedRows(from: &left, bytes: TableLimits.batch))
        }
    }

    /// - Parameters:
    ///   - left: the places; those that were read are removed.
    ///   - end: the bytes after which no row is added.
    private func encodedRows(from left: inout Range<Int>, bytes end: Int) throws(TableError) -> DataRows {
        var builder = DataRowsBuilder(table.fields.map(\.column))
        while let place = left.first, builder.byteCount < end {
            let id = ids[place]
            left = (place + 1)..<left.upperBound
            guard let row = table.baseRow(of: id) else {
                if let row = table.kept[id], row.isVisible { try builder.append(row.new) }
                continue
            }
            let (batch, index) = table.base.place(of: row)
            do {
                try batch.forEachEncoded([index]) { try builder.append(encoded: $1) }
            } catch {
                throw error as? TableError ?? .tooLong
            }
        }
        return builder.take()
    }
}
