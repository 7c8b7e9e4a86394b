// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Reads the parts of a stream from its front. Every count is checked before memory is allocated for it.
///
/// The buffer may be a part of the stream. Positions are counted from the first byte of the stream.
struct StreamReader {
    /// The numbers that a stream may still contain.
    struct Budget {
        var items: Int
        var rows: Int

        init(_ limits: TableLimits) {
            items = limits.items
            rows = limits.rows
        }
    }

    let buffer: ByteBuffer
    /// The position of the buffer's first byte.
    private let origin: Int
    /// The end of the stream, or of its part that is read. It may be after the buffer.
    private let end: Int
    private(set) var position: Int
    let limits: TableLimits
    /// Of 8-bit text; nil for Latin-1. The columns of tables and deltas get it here.
    let codePage: CodePage?
    private(set) var budget: Budget
    /// If a read has failed because its bytes are after the buffer: the number of bytes that the buffer must have.
    private(set) var neededBytes: Int?

    /// Reads a complete stream.
    init(_ buffer: ByteBuffer, limits: TableLimits, codePage: CodePage? = nil) throws(TableError) {
        self.init(part: buffer, at: 0, end: buffer.readableBytes, limits: limits, codePage, Budget(limits))
        guard end <= min(limits.bytes, Int(Int32.max)) else {
            throw .tooMany("bytes", limit: limits.bytes, offset: 0)
        }
    }

    /// Reads a part of a stream. If a read fails and `neededBytes` is set, repeat it with more bytes.
    init(part: ByteBuffer, at origin: Int, end: Int, limits: TableLimits, _ codePage: CodePage?, _ budget: Budget) {
        self.codePage = codePage
        buffer = part
        self.origin = origin
        self.end = end
        position = origin
        self.limits = limits
        self.budget = budget
    }

    func failure(_ reason: String) -> TableError { .malformed(reason: reason, offset: position) }

    mutating func move(to position: Int32) throws(TableError) {
        guard (origin...end).contains(Int(position)) else { throw failure("position outside of the stream") }
        self.position = Int(position)
    }

    /// Advances past some bytes.
    ///
    /// - Returns: the index of the first, counted from the first readable byte of the buffer.
    private mutating func advance(_ count: Int) throws(TableError) -> Int {
        let index = position - origin
        guard count <= end - position, count <= buffer.readableBytes - index else {
            neededBytes = count <= end - position ? index + count : nil
            throw failure("stream cut short")
        }
        position += count
        return index
    }

    mutating func skip(_ expected: StaticString) throws(TableError) {
        for index in 0..<expected.utf8CodeUnitCount {
            let start = self
            guard try readByte() == expected.utf8Start[index] else {
                throw start.failure("not the signature \(expected)")
            }
        }
    }

    mutating func readByte() throws(TableError) -> UInt8 {
        let index = try advance(1)
        return buffer.readableBytesUInt8Span[index]
    }

    mutating func readInt32() throws(TableError) -> Int32 {
        let index = try advance(4)
        return Int32(littleEndian: buffer.readableBytesSpan.unsafeLoadUnaligned(fromByteOffset: index, as: Int32.self))
    }

