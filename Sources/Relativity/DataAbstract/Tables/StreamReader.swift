// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Reads the parts of a stream from its front. Every count is checked before memory is allocated for it.
struct StreamReader {
    let buffer: ByteBuffer
    let count: Int
    private(set) var position = 0
    let limits: TableLimits
    private var itemsLeft: Int
    private var rowsLeft: Int

    init(_ buffer: ByteBuffer, limits: TableLimits) throws(TableError) {
        self.buffer = buffer
        count = buffer.readableBytes
        self.limits = limits
        itemsLeft = limits.items
        rowsLeft = limits.rows
        guard count <= min(limits.bytes, Int(Int32.max)) else {
            throw .tooMany("bytes", limit: limits.bytes, offset: 0)
        }
    }

    /// - Parameter index: of one that is there.
    private func byte(at index: Int) -> UInt8 { buffer.readableBytesUInt8Span[index] }

    func failure(_ reason: String) -> TableError { .malformed(reason: reason, offset: position) }

    mutating func move(to position: Int32) throws(TableError) {
        guard (0...self.count).contains(Int(position)) else { throw failure("position outside of the stream") }
        self.position = Int(position)
    }

    mutating func skip(_ expected: StaticString) throws(TableError) {
        for index in 0..<expected.utf8CodeUnitCount {
            guard position < self.count, byte(at: position) == expected.utf8Start[index] else {
                throw failure("not the signature \(expected)")
            }
            position += 1
        }
    }

    mutating func readByte() throws(TableError) -> UInt8 {
        guard position < self.count else { throw cutShort }
        defer { position += 1 }
        return byte(at: position)
    }

    mutating func readInt32() throws(TableError) -> Int32 {
        guard self.count - position >= 4 else { throw cutShort }
        let start = position
        position += 4
        return Int32(littleEndian: buffer.readableBytesSpan.unsafeLoadUnaligned(fromByteOffset: start, as: Int32.self))
    }

    /// Reads the number of elements that follow, each of at least `bytesEach` bytes.
    mutating func readCount(_ what: String, limit: Int, bytesEach: Int) throws(TableError) -> Int {
        let start = position
        let count = Int(try readInt32())
        guard count >= 0, count <= (self.count - position) / bytesEach else {
            throw .malformed(reason: "number of \(what) larger than the stream", offset: start)
        }
        guard count <= limit else { throw .tooMany(what, limit: limit, offset: start) }
        return count
    }

    /// Reads such a number and deducts it from the stream's budget of items.
    mutating func readItemCount(_ what: String, limit: Int, bytesEach: Int) throws(TableError) -> Int {
        let count = try readCount(what, limit: limit, bytesEach: bytesEach)
        try chargeItems(count)
        return count
    }

    mutating func chargeItems(_ count: Int) throws(TableError) {
        guard count <= itemsLeft else { throw .tooMany("items", limit: limits.items, offset: position) }
        itemsLeft -= count
    }

    mutating func chargeRows(_ count: Int) throws(TableError) {
        guard count <= rowsLeft else { throw .tooMany("rows", limit: limits.rows, offset: position) }
        rowsLeft -= count
    }

    /// Reads UTF-8 text after its byte count. Returns nil for a count of -1.
    mutating func readOptionalText() throws(TableError) -> String? {
        let start = position
        let count = Int(try readInt32())
        guard count != -1 else { return nil }
        guard count >= 0, count <= self.count - position else {
            throw .malformed(reason: "text longer than the stream", offset: start)
        }
        guard count <= limits.text else { throw .tooMany("bytes of a text", limit: limits.text, offset: start) }
        let range = position..<position + count
        position += count
        guard let text = try? UTF8Span(validating: buffer.readableBytesUInt8Span.extracting(range)) else {
            throw .malformed(reason: "text is not UTF-8", offset: range.lowerBound)
        }
        return String(copying: text)
    }

    mutating func readText() throws(TableError) -> String {
        let start = position
        guard let text = try readOptionalText() else {
            throw .malformed(reason: "negative length of a text", offset: start)
        }
        return text
    }

