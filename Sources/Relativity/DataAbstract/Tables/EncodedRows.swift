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

    /// Returns rows with some of the columns. The bytes of the cells are copied, not decoded.
    ///
    /// - Parameters:
    ///   - columns: the indexes of the columns, in the new order.
    ///   - indices: the rows, ascending; nil for all.
    /// - Precondition: the columns exist.
    package func selecting(_ columns: [Int], _ indices: [Int]?) -> DataRows {
        var buffer = ByteBuffer()
        var newStarts: [UInt32] = []
        let newMask = CellReader.maskBytes(columns.count)
        withCells { bytes, starts in
            let rows = indices ?? Array(starts.indices)
            newStarts.reserveCapacity(rows.count)
            buffer.reserveCapacity(indices == nil ? bytes.count : 0)
            var cells: [Range<Int>?] = Array(repeating: nil, count: types.count)
            for row in rows {
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
                // Dropping columns and repeating them cannot make a batch of 128 KiB that large.
                newStarts.append(UInt32(start))
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
        return DataRows(columns.map { types[$0] }, buffer, starts: newStarts, origin: 0)
    }
}

extension DataRows {
    /// Returns rows with further columns. The bytes of the present cells are copied, not decoded.
    ///
    /// - Parameters:
    ///   - columns: the further columns.
    ///   - values: a list for each row, with a value for each further column.
    ///   - indices: the rows, ascending; nil for all.
    /// - Throws: `TableError.unfit`, `tooLong`.
    /// - Precondition: there are as many lists as rows.
    package func appending(_ columns: [DataColumn], _ values: [[DataValue]], _ indices: [Int]?) throws -> DataRows {
        let (oldMask, newMask) = (CellReader.maskBytes(types.count), CellReader.maskBytes(types.count + columns.count))
        // A stream may have anything in the bits after the last column.
        let lastBits: UInt8 = types.count & 7 == 0 ? 0xFF : 1 << UInt8(types.count & 7) - 1
        var buffer = ByteBuffer()
        var newStarts: [UInt32] = []
        try forEachEncoded(indices) { _, row in
            let start = buffer.writerIndex
            guard let newStart = UInt32(exactly: start) else { throw TableError.tooLong }
            buffer.writeBytes(UnsafeRawBufferPointer(rebasing: row[..<oldMask]))
            buffer.writeRepeatingByte(0, count: newMask - oldMask)
            if oldMask > 0 { buffer.setInteger(row[oldMask - 1] & lastBits, at: start + oldMask - 1) }
            buffer.writeBytes(UnsafeRawBufferPointer(rebasing: row[oldMask...]))
            for (index, value) in values[newStarts.count].enumerated() {
                if value.isNull { CellWriter.set(bit: types.count + index, of: start, in: &buffer) }
                guard CellWriter.write(value, as: columns[index].type, to: &buffer) else {
                    throw TableError.unfit(column: columns[index].name, type: columns[index].type)
                }
            }
            newStarts.append(newStart)
        }
        return DataRows(types + columns.map(\.type), buffer, starts: newStarts, origin: 0)
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
        return DataRows(columns.map(\.type), bytes, starts: starts, origin: 0)
    }
}
