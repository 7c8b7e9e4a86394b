// SPDX-License-Identifier: Apache-2.0

import Platform

/// Selects and sorts the rows of a table. Keys are read from the bytes of the cells.
///
/// NULL is less than every value. Values are in the order of `CellOrder`. Rows with equal keys keep the order of the table.
struct RowArranger {
    /// The most bytes of a text that count, as in the cell.
    private static let longestText = 1_024

    private let types: [DataType]
    /// The code page of 8-bit text; nil for Latin-1.
    private let codePage: CodePage?
    private var ids: [RowID] = []
    /// The rows of `ids`, in their order; without indices all rows of the part.
    private var parts: [(rows: DataRows, indices: [Int]?)] = []
    /// The places of `ids` in the table, if these are not ascending.
    private var places: [UInt64] = []

    /// All rows that are visible.
    ///
    /// - Parameter showsRemoved: whether rows whose removal is pending are selected too.
    init(_ table: EditableTable, showsRemoved: Bool = false) {
        self.init(table)
        select(table, showsRemoved) { _ in nil }
    }

    /// The rows that satisfy a predicate.
    ///
    /// - Throws: `unreadable` for a cell that the predicate needs.
    init(_ table: EditableTable, _ predicate: CompiledPredicate, showsRemoved: Bool = false) throws(PredicateError) {
        self.init(table)
        try select(table, showsRemoved) { rows throws(PredicateError) in
            do throws(PredicateError) {
                return try predicate.indices(in: rows)
            } catch {
                throw table.naming(error, in: rows)
            }
        }
    }

    private init(_ table: EditableTable) {
        types = table.layout.types
        codePage = table.layout.codePage
    }

    private mutating func select<Failure>(
        _ table: EditableTable,
        _ showsRemoved: Bool,
        _ indices: (DataRows) throws(Failure) -> [Int]?
    ) throws(Failure) {
        let kept = table.keptPlaces
        let changed = Set(kept.lazy.map(\.place))
        try table.base.forEachBatch { start, rows throws(Failure) in
            var indices = try indices(rows)
            if !changed.isEmpty {
                indices = (indices ?? Array(rows.indices)).filter { !changed.contains(start + $0) }
            }
            parts.append((rows, indices))
            let first = table.firstID + Int64(start)
            if let indices {
                ids.append(contentsOf: indices.lazy.map { RowID(first + Int64($0)) })
                if !changed.isEmpty { places.append(contentsOf: indices.lazy.map { UInt64(start + $0) }) }
            } else {
                ids.append(contentsOf: rows.indices.lazy.map { RowID(first + Int64($0)) })
            }
        }
        guard !kept.isEmpty else { return }
        var builder = DataRowsBuilder(table.fields.map(\.column))
        var shown: [(place: Int, id: RowID)] = []
        for (place, id) in kept {
            guard let row = table.kept[id], row.isShown(withRemoved: showsRemoved),
                (try? builder.append(row.new)) != nil
            else { continue }
            shown.append((place, id))
        }
        let rows = builder.take()
        let selected = try indices(rows)
        for (place, id) in selected?.map({ shown[$0] }) ?? shown {
            ids.append(id)
            places.append(UInt64(place))
        }
        parts.append((rows, selected))
    }

    /// Returns the rows in order.
    ///
    /// - Parameter keys: the most significant one first.
    func arranged(by keys: [SortColumn]) -> [RowID] {
        guard !keys.isEmpty || !places.isEmpty else { return ids }
        var order = RadixOrder(count: ids.count)
        if !places.isEmpty { order.sort(by: places) }
        for key in keys.reversed() { sort(by: key, &order) }
        return order.elements.map { ids[$0] }
    }

    private func sort(by key: SortColumn, _ order: inout RadixOrder) {
        let type = types[key.column]
        var nulls = [Bool](repeating: false, count: ids.count)
        var hasNulls = false
        if type.isNumeric {
            let mask: UInt64 = key.isDescending ? .max : 0
            var numbers = [UInt64](repeating: 0, count: ids.count)
            forEachCell(of: key.column) { element, bytes, position in
                guard position >= 0, let number = CellOrder.number(bytes, position, type) else {
                    (nulls[element], hasNulls) = (true, true)
                    return
                }
                numbers[element] = number ^ mask
            }
            order.sort(by: numbers)
        } else {
            var texts = ByteTexts()
            forEachCell(of: key.column) { element, bytes, position in
                texts.append { text in
                    guard
                        position < 0
                            || !CellOrder.append(bytes, position, type, codePage, limit: Self.longestText, to: &text)
                    else { return }
                    (nulls[element], hasNulls) = (true, true)
                }
            }
            order.sort(by: texts, isDescending: key.isDescending)
        }
        if hasNulls { order.putFirst(key.isDescending ? nulls.map { !$0 } : nulls) }
    }

    /// Lends the cells of a column: the bytes of its rows, and the position; negative for NULL.
    private func forEachCell(of column: Int, _ body: (Int, UnsafeRawBufferPointer, Int) -> Void) {
        var element = 0
        for (rows, indices) in parts where !rows.isEmpty {
            let layout = RowLayout(rows.types, rows.codePage, used: [column])
            rows.withCells { bytes, starts in
                withUnsafeTemporaryAllocation(of: Int.self, capacity: 1) { slots in
                    func visit(_ row: Int) {
                        layout.find(bytes, Int(starts[row]), slots)
                        body(element, bytes, slots[0])
                        element += 1
                    }
                    if let indices {
                        for row in indices { visit(row) }
                    } else {
                        for row in starts.indices { visit(row) }
                    }
                }
            }
        }
    }
}

extension DataType {
    /// Whether a cell is a number of at most eight bytes.
    fileprivate var isNumeric: Bool {
        switch form {
        case .oneByte, .twoBytes, .fourBytes, .eightBytes: true
        case .counted, .wide, .guid, .decimal, nil: false
        }
    }
}

extension KeptRow {
    /// Whether a view shows the row.
    func isShown(withRemoved: Bool) -> Bool { isVisible || withRemoved && !isGone }
}

extension EditableTable {
    /// The rows that are not as in the base, also those that are not visible, in the order of the table.
    fileprivate var keptPlaces: [(place: Int, id: RowID)] {
        let changed = kept.compactMap { id, row in row.base.map { (place: $0, id: id) } }
        let added = appended.enumerated().compactMap { index, id in
            kept[id].map { $0.base == nil } == true ? (place: base.count + index, id: id) : nil
        }
        return changed.sorted { $0.place < $1.place } + added
    }
}
