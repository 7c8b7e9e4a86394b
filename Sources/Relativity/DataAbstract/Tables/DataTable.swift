// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// Tables in Bin2, the vendor's binary format: the result of GetData (docs/wire.md, "Tables").
///
/// Reading validates every row once and copies none. Encoding reproduces a stream byte for byte if it had the usual
/// layout.
public struct TableStream: Sendable {
    /// The tables, in the order of the stream.
    public var tables: [DataTable]

    /// Creates a stream of tables.
    public init(_ tables: [DataTable] = []) {
        self.tables = tables
    }

    /// Decodes a stream.
    ///
    /// - Parameters:
    ///   - types: the column types of tables without a schema, by table name. A table that is not listed is
    ///     read with the type bytes of its columns.
    ///   - codePage: of 8-bit text; nil for Latin-1.
    public init(
        decoding bytes: ByteBuffer,
        types: [String: [DataType]] = [:],
        limits: TableLimits = .standard,
        codePage: CodePage? = nil
    ) throws(TableError) {
        var reader = try StreamReader(bytes, limits: limits, codePage: codePage)
        tables = []
        for entry in try StreamDirectory.read(from: &reader) {
            guard entry.kind != StreamDirectory.Kind.delta.rawValue else {
                throw reader.failure("a delta among tables")
            }
            tables.append(try DataTable(named: entry.name, types: types[entry.name], from: &reader))
        }
    }

    /// Encodes the tables as a stream.
    ///
    /// - Throws: `tooLong`.
    public func encoded() throws(TableError) -> ByteBuffer {
        var stream = StreamDirectory()
        for table in tables { stream.add(.table, table.name) { table.write(to: &$0) } }
        return try stream.finish()
    }
}

/// A table of a stream: the reply of GetData for one of the requested names.
///
/// Decoded rows share the stream's bytes and keep all of them in memory.
public struct DataTable: Sendable {
    /// The name of the table.
    public var name: String
    /// Nil if the stream has none.
    public let schema: TableSchema?
    /// The columns, in the order of the cells.
    public let columns: [DataColumn]
    /// The rows.
    public private(set) var rows: DataRows

    /// Creates a table without rows.
    ///
    /// - Throws: `unevenSchema` if the schema has fewer fields than there are columns.
    public init(name: String, columns: [DataColumn], schema: TableSchema? = nil) throws(TableError) {
        guard columns.count <= schema?.fields.count ?? columns.count else { throw .unevenSchema }
        self.name = name
        self.schema = schema
        self.columns = columns
        rows = DataRows(columns)
    }

    /// Creates a table without rows.
    package init(_ head: TableHead) {
        name = head.name
        schema = head.schema
        columns = head.columns
        rows = DataRows(head.columns)
    }

    /// Returns the same table, of which 8-bit text is read in another code page.
    package func reading(in codePage: CodePage?) -> DataTable {
        var columns = columns
        for index in columns.indices { columns[index].codePage = codePage }
        var table = DataTable(TableHead(name: name, columns: columns, rowCount: 0, schema: schema))
        table.rows = rows.reading(in: codePage)
        return table
    }

    /// Appends rows of a table with the same columns.
    ///
    /// - Throws: `tooLong`.
    package mutating func append(_ more: DataRows) throws(TableError) { try rows.append(more) }

    /// Appends a row, one value for each column.
    ///
    /// - Throws: `valueCount`, `unfit`, `tooLong`.
    public mutating func append(_ values: [DataValue]) throws(TableError) {
        guard !columns.isEmpty else { throw .valueCount(expected: 0, found: values.count) }
        try rows.append(values, columns)
    }

