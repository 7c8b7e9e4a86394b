// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Platform

/// Decodes a stream of tables that arrives in parts, in constant memory.
///
/// ```swift
/// var decoder = TableStreamDecoder(tables: ["Deps", "Users"])
/// for part in parts {
///     decoder.feed(part)
///     while let event = try decoder.next() { print(event) }
/// }
/// try decoder.finish()
/// ```
///
/// It accepts the streams that `TableStream(decoding:)` accepts, if nothing is between the last table and the directory
/// or after it. Names are stored only in the directory at the end of a stream. So the caller gives the names, in the
/// order of the request, and the directory is only compared with them: in the number of tables, and in their kind.
///
/// Memory: one batch of rows of 128 KiB, or one row if it is larger, and the part that was fed last.
public struct TableStreamDecoder: Sendable {
    private enum Phase {
        case header
        /// A table or the directory.
        case table
        /// The rest of the rows of a table.
        case rows(Rows)
        case directory
        case end
        case failed(TableError)
    }

    private struct Rows {
        let table: String
        let count: Int
        let types: [DataType]
        let skipper: RowSkipper
        /// The number of rows that were returned.
        var taken = 0
        /// Rows that are complete but were not returned, by their offset in `work`.
        var starts: [UInt32] = []
        var place = RowSkipper.Place(0)
    }

    private static let batchBytes = TableLimits.batch
    /// Maximum bytes of the part of a table before its rows.
    private static let headLimit = 16 << 20

    private let names: [String]
    private let types: [String: [DataType]]
    private let limits: TableLimits
    private let codePage: CodePage?
    /// The size of the stream, or the maximum.
    private let streamEnd: Int
    private let isSizeKnown: Bool
    /// The position of the directory.
    private var tablesEnd = 0
    private var budget: StreamReader.Budget
    private var tablesRead = 0
    /// Bytes that were fed, after those in `work`.
    private var input = ByteBuffer()
    /// The bytes that are decoded next.
    private var work = ByteBuffer()
    /// The position of the first byte of `work` in the stream.
    private var offset = 0
    /// Bytes that `work` must have before the head of a table or the directory is read.
    private var neededBytes = 1
    /// Bytes that it should have, unless all of them have arrived. They grow by an eighth, so that the whole takes linear
    /// time even if the stream arrives byte by byte.
    private var expectedBytes = 1
    private var phase = Phase.header
    /// For each table the name that the directory must have; nil or an absent one for any.
    package var expectedNames: [String?] = []

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - tables: the names of the tables, in the order of the stream.
    ///   - types: the column types of tables without a schema, by table name. A table that is not listed is read with
    ///     the type bytes of its columns.
    ///   - byteCount: the size of the stream, if it is known.
    ///   - limits: a row may be 1 MiB larger than a cell.
    ///   - codePage: of 8-bit text; nil for Latin-1.
    public init(
        tables: [String],
        types: [String: [DataType]] = [:],
        byteCount: Int? = nil,
        limits: TableLimits = .streaming,
        codePage: CodePage? = nil
    ) {
        names = tables
        self.codePage = codePage
        self.types = types
        self.limits = limits
        streamEnd = byteCount ?? min(limits.bytes, Int(Int32.max))
        isSizeKnown = byteCount != nil
        budget = StreamReader.Budget(limits)
    }

    /// Adds the next bytes of the stream. Fed parts are only copied if the previous ones have not been decoded.
    public mutating func feed(_ part: ByteBuffer) {
        if input.readableBytes == 0 { input = part } else { input.writeImmutableBuffer(part) }
    }

    /// Returns the next part of the stream; nil if more bytes are needed, or after the last.
    ///
    /// - Parameter waitsForBatch: rows are returned only when there are at least 64 KiB or the last ones of a table.
    ///   Otherwise all complete rows are returned.
    /// - Throws: `malformed`, `tooMany`, `within`. The decoder is then unusable, and each call throws the same error.
    public mutating func next(waitsForBatch: Bool = false) throws(TableError) -> TableEvent? {
        do throws(TableError) {
            while true {
                switch phase {
                case .header: guard try readHeader() else { return nil }
                case .table:
                    guard tablesRead < names.count else {
                        guard offset == tablesEnd else { throw failure("bytes after the last table") }
                        phase = .directory
                        continue
                    }
                    guard offset < tablesEnd else { throw failure("fewer tables than requested") }
                    return try readHead().map { .table($0) }
                case .rows(var rows):
                    // Otherwise the phase would share the array of offsets, and it would be copied.
                    phase = .table
                    let batch = try readRows(&rows, waitsForBatch)
                    if rows.taken < rows.count { phase = .rows(rows) }
                    if let batch { return .rows(batch) }
                    guard rows.taken == rows.count else { return nil }
                case .directory: guard try readDirectory() else { return nil }
                case .end:
                    guard work.readableBytes + input.readableBytes == 0 else {
                        throw failure("bytes after the directory")
                    }
                    return nil
                case .failed(let error): throw error
                }
            }
        } catch {
            phase = .failed(error)
            input = ByteBuffer()
            work = ByteBuffer()
            throw error
        }
    }

