// SPDX-License-Identifier: Apache-2.0

/// The rows of a table that lookups and aggregates read: any number of parts of replies, and rows of values, such as
/// pending ones.
public struct SourceTable: Sendable {
    private enum Part: Sendable {
        case rows(DataRows, [Int]?)
        case values([[DataValue]])
    }

    /// The columns of every row.
    public let columns: [DataColumn]
    private var parts: [Part] = []

    /// Creates a table without rows.
    public init(_ columns: [DataColumn]) {
        self.columns = columns
    }

    /// The rows of a decoded table.
    public init(_ table: DataTable) {
        columns = table.columns
        parts = [.rows(table.rows, nil)]
    }

    /// The rows of an editable table, as they are with its pending changes.
    package init(_ table: EditableTable) {
        self.init(table.fields.map(\.column))
        let changed = Set(table.kept.values.compactMap(\.base))
        table.base.forEachBatch { start, rows in
            append(rows, indices: changed.isEmpty ? nil : rows.indices.filter { !changed.contains(start + $0) })
        }
        append(table.kept.sorted { $0.key < $1.key }.map(\.value).filter(\.isVisible).map(\.new))
    }

    /// Adds rows of a reply.
    ///
    /// - Parameter indices: the rows to add; nil for all. A removed row is left out.
    /// - Precondition: the rows have columns of the table's types.
    public mutating func append(_ rows: DataRows, indices: [Int]? = nil) {
        precondition(rows.types == columns.map(\.type), "columns of other types")
        parts.append(.rows(rows, indices))
    }

    /// Adds rows of values.
    ///
    /// - Precondition: each row has a value for each column.
    public mutating func append(_ rows: [[DataValue]]) {
        precondition(rows.allSatisfy { $0.count == columns.count }, "as many values as columns")
        parts.append(.values(rows))
    }

    /// Lends each row, in order.
    func forEachRow(
        _ layout: RowLayout,
        cells: (CellRow) throws -> Void,
        values: (ValueRow) throws -> Void
    ) throws {
        for part in parts {
            switch part {
            case .values(let rows):
                for row in rows { try values(ValueRow(values: row)) }
            case .rows(let rows, let indices):
                try rows.forEachCellRow(layout, indices) { row in
                    try cells(row)
                    return true
                }
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
                    layout.find(bytes, Int(starts[index]), true, slots)
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

extension DataRow {
    /// Lends the cells of the row.
    func withCellRow<Value>(
        _ layout: RowLayout,
        _ body: (CellRow) throws(GrowthError) -> Value
    ) throws(GrowthError) -> Value {
        let result: Result<Value, GrowthError> = withCells { bytes, start, setMeansNull in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: layout.slotCount) { slots in
                layout.find(bytes, start, setMeansNull, slots)
                do throws(GrowthError) {
                    return .success(try body(CellRow(bytes: bytes, layout: layout, slots: slots)))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }
}
