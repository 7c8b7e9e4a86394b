// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Writes tables row by row into one stream, so that no table is stored twice.
///
/// ```swift
/// var writer = TableStreamWriter()
/// try writer.begin("Deps", columns: [DataColumn("DepId", .integer)])
/// try writer.append([.integer(1)])
/// let bytes = try writer.finish()
/// ```
public struct TableStreamWriter: Sendable {
    private var stream = StreamDirectory()
    private var columns: [DataColumn] = []
    private var rows = 0
    /// The offset of the number of rows of the last table.
    private var countPlace: Int?
    /// The offset of the row that is being written, and the number of its cells.
    private var (row, cell) = (0, 0)

    /// Creates a writer of a stream without tables.
    public init() {}

    /// Starts a table. The rows that follow belong to it.
    ///
    /// - Throws: `unevenSchema` if the schema has fewer fields than there are columns.
    public mutating func begin(
        _ name: String,
        columns: [DataColumn],
        schema: TableSchema? = nil
    ) throws(TableError) {
        guard columns.count <= schema?.fields.count ?? columns.count else { throw .unevenSchema }
        closeTable()
        stream.begin(.table, name)
        countPlace = TableHeader.write(schema: schema, columns: columns, rows: 0, to: &stream.buffer)
        self.columns = columns
    }

    /// Appends a row to the last table, one value for each column.
    ///
    /// - Throws: `valueCount`, `unfit`, `tooLong`. After `tooLong` the stream cannot be finished.
    public mutating func append(_ values: [DataValue]) throws(TableError) {
        guard countPlace != nil, !columns.isEmpty else { throw .valueCount(expected: 0, found: values.count) }
        guard stream.buffer.writerIndex <= Int(Int32.max) else { throw .tooLong }
        try CellWriter.write(values, as: columns, setMeansNull: true, to: &stream.buffer)
        rows += 1
    }

    /// Starts a row, whose cells `append(cell:)` and `append(utf8:)` write one by one, so that no value is made for a
    /// cell.
    ///
    /// - Throws: `valueCount` without a table or columns, `tooLong`.
    package mutating func beginRow() throws(TableError) {
        guard countPlace != nil, !columns.isEmpty else { throw .valueCount(expected: 0, found: 0) }
        guard stream.buffer.writerIndex <= Int(Int32.max) else { throw .tooLong }
        row = stream.buffer.writerIndex
        cell = 0
        stream.buffer.writeRepeatingByte(0, count: CellReader.maskBytes(columns.count))
    }

    /// Appends the next cell of the row.
    ///
    /// - Throws: `unfit`, and `valueCount` beyond the last column; the row is then removed.
    package mutating func append(cell value: DataValue) throws(TableError) {
        let column = try nextColumn()
        if value.isNull { CellWriter.set(bit: cell - 1, of: row, in: &stream.buffer) }
        guard CellWriter.write(value, as: column, to: &stream.buffer) else { throw unfit(column, value) }
    }

    /// Appends the next cell of the row, a text.
    ///
    /// - Parameter bytes: UTF-8; what is not is replaced.
    /// - Throws: the same as `append(cell:)`, and `tooLong`.
    package mutating func append(utf8 bytes: UnsafeRawBufferPointer) throws(TableError) {
        let column = try nextColumn()
        // UTF-16 has at most two bytes for each byte of UTF-8.
        guard stream.buffer.writerIndex + 2 * bytes.count <= Int(Int32.max) else { throw .tooLong }
        guard CellWriter.write(utf8: bytes, as: column, to: &stream.buffer) else {
            throw unfit(column, .text(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// Ends the row.
    ///
    /// - Throws: `valueCount` if a cell is missing; the row is then removed.
    package mutating func endRow() throws(TableError) {
        guard cell == columns.count else {
            stream.buffer.moveWriterIndex(to: row)
            throw .valueCount(expected: columns.count, found: cell)
        }
        rows += 1
    }

    private mutating func nextColumn() throws(TableError) -> DataColumn {
        guard cell < columns.count else {
            stream.buffer.moveWriterIndex(to: row)
            throw .valueCount(expected: columns.count, found: cell + 1)
        }
        cell += 1
        return columns[cell - 1]
    }

    private mutating func unfit(_ column: DataColumn, _ value: DataValue) -> TableError {
        stream.buffer.moveWriterIndex(to: row)
        return column.misfit(value)
    }

    /// Returns the complete stream. Consume the writer (`(consume writer).finish()`): otherwise its buffer is copied.
    ///
    /// - Throws: `tooLong`.
    public consuming func finish() throws(TableError) -> ByteBuffer {
        closeTable()
        return try stream.finish()
    }

    private mutating func closeTable() {
        guard let countPlace else { return }
        stream.buffer.setInteger(Int32(clamping: rows), at: countPlace, endianness: .little)
        self.countPlace = nil
        rows = 0
    }
}

/// The part of a table in a stream before its rows.
enum TableHeader {
    /// Appends the header.
    ///
    /// - Returns: the offset of the number of rows, from the first byte of the buffer.
    @discardableResult
    static func write(schema: TableSchema?, columns: [DataColumn], rows: Int, to buffer: inout ByteBuffer) -> Int {
        let start = buffer.writerIndex
        buffer.writeInteger(schema == nil ? 0 : 1, as: UInt8.self)
        buffer.writeCount(0)
        schema?.write(to: &buffer)
        let end = Int32(truncatingIfNeeded: buffer.writerIndex - buffer.readerIndex)
        buffer.setInteger(end, at: start + 1, endianness: .little)
        let place = buffer.writerIndex
        buffer.writeCount(rows)
        buffer.writeCount(columns.count)
        for column in columns {
            buffer.writeCounted(column.name)
            buffer.writeInteger(column.type.rawValue)
            buffer.writeInteger(column.size, endianness: .little)
        }
        return place
    }
}
