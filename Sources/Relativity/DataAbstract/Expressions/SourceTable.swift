// SPDX-License-Identifier: Apache-2.0

/// The rows of a table that lookups and aggregates read: any number of parts of replies, and other rows, such as pending
/// ones.
public struct SourceTable: Sendable {
    /// The columns of every row.
    public let columns: [DataColumn]
    private var parts: [(rows: DataRows, indices: [Int]?)] = []

    /// Creates a table without rows.
    public init(_ columns: [DataColumn]) {
        self.columns = columns
    }

    /// The rows of a decoded table.
    public init(_ table: DataTable) {
        columns = table.columns
        parts = [(table.rows, nil)]
    }

    /// The rows of an editable table, as they are with its pending changes.
    ///
    /// - Throws: `tooLong`.
    package init(_ table: EditableTable) throws(TableError) {
        self.init(table.fields.map(\.column))
        let changed = Set(table.kept.values.compactMap(\.base))
        table.base.forEachBatch { start, rows in
            append(rows, indices: changed.isEmpty ? nil : rows.indices.filter { !changed.contains(start + $0) })
        }
        try append(table.kept.sorted { $0.key < $1.key }.map(\.value).filter(\.isVisible).map(\.new))
    }

    /// Adds rows of a reply.
    ///
    /// - Parameter indices: the rows to add; nil for all. A removed row is left out.
    /// - Precondition: the rows have columns of the table's types.
    public mutating func append(_ rows: DataRows, indices: [Int]? = nil) {
        precondition(rows.types == columns.map(\.type), "columns of other types")
        parts.append((rows, indices))
    }

    /// Adds rows of values.
    ///
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    public mutating func append(_ rows: [[DataValue]]) throws(TableError) {
        var encoded = DataRows(columns)
        for row in rows { try encoded.append(row, columns) }
        append(encoded)
    }

    /// Lends each row, in order.
    func forEachRow(_ layout: RowLayout, _ body: (CellRow) throws -> Void) throws {
        for (rows, indices) in parts {
            try rows.forEachCellRow(layout, indices) { row in
                try body(row)
                return true
            }
        }
    }
}

extension DataRows {
    /// Lends the cells of each row, or of chosen rows.
    ///
    /// - Parameter body: returns false to end.
    func forEachCellRow<Failure: Error>(
        _ layout: RowLayout,
        _ indices: [Int]?,
        _ body: (CellRow) throws(Failure) -> Bool
    ) throws(Failure) {
        let result: Result<Void, Failure> = withCells { bytes, starts in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: layout.slotCount) { slots in
                func lend(_ index: Int) throws(Failure) -> Bool {
                    layout.find(bytes, Int(starts[index]), slots)
                    return try body(CellRow(bytes: bytes, layout: layout, slots: slots))
                }
                do throws(Failure) {
                    if let indices {
                        for index in indices { guard try lend(index) else { break } }
                    } else {
                        for index in starts.indices { guard try lend(index) else { break } }
                    }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
        }
        try result.get()
    }
}