    /// Reads the number of elements that follow, each of at least `bytesEach` bytes.
    mutating func readCount(_ what: String, limit: Int, bytesEach: Int) throws(TableError) -> Int {
        let start = position
        let count = Int(try readInt32())
        guard count >= 0, count <= (end - position) / bytesEach else {
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
        guard count <= budget.items else { throw .tooMany("items", limit: limits.items, offset: position) }
        budget.items -= count
    }

    mutating func chargeRows(_ count: Int) throws(TableError) {
        guard count <= budget.rows else { throw .tooMany("rows", limit: limits.rows, offset: position) }
        budget.rows -= count
    }

    /// Reads UTF-8 text after its byte count. Returns nil for a count of -1.
    mutating func readOptionalText() throws(TableError) -> String? {
        let start = position
        let count = Int(try readInt32())
        guard count != -1 else { return nil }
        guard count >= 0, count <= end - position else {
            throw .malformed(reason: "text longer than the stream", offset: start)
        }
        guard count <= limits.text else { throw .tooMany("bytes of a text", limit: limits.text, offset: start) }
        let index = try advance(count)
        let bytes = buffer.readableBytesUInt8Span.extracting(index..<index + count)
        guard let text = try? UTF8Span(validating: bytes) else {
            throw .malformed(reason: "text is not UTF-8", offset: start + 4)
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

    /// Skips rows and validates them. All of them must be in the buffer.
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
        var place = RowSkipper.Place(position - origin)
        let skipper = RowSkipper(forms, setMeansNull: setMeansNull, cellLimit: limits.cell)
        // Accessing the buffer for every cell takes longer than skipping the cell.
        let found = try buffer.withUnsafeReadableBytes { bytes throws(TableError) in
            try skipper.skip(count, in: bytes, at: origin, end: end, &place) { begin(origin + $0) }
        }
        position = origin + place.row
        guard found == count else { throw failure("stream cut short") }
    }

    /// Returns the bytes from `start` to the current position, without a copy.
    func slice(from start: Int) -> ByteBuffer {
        buffer.getSlice(at: buffer.readerIndex + start - origin, length: position - start) ?? ByteBuffer()
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
        try reader.move(to: readHeader(from: &reader))
        let entries = try readEntries(from: &reader)
        try reader.move(to: Int32(headerBytes))
        return entries
    }

    /// Reads the header.
    ///
    /// - Returns: the position of the directory.
    static func readHeader(from reader: inout StreamReader) throws(TableError) -> Int32 {
        try reader.skip(signature)
        let place = try reader.readInt32()
        guard place >= Int32(headerBytes) else { throw reader.failure("directory inside of the header") }
        return place
    }

    /// Reads the directory at its position.
    static func readEntries(from reader: inout StreamReader) throws(TableError) -> [Entry] {
        let count = try reader.readCount("tables", limit: reader.limits.tables, bytesEach: 12)
        var entries: [Entry] = []
        for _ in 0..<count {
            entries.append(Entry(kind: try reader.readInt32(), name: try reader.readText()))
            // The position is not needed: the elements are contiguous, and the vendor's client reads them so.
            _ = try reader.readInt32()
        }
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

    /// Returns the complete stream. Mutating, because a consumed copy would share the buffer, and the first write to it
    /// would copy all bytes.
    mutating func finish() throws(TableError) -> ByteBuffer {
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

    /// Bytes of a batch of rows, unless a single row is larger.
    package static let batch = 128 << 10

    /// Bytes of one row: a cell, and 1 MiB.
    package var row: Int { min(cell, .max - 1 << 20) + 1 << 20 }

    /// 64 MiB, 1,024 tables of 4,096 columns, 16,777,216 rows, texts of 64 KiB, 262,144 items.
    public static let standard = TableLimits()

    /// As `standard`, but for streams of up to 2 GiB with any number of rows, which are decoded in parts.
    public static let streaming = TableLimits(bytes: Int(Int32.max), rows: .max)
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
    /// The code page of the column does not have a character of the text.
    case unmappable(column: String, UnmappableCharacter)
    /// The schema's fields or parameters do not all have the same number of properties, or do not match the columns.
    case unevenSchema
    /// The stream exceeds the 2 GiB that its positions can address.
    case tooLong
    /// An error within a table.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - row: the number of the row, from 1; nil before the rows.
    indirect case within(table: String, row: Int?, TableError)
}

extension TableError {
    /// The table, the row and the byte of an error, as a part of a sentence; nil for an error without a byte.
    var place: String? {
        switch self {
        case .malformed(_, let offset), .tooMany(_, _, let offset): "at byte \(offset)"
        case .within(let table, let row, let error):
            error.place.map { place in
                "in \(row.map { "row \($0) of " } ?? "")table \(table.debugDescription), \(place)"
            }
        case .valueCount, .unfit, .unmappable, .unevenSchema, .tooLong: nil
        }
    }
}

extension TableError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let reason, let offset): "malformed stream: \(reason) at byte \(offset)"
        case .tooMany(let what, let limit, let offset): "more than \(limit) \(what) in a stream, at byte \(offset)"
        case .valueCount(let expected, let found): "a row of \(found) values for \(expected) columns"
        case .unfit(let column, let type):
            "a value that \(type.shortName) cannot hold, in column \(column.debugDescription)"
        case .unmappable(let column, let character): "column \(column.debugDescription): \(character)"
        case .unevenSchema: "a schema whose fields do not match each other or the columns"
        case .tooLong: "a stream of more than 2 GiB"
        case .within(let table, let row, let error):
            "table \(table.debugDescription)\(row.map { ", row \($0)" } ?? ""): \(error)"
        }
    }
}