    /// Returns the index of the column with exactly this name.
    public func column(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

    /// - Parameter types: the types of the columns, if they are known and the stream has no schema.
    init(named name: String, types: [DataType]?, from reader: inout StreamReader) throws(TableError) {
        let head = try TableHead(named: name, types: types, from: &reader)
        self.name = name
        schema = head.schema
        columns = head.columns
        rows = try DataRows(head, from: &reader)
    }

    func write(to buffer: inout ByteBuffer) {
        TableHeader.write(schema: schema, columns: columns, rows: rows.count, to: &buffer)
        buffer.writeImmutableBuffer(rows.bytes)
    }
}

/// The header of a column, stored before the rows of a table.
public struct DataColumn: Hashable, Sendable {
    /// Usually the name of the field. A column belongs to a field of the schema by position, not by name.
    public var name: String
    /// The type of the cells.
    public var type: DataType
    /// The declared size in an unknown unit; 0 for most types.
    public var size: Int32
    /// The code page of 8-bit text, the same for all columns of a table; nil for Latin-1. A stream does not contain it:
    /// it is what the reader knows of the server, and no part of the identity of a column.
    public var codePage: CodePage?

    /// Creates the header of a column.
    public init(_ name: String, _ type: DataType, size: Int32 = 0, codePage: CodePage? = nil) {
        self.name = name
        self.type = type
        self.size = size
        self.codePage = codePage
    }

    /// Whether the cells are 8-bit text in a code page that a user has chosen.
    package var isInChosenCodePage: Bool { type.is8Bit && codePage?.isAssumed == false }

    /// Returns the character of a text that the code page does not have; nil if that is not why a value does not fit.
    func unmappable(in value: DataValue) -> UnmappableCharacter? {
        guard let codePage, type.is8Bit, case .text(let text) = value else { return nil }
        do throws(UnmappableCharacter) {
            _ = try codePage.bytes(text)
            return nil
        } catch {
            return error
        }
    }

    /// The reason why the column cannot hold a value.
    func misfit(_ value: DataValue) -> TableError {
        unmappable(in: value).map { .unmappable(column: name, $0) } ?? .unfit(column: name, type: type)
    }

    /// Whether name, type and size are equal.
    public static func == (left: DataColumn, right: DataColumn) -> Bool {
        left.type == right.type && left.size == right.size && left.name == right.name
    }

    /// Hashes name, type and size.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(type)
        hasher.combine(size)
    }
}

/// The rows of a table: the bytes of the stream, and the offset of each row.
public struct DataRows: Sendable {
    private(set) var bytes = ByteBuffer()
    /// The offset of the bytes in the stream that they were read from.
    private var origin = 0
    private var starts: [UInt32] = []
    /// The types of the columns.
    package let types: [DataType]
    /// The code page of the columns.
    package private(set) var codePage: CodePage?

    init(_ columns: [DataColumn]) {
        types = columns.map(\.type)
        codePage = Self.codePage(of: columns)
    }

    static func codePage(of columns: [DataColumn]) -> CodePage? { columns.lazy.compactMap(\.codePage).first }

    /// Returns the same rows, of which 8-bit text is read in another code page.
    package func reading(in codePage: CodePage?) -> DataRows {
        var rows = self
        rows.codePage = codePage
        return rows
    }

    init(_ head: TableHead, from reader: inout StreamReader) throws(TableError) {
        self.init(head.columns)
        guard head.rowCount > 0 else { return }
        starts.reserveCapacity(head.rowCount)
        let start = reader.position
        try reader.skipRows(head.rowCount, types.compactMap(\.form), setMeansNull: true) { row in
            starts.append(UInt32(truncatingIfNeeded: row - start))
        }
        bytes = reader.slice(from: start)
        origin = start
    }

    /// - Parameters:
    ///   - starts: the offset of each row, ascending, from the first readable byte.
    ///   - origin: the position of the bytes in the stream.
    init(_ types: [DataType], _ codePage: CodePage?, _ bytes: ByteBuffer, starts: [UInt32], origin: Int) {
        self.types = types
        self.codePage = codePage
        self.bytes = bytes
        self.starts = starts
        self.origin = origin
    }