    /// Call after the last byte was fed and `next` has returned nil.
    ///
    /// - Throws: `malformed` or `within` if the stream is incomplete, or the error of `next`.
    public mutating func finish() throws(TableError) {
        while try next() != nil {}
        var error = TableError.malformed(reason: "stream cut short", offset: offset + work.readableBytes)
        switch phase {
        case .end: return
        case .failed(let earlier): throw earlier
        case .rows(let rows): error = .within(table: rows.table, row: rows.taken + 1, error)
        case .header, .table, .directory: break
        }
        phase = .failed(error)
        throw error
    }

    private func failure(_ reason: String) -> TableError { .malformed(reason: reason, offset: offset) }

    /// Moves fed bytes to `work` until it has `count` bytes.
    ///
    /// - Returns: whether it has.
    private mutating func fill(_ count: Int) -> Bool {
        let missing = count - work.readableBytes
        guard missing > 0 else { return true }
        guard var part = input.readSlice(length: min(missing, input.readableBytes)) else { return false }
        if work.readableBytes == 0 {
            work.clear(minimumCapacity: Self.batchBytes)
        } else if work.readerIndex >= Self.batchBytes / 2 {
            work.discardReadBytes()
        }
        work.writeBuffer(&part)
        // Releases the fed part.
        if input.readableBytes == 0 { input = ByteBuffer() }
        return work.readableBytes >= count
    }

    private func reader(end: Int) -> StreamReader {
        StreamReader(part: work, at: offset, end: end, limits: limits, codePage, budget)
    }

    /// Removes the bytes that were read.
    private mutating func consume(_ reader: StreamReader) {
        work.moveReaderIndex(forwardBy: reader.position - offset)
        offset = reader.position
        budget = reader.budget
        (neededBytes, expectedBytes) = (1, 1)
    }

    private mutating func readHeader() throws(TableError) -> Bool {
        _ = fill(StreamDirectory.headerBytes)
        var reader = reader(end: streamEnd)
        do {
            tablesEnd = Int(try StreamDirectory.readHeader(from: &reader))
        } catch {
            guard reader.neededBytes != nil else { throw error }
            return false
        }
        guard tablesEnd <= streamEnd - 4 else {
            if isSizeKnown { throw reader.failure("position outside of the stream") }
            throw .tooMany("bytes", limit: streamEnd, offset: 0)
        }
        consume(reader)
        phase = .table
        return true
    }

    private mutating func readHead() throws(TableError) -> TableHead? {
        let name = names[tablesRead]
        let known = types[name]
        do throws(TableError) {
            let found = try readWhole(end: tablesEnd) { reader throws(TableError) in
                try TableHead(named: name, types: known, from: &reader)
            }
            guard let head = found else { return nil }
            tablesRead += 1
            let types = head.columns.map(\.type)
            let skipper = RowSkipper(types.compactMap(\.form), setMeansNull: true, cellLimit: limits.cell)
            phase = .rows(Rows(table: name, count: head.rowCount, types: types, skipper: skipper))
            return head
        } catch {
            throw .within(table: name, row: nil, error)
        }
    }

    /// Reads a part of the stream whose size is not known. If the bytes that are there do not suffice, it is read again
    /// with more bytes.
    private mutating func readWhole<Part>(
        end: Int,
        isEndKnown: Bool = true,
        _ read: (inout StreamReader) throws(TableError) -> Part
    ) throws(TableError) -> Part? {
        while true {
            guard neededBytes <= Self.headLimit else {
                throw .tooMany("bytes before the rows", limit: Self.headLimit, offset: offset)
            }
            _ = fill(max(4096, neededBytes, expectedBytes))
            let hasArrived = !isEndKnown || offset + work.readableBytes + input.readableBytes >= end
            guard work.readableBytes >= (hasArrived ? neededBytes : max(neededBytes, expectedBytes)) else { return nil }
            var reader = reader(end: end)
            do throws(TableError) {
                let part = try read(&reader)
                consume(reader)
                return part
            } catch {
                guard let needed = reader.neededBytes else { throw error }
                neededBytes = needed
                expectedBytes = work.readableBytes + work.readableBytes / 8
            }
        }
    }

