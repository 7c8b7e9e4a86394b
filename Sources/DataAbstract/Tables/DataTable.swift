// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Tables in the vendor's binary format, Bin2: the result of GetData (docs/wire.md, "Tables").
///
/// Reading checks every row once and copies none. What is written is the very stream that was read if that was laid out
/// in the usual way.
public struct TableStream: Sendable {
    public var tables: [DataTable]

    public init(_ tables: [DataTable] = []) {
        self.tables = tables
    }

    /// - Parameter types: of the columns of tables that come without a schema, by the tables' names; a table that is not
    ///   in here is read by the type bytes of its columns.
    public init(
        decoding bytes: ByteBuffer,
        types: [String: [DataType]] = [:],
        limits: TableLimits = .standard
    ) throws(TableError) {
        var reader = try StreamReader(bytes, limits: limits)
        tables = []
        for entry in try StreamDirectory.read(from: &reader) {
            guard entry.kind != StreamDirectory.Kind.delta.rawValue else {
                throw reader.failure("a delta among tables")
            }
            tables.append(try DataTable(named: entry.name, types: types[entry.name], from: &reader))
        }
    }

    /// - Throws: `tooLong`.
    public func encoded() throws(TableError) -> ByteBuffer {
        var stream = StreamDirectory()
        for table in tables { stream.add(.table, table.name) { table.write(to: &$0) } }
        return try stream.finish()
    }
}

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

/// What stands before the rows of a table for each of their columns.
public struct DataColumn: Hashable, Sendable {
    /// Often the field's, but it is the place that makes a column belong to a field of the schema.
    public var name: String
    public var type: DataType
    /// As declared, in a unit that is not known; 0 for most types.
    public var size: Int32

    public init(_ name: String, _ type: DataType, size: Int32 = 0) {
        self.name = name
        self.type = type
        self.size = size
    }
}

/// The rows of a table: the bytes of the stream, and where each row begins.
public struct DataRows: Sendable {
    private(set) var bytes = ByteBuffer()
    /// Where they begin in the stream that they came in.
    private var origin = 0
    private var starts: [UInt32] = []
    private let types: [DataType]

    init(_ columns: [DataColumn]) {
        types = columns.map(\.type)
    }

    init(_ columns: [DataColumn], from reader: inout StreamReader, count: Int) throws(TableError) {
        self.init(columns)
        let forms = types.compactMap(\.form)
        guard count > 0 else { return }
        guard forms.count == types.count else { throw reader.failure("a column of an unknown type") }
        guard !forms.isEmpty else { throw reader.failure("rows without columns") }
        try reader.chargeRows(count)
        starts.reserveCapacity(count)
        let start = reader.position
        for _ in 0..<count {
            starts.append(UInt32(truncatingIfNeeded: reader.position - start))
            try reader.skipRow(forms, setMeansNull: true)
        }
        bytes = reader.slice(from: start)
        origin = start
    }

    /// Of a row of this place, from the first byte of the stream that it came in.
    func offset(of index: Int) -> Int { origin + Int(starts[index]) }

    mutating func append(_ values: [DataValue], _ columns: [DataColumn]) throws(TableError) {
        guard let start = UInt32(exactly: bytes.readableBytes) else { throw .tooLong }
        try CellWriter.write(values, as: columns, setMeansNull: true, to: &bytes)
        starts.append(start)
    }
}

extension DataRows: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { starts.count }

    public subscript(index: Int) -> DataRow {
        DataRow(in: bytes, at: Int(starts[index]), types: types, setMeansNull: true)
    }
}

/// A row as it stands in a stream. Values are made of its bytes when they are asked for.
///
/// To get at a cell, the cells before it are stepped over: whoever needs all of them iterates.
public struct DataRow: Sendable {
    static let guidBytes = 36

    /// The rows among which this one is.
    private let bytes: ByteBuffer
    private let start: Int
    private let types: [DataType]
    private let setMeansNull: Bool

    /// - Parameter start: where a sound row begins, from the first readable byte.
    init(in bytes: ByteBuffer, at start: Int, types: [DataType], setMeansNull: Bool) {
        self.bytes = bytes
        self.start = start
        self.types = types
        self.setMeansNull = setMeansNull
    }

    /// One for each column.
    public var count: Int { types.count }

    /// - Precondition: the column exists.
    public subscript(column: Int) -> DataValue {
        bytes.withUnsafeReadableBytes { bytes in
            var reader = reader(bytes)
            reader.skip(to: column)
            return reader.value()
        }
    }

    /// - Precondition: the column exists.
    public func isNull(_ column: Int) -> Bool {
        bytes.withUnsafeReadableBytes { reader($0).isNull(column) }
    }

    /// The bytes of a cell as they came, those of a text or blob without their count; nil for null.
    ///
    /// - Precondition: the column exists.
    public func bytes(_ column: Int) -> ByteBuffer? {
        let place = bytes.withUnsafeReadableBytes { bytes -> Range<Int>? in
            var reader = reader(bytes)
            reader.skip(to: column)
            return reader.isNull(column) ? nil : reader.content()
        }
        return place.flatMap { bytes.getSlice(at: bytes.readerIndex + $0.lowerBound, length: $0.count) }
    }

    private func reader(_ bytes: UnsafeRawBufferPointer) -> CellReader {
        CellReader(bytes, row: start, types: types, setMeansNull: setMeansNull)
    }
}

extension DataRow: Sequence {
    public struct Iterator: IteratorProtocol {
        private let row: DataRow
        private var column = 0
        private var position: Int

        fileprivate init(_ row: DataRow) {
            self.row = row
            position = row.start + CellReader.maskBytes(row.count)
        }

        public mutating func next() -> DataValue? {
            guard column < row.count else { return nil }
            return row.bytes.withUnsafeReadableBytes { bytes in
                var reader = row.reader(bytes)
                reader.resume(at: column, position)
                let value = reader.value()
                (column, position) = (reader.column, reader.position)
                return value
            }
        }
    }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }
}

extension DataRow: Equatable {
    /// Two rows are equal if their values are.
    public static func == (left: DataRow, right: DataRow) -> Bool { left.elementsEqual(right) }
}