    /// Returns the offset of a row from the first byte of the stream that it was read from.
    func offset(of index: Int) -> Int { origin + Int(starts[index]) }

    mutating func append(_ values: [DataValue], _ columns: [DataColumn]) throws(TableError) {
        guard let start = UInt32(exactly: bytes.readableBytes) else { throw .tooLong }
        try CellWriter.write(values, as: columns, setMeansNull: true, to: &bytes)
        starts.append(start)
    }

    mutating func append(_ more: DataRows) throws(TableError) {
        guard !starts.isEmpty else {
            self = more
            return
        }
        let start = bytes.readableBytes
        guard start + more.bytes.readableBytes <= Int(UInt32.max) else { throw .tooLong }
        bytes.writeImmutableBuffer(more.bytes)
        for row in more.starts { starts.append(row + UInt32(start)) }
    }

    /// Lends the bytes of all rows and the offset of each. In the null masks a set bit means NULL.
    package func withCells<Result>(
        _ body: (UnsafeRawBufferPointer, [UInt32]) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeReadableBytes { try body($0, starts) }
    }
}

extension DataRows {
    /// Decodes all cells, row by row from left to right. This takes less time than iteration, which accesses the bytes
    /// for each cell.
    ///
    /// - Parameter body: receives the index of the row, the index of the column, and the value.
    /// - Throws: the error of `body`.
    public func forEachValue(_ body: (_ row: Int, _ column: Int, _ value: DataValue) throws -> Void) rethrows {
        try bytes.withUnsafeReadableBytes { bytes in
            var reader = CellReader(bytes, row: 0, types: types, setMeansNull: true, codePage: codePage)
            for row in starts.indices {
                reader.move(toRow: Int(starts[row]))
                for column in types.indices { try body(row, column, reader.value()) }
            }
        }
    }
}

extension DataRows: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { starts.count }

    public subscript(index: Int) -> DataRow {
        DataRow(in: bytes, at: Int(starts[index]), types: types, setMeansNull: true, codePage: codePage)
    }
}

/// A row in the bytes of a stream. Values are decoded on access.
///
/// Access to a cell skips the cells before it. Use iteration to read all cells.
public struct DataRow: Sendable {
    static let guidBytes = 36

    /// The bytes of all rows of the table.
    private let bytes: ByteBuffer
    private let start: Int
    let types: [DataType]
    private let setMeansNull: Bool
    private let codePage: CodePage?

    /// - Parameter start: the offset of a valid row from the first readable byte.
    init(in bytes: ByteBuffer, at start: Int, types: [DataType], setMeansNull: Bool, codePage: CodePage?) {
        self.codePage = codePage
        self.bytes = bytes
        self.start = start
        self.types = types
        self.setMeansNull = setMeansNull
    }

    /// The number of columns.
    public var count: Int { types.count }

    /// Returns the value of a cell.
    ///
    /// - Precondition: the column exists.
    public subscript(column: Int) -> DataValue {
        bytes.withUnsafeReadableBytes { bytes in
            var reader = reader(bytes)
            reader.skip(to: column)
            return reader.value()
        }
    }

    /// All values, from left to right. This takes less time than iteration.
    package var values: [DataValue] {
        bytes.withUnsafeReadableBytes { bytes in
            var reader = reader(bytes)
            return [DataValue](unsafeUninitializedCapacity: types.count) { space, count in
                for column in types.indices { space.initializeElement(at: column, to: reader.value()) }
                count = types.count
            }
        }
    }

    /// Whether a cell is null.
    ///
    /// - Precondition: the column exists.
    public func isNull(_ column: Int) -> Bool {
        bytes.withUnsafeReadableBytes { reader($0).isNull(column) }
    }

    /// Returns the raw bytes of a cell, without the count of a text or blob; nil if the cell is null.
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
        CellReader(bytes, row: start, types: types, setMeansNull: setMeansNull, codePage: codePage)
    }
}

extension DataRow: Sequence {
    /// Decodes the cells of a row from left to right.
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
