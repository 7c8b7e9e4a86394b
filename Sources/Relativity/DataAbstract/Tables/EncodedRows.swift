// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension TableHead {
    /// Creates the head of a table that is not from a stream.
    ///
    /// - Parameter rowCount: the number of rows that follow.
    package init(name: String, columns: [DataColumn], rowCount: Int, schema: TableSchema? = nil) {
        self.name = name
        self.schema = schema
        self.columns = columns
        self.rowCount = rowCount
    }
}

extension DataRows {
    /// The types of the columns.
    package var columnTypes: [DataType] { types }

    /// Lends the encoded rows, one after the other: the null mask and the cells of each.
    ///
    /// - Parameter indices: the rows, ascending; nil for all.
    package func forEachEncoded(
        _ indices: [Int]?,
        _ body: (_ index: Int, _ row: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try withCells { bytes, starts in
            Result {
                for index in indices ?? Array(starts.indices) {
                    let end = index + 1 < starts.count ? Int(starts[index + 1]) : bytes.count
                    try body(index, UnsafeRawBufferPointer(rebasing: bytes[Int(starts[index])..<end]))
                }
            }
        }
        .get()
    }

    /// Returns the first rows with some of the columns, as many as fit into a batch. The bytes of the cells are copied,
    /// not decoded.
    ///
    /// - Parameters:
    ///   - columns: the indexes of the columns, in the new order. One may occur several times.
    ///   - rows: the rows, ascending; not empty.
    ///   - limit: the maximum bytes of a row.
    /// - Returns: one row at least.
    /// - Throws: `row`.
    /// - Precondition: the columns exist.
    package func batch(of columns: [Int], _ rows: ArraySlice<Int>, limit: Int) throws(GrowthError) -> DataRows {
        let part = selecting(columns, Array(rows), rowLimit: limit, bytes: TableLimits.batch)
        guard part.count > 0 || rows.isEmpty else { throw .row(limit: limit) }
        return part
    }

    /// Returns rows with some of the columns. The bytes of the cells are copied, not decoded.
    ///
    /// - Parameters:
    ///   - columns: the indexes of the columns, in the new order. Each that occurs several times makes the result larger.
    ///   - indices: the rows, ascending; nil for all.
    /// - Precondition: the columns exist.
    package func selecting(_ columns: [Int], _ indices: [Int]?) -> DataRows {
        selecting(columns, indices, rowLimit: .max, bytes: .max)
    }

    /// Ends before a row of more than `rowLimit` bytes, and when there are `end` bytes.
    private func selecting(_ columns: [Int], _ indices: [Int]?, rowLimit: Int, bytes end: Int) -> DataRows {
        var buffer = ByteBuffer()
        var newStarts: [UInt32] = []
        let newMask = CellReader.maskBytes(columns.count)
        withCells { bytes, starts in
            let rows = indices ?? Array(starts.indices)
            newStarts.reserveCapacity(rows.count)
            buffer.reserveCapacity(indices == nil ? bytes.count : 0)
            var cells: [Range<Int>?] = Array(repeating: nil, count: types.count)
            for row in rows where buffer.writerIndex < end {
                var reader = CellReader(bytes, row: Int(starts[row]), types: types, setMeansNull: true)
                for index in types.indices {
                    cells[index] = nil
                    guard !reader.isNull(index) else { continue }
                    reader.resume(at: index, reader.position)
                    let end = reader.content().upperBound
                    cells[index] = reader.position..<end
                    reader.resume(at: index, end)
                }
                let start = buffer.writerIndex
                let size = columns.reduce(newMask) { $0 + (cells[$1]?.count ?? 0) }
                guard size <= rowLimit, let newStart = UInt32(exactly: start) else { return }
                newStarts.append(newStart)
                buffer.writeRepeatingByte(0, count: newMask)
                for (index, column) in columns.enumerated() {
                    if let cell = cells[column] {
                        buffer.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[cell]))
                    } else {
                        let place = start + index >> 3
                        let mask = buffer.getInteger(at: place, as: UInt8.self) ?? 0
                        buffer.setInteger(mask | 1 << UInt8(index & 7), at: place)
                    }
                }
            }
        }
        return DataRows(columns.map { types[$0] }, codePage, buffer, starts: newStarts, origin: 0)
    }
}

/// Collects rows that are not from a stream.
package struct DataRowsBuilder {
    private let columns: [DataColumn]
    private var bytes = ByteBuffer()
    private var starts: [UInt32] = []

    /// Creates a builder of rows with these columns.
    package init(_ columns: [DataColumn]) {
        self.columns = columns
    }

    /// The number of rows.
    package var count: Int { starts.count }
    /// The encoded size of the rows.
    package var byteCount: Int { bytes.readableBytes }

    /// Appends a row that `DataRows.forEachEncoded` has lent, of rows with columns of the same types.
    ///
    /// - Throws: `tooLong`.
    package mutating func append(encoded row: UnsafeRawBufferPointer) throws(TableError) {
        guard let start = UInt32(exactly: bytes.readableBytes) else { throw .tooLong }
        starts.append(start)
        bytes.writeBytes(row)
    }

    /// Appends a row with further cells after its own.
    ///
    /// - Parameters:
    ///   - rows: rows with the first columns.
    ///   - index: that of the row.
    ///   - values: one for each further column.
    ///   - limit: the maximum bytes of the new row.
    /// - Throws: `GrowthError.row`; `TableError.unfit`, `tooLong`. The builder cannot be used then.
    package mutating func append(_ rows: DataRows, _ index: Int, adding values: [DataValue], limit: Int) throws {
        let old = rows.types.count
        let (oldMask, newMask) = (CellReader.maskBytes(old), CellReader.maskBytes(columns.count))
        let start = bytes.writerIndex
        guard let newStart = UInt32(exactly: start) else { throw TableError.tooLong }
        try rows.forEachEncoded([index]) { _, row in
            bytes.writeBytes(UnsafeRawBufferPointer(rebasing: row[..<oldMask]))
            bytes.writeRepeatingByte(0, count: newMask - oldMask)
            // A stream may have anything in the bits after the last column.
            if oldMask > 0, old & 7 != 0 {
                bytes.setInteger(row[oldMask - 1] & (1 << UInt8(old & 7) - 1), at: start + oldMask - 1)
            }
            bytes.writeBytes(UnsafeRawBufferPointer(rebasing: row[oldMask...]))
        }
        for (value, column) in zip(values, old..<columns.count) {
            if value.isNull { CellWriter.set(bit: column, of: start, in: &bytes) }
            guard CellWriter.write(value, as: columns[column], to: &bytes) else { throw columns[column].misfit(value) }
            guard bytes.writerIndex - start <= limit else { throw GrowthError.row(limit: limit) }
        }
        starts.append(newStart)
    }

    /// Appends a row, one value for each column.
    ///
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    package mutating func append(_ values: [DataValue]) throws(TableError) {
        guard let start = UInt32(exactly: bytes.readableBytes) else { throw .tooLong }
        try CellWriter.write(values, as: columns, setMeansNull: true, to: &bytes)
        starts.append(start)
    }

    /// Returns the rows, and is empty then.
    package mutating func take() -> DataRows {
        defer { (bytes, starts) = (ByteBuffer(), []) }
        return DataRows(columns.map(\.type), DataRows.codePage(of: columns), bytes, starts: starts, origin: 0)
    }
}