    /// Skips rows and validates them.
    ///
    /// - Parameters:
    ///   - setMeansNull: whether a set bit of the mask marks a null cell.
    ///   - begin: called with the position of each row.
    mutating func skipRows(
        _ count: Int,
        _ forms: [CellForm],
        setMeansNull: Bool,
        begin: (_ position: Int) -> Void = { _ in }
    ) throws(TableError) {
        let (start, limit) = (position, limits.cell)
        // Accessing the buffer for every cell takes longer than skipping the cell.
        position = try buffer.withUnsafeReadableBytes { bytes throws(TableError) in
            var rows = RowSkipper(bytes, at: start, cellLimit: limit)
            for _ in 0..<count {
                begin(rows.position)
                try rows.skipRow(forms, setMeansNull: setMeansNull)
            }
            return rows.position
        }
    }

    /// Returns the bytes from `start` to the current position, without a copy.
    func slice(from start: Int) -> ByteBuffer {
        buffer.getSlice(at: buffer.readerIndex + start, length: position - start) ?? ByteBuffer()
    }

    private var cutShort: TableError { failure("stream cut short") }
}

/// Skips rows while `StreamReader` accesses the bytes.
private struct RowSkipper {
    private let bytes: UnsafeRawBufferPointer
    private let cellLimit: Int
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, at position: Int, cellLimit: Int) {
        self.bytes = bytes
        self.position = position
        self.cellLimit = cellLimit
    }

    mutating func skipRow(_ forms: [CellForm], setMeansNull: Bool) throws(TableError) {
        let mask = position
        try skipBytes((forms.count + 7) / 8)
        for column in 0..<forms.count {
            let isSet = bytes[mask + column >> 3] >> UInt8(column & 7) & 1 == 1
            if isSet != setMeansNull { try skipCell(forms[column]) }
        }
    }

    private mutating func skipCell(_ form: CellForm) throws(TableError) {
        switch form {
        case .oneByte: try skipBytes(1)
        case .twoBytes: try skipBytes(2)
        case .fourBytes: try skipBytes(4)
        case .eightBytes: try skipBytes(8)
        case .counted: try skipCounted()
        case .wide:
            let start = position
            try skipCounted()
            guard (position - start).isMultiple(of: 2) else {
                throw .malformed(reason: "odd number of bytes of UTF-16", offset: start)
            }
        case .guid:
            let start = position
            try skipBytes(DataRow.guidBytes)
            guard bytes[start..<position].allSatisfy({ $0 < 0x80 }) else {
                throw .malformed(reason: "a Guid that is not ASCII", offset: start)
            }
        case .decimal:
            let start = position
            try skipBytes(16)
            guard bytes[start + 14] <= 28 else {
                throw .malformed(reason: "decimal scale above 28", offset: start)
            }
        }
    }

    private mutating func skipCounted() throws(TableError) {
        let start = position
        try skipBytes(4)
        let count = Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)))
        guard count >= 0 else { throw .malformed(reason: "negative length of a cell", offset: start) }
        guard count <= cellLimit else { throw .tooMany("bytes of a cell", limit: cellLimit, offset: start) }
        try skipBytes(count)
    }

    private mutating func skipBytes(_ count: Int) throws(TableError) {
        guard count <= bytes.count - position else {
            throw .malformed(reason: "stream cut short", offset: position)
        }
        position += count
    }
}

/// Primitives of a stream outside of cells.
extension ByteBuffer {
    mutating func writeCount(_ count: Int) {
        writeInteger(Int32(truncatingIfNeeded: count), endianness: .little)
    }

    /// Writes a byte count and UTF-8.
    mutating func writeCounted(_ text: String) {
        writeCount(text.utf8.count)
        writeString(text)
    }
}

/// The framing of a stream: the signature, and at the end a directory with the names and positions of its elements.
struct StreamDirectory {
    static let signature: StaticString = "DABIN200"
    /// The signature and the position of the directory.
    static let headerBytes = 12

    enum Kind: Int32 {
        case table = 0
        case delta = 1
    }

    /// Streams may contain unknown kinds.
    struct Entry {
        let kind: Int32
        let name: String
    }

