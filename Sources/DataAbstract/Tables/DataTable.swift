// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A table of a stream: what GetData answers for one of the names that it was given.
///
/// Rows that were read share the stream's bytes, and keep all of them in memory.
public struct DataTable: Sendable {
    public var name: String
    /// Nil if the stream brought none.
    public let schema: TableSchema?
    public let columns: [DataColumn]
    public private(set) var rows: DataRows

    /// A table without rows.
    ///
    /// - Throws: `unevenSchema` if the schema has fewer fields than there are columns.
    public init(name: String, columns: [DataColumn], schema: TableSchema? = nil) throws(TableError) {
        guard columns.count <= schema?.fields.count ?? columns.count else { throw .unevenSchema }
        self.name = name
        self.schema = schema
        self.columns = columns
        rows = DataRows(columns)
    }

    /// Adds a row, one value for each column.
    ///
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    public mutating func append(_ values: [DataValue]) throws(TableError) {
        guard !columns.isEmpty else { throw .valueCount(expected: 0, found: values.count) }
        try rows.append(values, columns)
    }

    /// The place of a column of this very name.
    public func column(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

    /// - Parameter types: of the columns, if the stream brings no schema and they are known.
    init(named name: String, types: [DataType]?, from reader: inout StreamReader) throws(TableError) {
        self.name = name
        let hasSchema = try reader.readByte()
        guard hasSchema <= 1 else { throw reader.failure("flag that is neither 0 nor 1") }
        // Where the schema ends; it is read to its end anyway.
        _ = try reader.readInt32()
        schema = hasSchema == 1 ? try TableSchema(from: &reader) : nil
        let rowCount = try reader.readCount("rows", limit: reader.limits.rows, bytesEach: 1)
        let fieldTypes = schema.map { $0.fields.map { $0.type ?? .unknown } }
        columns = try Self.columns(typed: fieldTypes ?? types, from: &reader)
        rows = try DataRows(columns, from: &reader, count: rowCount)
    }

    /// A column's own type byte counts only where nothing better is known.
    private static func columns(
        typed types: [DataType]?,
        from reader: inout StreamReader
    ) throws(TableError) -> [DataColumn] {
        let count = try reader.readItemCount("columns", limit: reader.limits.columns, bytesEach: 9)
        guard count <= types?.count ?? count else { throw reader.failure("more columns than fields of the schema") }
        var columns: [DataColumn] = []
        for index in 0..<count {
            let name = try reader.readText()
            let code = try reader.readByte()
            let type = types?[index] ?? DataType(rawValue: code) ?? .unknown
            columns.append(DataColumn(name, type, size: try reader.readInt32()))
        }
        return columns
    }

    func write(to buffer: inout ByteBuffer) {
        let start = buffer.writerIndex
        buffer.writeInteger(schema == nil ? 0 : 1, as: UInt8.self)
        buffer.writeCount(0)
        schema?.write(to: &buffer)
        let end = Int32(truncatingIfNeeded: buffer.writerIndex - buffer.readerIndex)
        buffer.setInteger(end, at: start + 1, endianness: .little)
        buffer.writeCount(rows.count)
        buffer.writeCount(columns.count)
        for column in columns {
            buffer.writeCounted(column.name)
            buffer.writeInteger(column.type.rawValue)
            buffer.writeInteger(column.size, endianness: .little)
        }
        buffer.writeImmutableBuffer(rows.bytes)
    }
}