    private mutating func readDirectory() throws(TableError) -> Bool {
        let found = try readWhole(end: streamEnd, isEndKnown: isSizeKnown) { reader throws(TableError) in
            try StreamDirectory.readEntries(from: &reader)
        }
        guard let entries = found else { return false }
        guard entries.allSatisfy({ $0.kind != StreamDirectory.Kind.delta.rawValue }) else {
            throw failure("a delta among tables")
        }
        guard entries.count == names.count else { throw failure("a directory with another number of tables") }
        for (expected, entry) in zip(expectedNames, entries) {
            // An empty name names no other table.
            guard let expected, !entry.name.isEmpty, !Self.isSame(entry.name, expected) else { continue }
            throw .within(table: expected, row: nil, failure("another table, \(entry.name.debugDescription),"))
        }
        guard !isSizeKnown || offset == streamEnd else { throw failure("bytes after the directory") }
        phase = .end
        return true
    }

    /// Servers ignore the case of names, and blanks around them.
    private static func isSame(_ name: String, _ other: String) -> Bool {
        func core(_ name: String) -> String { String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        return NameMatch.isSimilar(core(name), core(other))
    }

    /// Returns the next batch; nil if there is none yet, or no row is left.
    private mutating func readRows(_ rows: inout Rows, _ waitsForBatch: Bool) throws(TableError) -> DataRows? {
        while rows.taken < rows.count {
            try skipRows(&rows)
            let isLast = rows.taken + rows.starts.count == rows.count
            if isLast || rows.place.row >= Self.batchBytes / 2 { return takeBatch(&rows) }
            let isFull = work.readableBytes >= Self.batchBytes
            if isFull, !rows.starts.isEmpty { return takeBatch(&rows) }
            if input.readableBytes == 0 {
                return waitsForBatch || rows.starts.isEmpty ? nil : takeBatch(&rows)
            }
            if isFull {
                let limit = limits.row
                guard rows.place.needed <= limit else {
                    throw .within(
                        table: rows.table,
                        row: rows.taken + 1,
                        .tooMany("bytes of a row", limit: limit, offset: offset)
                    )
                }
            }
            // A batch becomes larger only for a single row.
            _ = fill(isFull ? max(rows.place.needed, work.readableBytes + Self.batchBytes / 2) : Self.batchBytes)
        }
        return nil
    }

    private mutating func skipRows(_ rows: inout Rows) throws(TableError) {
        let left = rows.count - rows.taken - rows.starts.count
        var (starts, place) = (rows.starts, rows.place)
        rows.starts = []
        defer { (rows.starts, rows.place) = (starts, place) }
        do throws(TableError) {
            try work.withUnsafeReadableBytes { bytes throws(TableError) in
                _ = try rows.skipper.skip(left, in: bytes, at: offset, end: tablesEnd, &place) {
                    starts.append(UInt32(truncatingIfNeeded: $0))
                }
            }
        } catch {
            throw .within(table: rows.table, row: rows.taken + starts.count + 1, error)
        }
    }

    private mutating func takeBatch(_ rows: inout Rows) -> DataRows {
        let count = rows.place.row
        var bytes = work.readSlice(length: count) ?? ByteBuffer()
        if 2 * count >= work.storageCapacity {
            // The batch keeps the storage. The beginning of the next row moves to a new one.
            let rest = work
            work = ByteBuffer()
            if rest.readableBytes > 0 {
                work.reserveCapacity(max(rest.readableBytes, Self.batchBytes))
                work.writeImmutableBuffer(rest)
            }
        } else {
            // A copy, so that a few rows do not keep the whole storage.
            bytes = ByteBuffer(bytes: bytes.readableBytesView)
        }
        let batch = DataRows(rows.types, codePage, bytes, starts: rows.starts, origin: offset)
        offset += count
        rows.taken += rows.starts.count
        rows.starts = []
        rows.place.move(by: count)
        return batch
    }
}