    /// Reads the directory, then moves the reader to the end of the header, where the first element begins.
    static func read(from reader: inout StreamReader) throws(TableError) -> [Entry] {
        try reader.skip(signature)
        let place = try reader.readInt32()
        guard place >= Int32(headerBytes) else { throw reader.failure("directory inside of the header") }
        try reader.move(to: place)
        let count = try reader.readCount("tables", limit: reader.limits.tables, bytesEach: 12)
        var entries: [Entry] = []
        for _ in 0..<count {
            entries.append(Entry(kind: try reader.readInt32(), name: try reader.readText()))
            // The position is not needed: the elements are contiguous, and the vendor's client reads them so.
            _ = try reader.readInt32()
        }
        try reader.move(to: Int32(headerBytes))
        return entries
    }

    private var entries: [(kind: Kind, name: String, place: Int)] = []
    /// The elements so far. A caller appends the content of the last element.
    var buffer = ByteBuffer()

    init() {
        buffer.writeStaticString(Self.signature)
        buffer.writeCount(0)
    }

    mutating func add(_ kind: Kind, _ name: String, _ write: (inout ByteBuffer) -> Void) {
        begin(kind, name)
        write(&buffer)
    }

    /// Starts an element without content.
    mutating func begin(_ kind: Kind, _ name: String) {
        entries.append((kind, name, buffer.writerIndex))
    }

    /// Returns the complete stream.
    consuming func finish() throws(TableError) -> ByteBuffer {
        let place = buffer.writerIndex
        buffer.writeCount(entries.count)
        for entry in entries {
            buffer.writeInteger(entry.kind.rawValue, endianness: .little)
            buffer.writeCounted(entry.name)
            buffer.writeCount(entry.place)
        }
        guard buffer.writerIndex <= Int(Int32.max) else { throw .tooLong }
        buffer.setInteger(Int32(place), at: Self.headerBytes - 4, endianness: .little)
        return buffer
    }
}

/// Limits for reading a stream.
///
/// Rows are kept as bytes. In addition, a reader keeps four bytes for each row, eight bytes for each change, and the
/// schema as strings. So `bytes`, `rows` and `items` together bound the memory.
public struct TableLimits: Hashable, Sendable {
    /// Bytes of the whole stream.
    public var bytes: Int
    /// Tables or deltas in one stream.
    public var tables: Int
    /// Columns of one table or delta.
    public var columns: Int
    /// Rows and changes in one stream together.
    public var rows: Int
    /// Bytes of one cell.
    public var cell: Int
    /// Bytes of one name, property or message.
    public var text: Int
    /// Properties, parameters, columns and keys in one stream together.
    public var items: Int

    /// Creates limits; the defaults are those of `standard`.
    public init(
        bytes: Int = 64 << 20,
        tables: Int = 1024,
        columns: Int = 4096,
        rows: Int = 1 << 24,
        cell: Int = 64 << 20,
        text: Int = 64 << 10,
        items: Int = 1 << 18
    ) {
        self.bytes = bytes
        self.tables = tables
        self.columns = columns
        self.rows = rows
        self.cell = cell
        self.text = text
        self.items = items
    }

    /// 64 MiB, 1,024 tables of 4,096 columns, 16,777,216 rows, texts of 64 KiB, 262,144 items.
    public static let standard = TableLimits()
}

/// The reason why a stream of tables cannot be read or written. Contains no cell value.
public enum TableError: Error, Hashable, Sendable {
    /// The bytes violate the format at `offset`, counted from the first byte of the stream.
    case malformed(reason: String, offset: Int)
    /// A number exceeds `TableLimits`.
    case tooMany(_ what: String, limit: Int, offset: Int)
    /// The number of values in a row differs from the number of columns.
    case valueCount(expected: Int, found: Int)
    /// The type of the column cannot hold the value.
    case unfit(column: String, type: DataType)
    /// The schema's fields or parameters do not all have the same number of properties, or do not match the columns.
    case unevenSchema
    /// The stream exceeds the 2 GiB that its positions can address.
    case tooLong
}

extension TableError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason, let offset): "malformed stream: \(reason) at byte \(offset)"
        case .tooMany(let what, let limit, let offset): "more than \(limit) \(what) in a stream, at byte \(offset)"
        case .valueCount(let expected, let found): "a row of \(found) values for \(expected) columns"
        case .unfit(let column, let type): "a value that \(type.name) cannot hold, in column \(column.debugDescription)"
        case .unevenSchema: "a schema whose fields do not match each other or the columns"
        case .tooLong: "a stream of more than 2 GiB"
        }
    }
}
