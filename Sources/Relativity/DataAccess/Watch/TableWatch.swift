// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Compares readings of a table by key, and reports the rows that differ. Between readings it keeps the key and a digest
/// of each row.
///
/// A digest has 64 bits and is different in each process. Two contents of a row have the same one by chance only.
package struct TableWatch: RowConsumer {
    /// The difference between the last reading and this one.
    package enum Change: String, Sendable {
        /// A row of the first reading.
        case present
        /// A row that the last reading did not have.
        case inserted
        /// A row with another content than in the last reading.
        case changed
        /// A row that only the last reading had. Only the cells of its key are known.
        case removed
    }

    /// A row that differs.
    package struct Row {
        /// The whole table.
        package let table: TableHead
        /// The columns of the table that the row has, by index. A removed row has those of the key.
        package let columns: [Int]
        /// A batch with the row.
        package let rows: DataRows
        /// The index of the row in the batch.
        package let index: Int

        /// The table with the columns of the row.
        package var head: TableHead {
            TableHead(name: table.name, columns: columns.map { table.columns[$0] }, rowCount: rows.count)
        }
    }

    private let keyNames: [String]?
    private let mostBytes: Int
    private let report: (Change, Row) throws -> Void
    private var digests = RowDigests()
    /// The table as in the first reading; nil before.
    private var head: TableHead?
    /// The indexes of the columns of the key.
    private var key: [Int] = []
    private var isFirst = true
    private var rowCount = 0

    /// Creates a watch that has read nothing.
    ///
    /// - Parameters:
    ///   - key: the names of the columns that identify a row; nil for the primary key of the schema.
    ///   - mostBytes: the maximum memory of keys and digests, about.
    ///   - report: receives the differences during a reading, and the removed rows at its end.
    package init(key: [String]?, mostBytes: Int = .max, report: @escaping (Change, Row) throws -> Void) {
        keyNames = key
        self.mostBytes = mostBytes
        self.report = report
    }

    /// Starts a reading.
    ///
    /// - Throws: `noColumn` or `noKey`; `columnsChanged`.
    package mutating func begin(_ table: TableHead) throws {
        if let head {
            guard head.columns == table.columns else { throw TableWatchError.columnsChanged }
        } else {
            key = try OutputColumns(table, nil).key(keyNames)
            guard !key.isEmpty else { throw TableWatchError.noKey }
            head = table
        }
        rowCount = 0
        digests.begin()
    }

    /// Compares rows.
    ///
    /// - Throws: `duplicateKey`; `ReadError.tooManyRows` if the rows do not fit into the memory; the error of the closure.
    package mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        guard let head, rows.columnTypes == head.columns.map(\.type) else { throw FormatError.rowsWithoutTable }
        let columns = Array(head.columns.indices)
        var keys: [[UInt8]] = []
        try rows.selecting(key, indices).forEachEncoded(nil) { keys.append(Array($1)) }
        var number = 0
        try rows.forEachEncoded(indices) { index, bytes in
            var hasher = Hasher()
            hasher.combine(bytes: bytes)
            rowCount += 1
            let difference: RowDigests.Difference?
            do {
                difference = try digests.add(key: keys[number], digest: hasher.finalize())
            } catch {
                throw TableWatchError.duplicateKey(row: rowCount)
            }
            guard digests.byteCount <= mostBytes else {
                throw ReadError.tooManyRows(table: head.name, limit: rowCount - 1)
            }
            number += 1
            guard let difference else { return }
            let change = isFirst ? Change.present : difference == .inserted ? .inserted : .changed
            try report(change, Row(table: head, columns: columns, rows: rows, index: index))
        }
    }

    /// Ends a complete reading, and reports the removed rows.
    ///
    /// - Throws: the error of the closure.
    package mutating func finish() throws {
        isFirst = false
        guard let head else { return }
        let gone = digests.finish()
        guard !gone.isEmpty else { return }
        var builder = DataRowsBuilder(key.map { head.columns[$0] })
        for key in gone { try key.withUnsafeBytes { try builder.append(encoded: $0) } }
        let rows = builder.take()
        for index in rows.indices { try report(.removed, Row(table: head, columns: key, rows: rows, index: index)) }
    }
}

/// The reason why readings of a table cannot be compared.
package enum TableWatchError: Error, Hashable {
    /// The schema of the table has no primary key, and none was named.
    case noKey
    /// Two rows have the same key. The second is counted from 1.
    case duplicateKey(row: Int)
    /// The table has other columns than before.
    case columnsChanged
}
