// SPDX-License-Identifier: Apache-2.0

/// The rows that were read from the server, in batches that are not copied.
struct BaseRows: Sendable {
    private var batches: [DataRows] = []
    /// The number of the first row of each batch.
    private var starts: [Int] = []
    private(set) var count = 0

    init(_ batches: [DataRows]) {
        for batch in batches where !batch.isEmpty {
            self.batches.append(batch)
            starts.append(count)
            count += batch.count
        }
    }

    subscript(row: Int) -> DataRow {
        let (batch, index) = place(of: row)
        return batch[index]
    }

    /// Returns the batch of a row, and its index there.
    func place(of row: Int) -> (batch: DataRows, index: Int) {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= row { low = middle } else { high = middle }
        }
        return (batches[low], row - starts[low])
    }

    /// All rows, if they are one batch.
    var single: DataRows? { batches.count == 1 ? batches[0] : nil }

    /// Lends the batches with the number of their first row.
    func forEachBatch<Failure>(
        _ body: (_ start: Int, _ rows: DataRows) throws(Failure) -> Void
    ) throws(Failure) {
        for (start, batch) in zip(starts, batches) { try body(start, batch) }
    }

    /// Lends the encoded rows, one after the other.
    func forEachEncoded(
        _ body: (_ row: Int, _ bytes: UnsafeRawBufferPointer) throws(TableError) -> Void
    ) throws(TableError) {
        for (start, batch) in zip(starts, batches) {
            do {
                try batch.forEachEncoded(nil) { try body(start + $0, $1) }
            } catch {
                throw error as? TableError ?? .tooLong
            }
        }
    }
}

/// The values of the key fields of a row.
package struct RowKey: Hashable, Sendable {
    let values: [ComparableValue]

    init(values: [ComparableValue]) {
        self.values = values
    }

    /// Creates a key of fields of these types. Keys are equal if servers regard them as equal, with the case of text.
    package init(_ values: [DataValue], _ types: [DataType]) {
        self.values = zip(values, types).map { ComparableValue($0, $1) }
    }

    /// The key as servers compare it that ignore the case of ASCII letters, and blanks at the end of a text. A text with
    /// other characters is not changed, because conditions with it are not sent.
    package var ignoringCase: RowKey {
        RowKey(
            values: values.map { value in
                guard case .bytes(let text) = value, text.allSatisfy({ $0 < 0x80 }) else { return value }
                let end = (text.lastIndex { $0 != UInt8(ascii: " ") } ?? -1) + 1
                return .bytes(text[..<end].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
            }
        )
    }
}

/// A hash table from keys to rows, of eight to sixteen bytes for each row. It keeps no key: it reads them in the rows.
struct KeyIndex: Sendable {
    private let columns: [Int]
    /// Row numbers plus 1; 0 is free. Their number is a power of two, at least twice the number of rows.
    private(set) var slots: [UInt32] = []

    init(_ rows: BaseRows, columns: [Int]) {
        self.columns = columns
        guard !columns.isEmpty, rows.count > 0 else { return }
        var capacity = 4
        while capacity < 2 * rows.count { capacity *= 2 }
        slots = [UInt32](repeating: 0, count: capacity)
        for row in 0..<rows.count {
            let key = key(of: rows[row])
            var slot = Self.hash(key) & (capacity - 1)
            // Only the first row with a key is found. Slots for the others would make the search among them quadratic.
            while slots[slot] != 0, self.key(of: rows[Int(slots[slot]) - 1]) != key {
                slot = (slot + 1) & (capacity - 1)
            }
            if slots[slot] == 0 { slots[slot] = UInt32(truncatingIfNeeded: row + 1) }
        }
    }

    /// Returns the first row with this key.
    func find(_ key: RowKey, in rows: BaseRows) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = Self.hash(key) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = Int(slots[slot]) - 1
            if self.key(of: rows[row]) == key { return row }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private func key(of row: DataRow) -> RowKey {
        RowKey(values: columns.map { ComparableValue(row[$0], row.types[$0]) })
    }

    private static func hash(_ key: RowKey) -> Int { key.hashValue }
}
