// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Writes a table as an Apache Arrow IPC stream, or as an Arrow file.
///
/// A whole number has its width and sign, a SingleFloat or Float 32 or 64 bits, a Currency is decimal128(19, 4), a Decimal
/// as `ArrowDecimals` says. A DateTime is timestamp[ms] without a zone. A Guid and all text are LargeUtf8, a Blob is
/// LargeBinary. NULL is in the validity of the column.
package struct ArrowWriter: RowConsumer {
    /// The limits of a batch. A row is never divided.
    private static let (batchRows, batchBytes) = (64 << 10, 1 << 20)

    private let sink: OutputSink
    private let options: FormatOptions
    private let isFile: Bool
    private let rowBytes: Int
    private var layout: OutputColumns?
    private var fields: [ArrowField] = []
    private var batch = ArrowBatch([])
    private var blocks: [ArrowMessage.Block] = []
    private var byteCount = 0
    private var rowCount = 0

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - isFile: whether to write the format of files, with the places of all batches at its end.
    ///   - rowBytes: the maximum bytes of a row. A field may be selected several times.
    package init(
        _ sink: OutputSink,
        _ options: FormatOptions = FormatOptions(),
        isFile: Bool = false,
        rowBytes: Int = .max
    ) {
        self.sink = sink
        self.options = options
        self.isFile = isFile
        self.rowBytes = rowBytes
    }

    package mutating func begin(_ table: TableHead) throws {
        guard layout == nil else { throw FormatError.severalTables }
        let layout = try OutputColumns(table, options.columns)
        self.layout = layout
        fields = layout.columns.map { column in
            let entry = table.schema.flatMap {
                $0.fields.indices.contains(column.index) ? $0.fields[column.index] : nil
            }
            let type = ArrowType(column.type, table.columns[column.index].name, entry, options.decimals)
            return ArrowField(name: column.name, type: type)
        }
        batch = ArrowBatch(zip(layout.columns, fields).map { ArrowColumn($0.type, $1.type) })
        if isFile { try write(ArrowMessage.magic + [0, 0]) }
        try write(ArrowMessage.schema(of: fields))
        try sink.flush()
    }

    package mutating func add(_ rows: DataRows, _ indices: [Int]?) throws {
        guard let layout else { throw FormatError.rowsWithoutTable }
        try layout.forEach(rows, indices) { bytes, places in
            rowCount += 1
            try batch.append(bytes, places, layout, row: rowCount, limit: rowBytes)
            if batch.rows >= Self.batchRows || batch.byteCount >= Self.batchBytes { try writeBatch() }
        }
    }

    /// Writes the rows that were added since the last batch.
    private mutating func writeBatch() throws {
        guard batch.rows > 0 else { return }
        let offset = byteCount
        let (message, bodyBytes) = batch.message()
        try write(message)
        try sink.write { text in
            batch.forEachBuffer { buffer in
                text.append(buffer)
                for _ in 0..<(ArrowBatch.padded(buffer.count) - buffer.count) { text.append(0 as UInt8) }
            }
        }
        byteCount += bodyBytes
        if isFile { blocks.append(.init(offset: offset, metadataBytes: message.count, bodyBytes: bodyBytes)) }
        batch.removeAll()
        try sink.flush()
    }

    package mutating func finish() throws {
        guard layout != nil else { throw FormatError.rowsWithoutTable }
        try writeBatch()
        try write(ArrowMessage.end)
        if isFile { try write(ArrowMessage.footer(fields, blocks)) }
        try sink.flush()
    }

    /// Ends the stream so that no reader takes it for a complete one.
    package mutating func fail() async {
        try? write(ArrowMessage.failure)
        try? sink.flush()
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        byteCount += bytes.count
        try sink.write { $0.append(bytes) }
    }
}

/// The rows of one batch, column by column.
///
/// Cells are appended through pointers, because a property of a class is checked at each access.
private final class ArrowBatch {
    private let columns: UnsafeMutableBufferPointer<ArrowColumn>
    private let scratch: UnsafeMutablePointer<TextBuffer>
    private(set) var rows = 0
    private(set) var byteCount = 0

    init(_ columns: [ArrowColumn]) {
        self.columns = .allocate(capacity: columns.count)
        _ = self.columns.initialize(fromContentsOf: columns)
        scratch = .allocate(capacity: 1)
        scratch.initialize(to: TextBuffer(nil, capacity: 256))
    }

    deinit {
        for column in columns { column.deallocate() }
        columns.deinitialize().deallocate()
        scratch.pointee.deallocate()
        scratch.deinitialize(count: 1).deallocate()
    }

    static func padded(_ count: Int) -> Int { count + -count & (ArrowMessage.alignment - 1) }

    /// Appends a row.
    ///
    /// - Parameters:
    ///   - row: its number for errors, from 1.
    ///   - limit: the maximum bytes of the row.
    @inline(__always)
    func append(
        _ bytes: UnsafeRawBufferPointer,
        _ places: UnsafeMutableBufferPointer<CellPlace>,
        _ layout: OutputColumns,
        row: Int,
        limit: Int
    ) throws {
        var size = 0
        for number in columns.indices {
            do throws(ArrowColumn.Misfit) {
                let place = places[layout.cells[number].index]
                try columns[number].append(bytes, place, layout.codePage, &scratch.pointee)
            } catch {
                let name = layout.columns[number].name
                throw switch error {
                case .digits: FormatError.tooManyDigits(column: name, row: row)
                case .time: FormatError.uncertainTime(column: name, row: row)
                }
            }
            size += columns[number].byteCount
            // A batch with a row before it has few bytes.
            guard size <= limit else { throw GrowthError.row(limit: limit) }
        }
        byteCount = size
        rows += 1
    }

    func removeAll() {
        for number in columns.indices { columns[number].removeAll() }
        (rows, byteCount) = (0, 0)
    }

    func forEachBuffer(_ body: (UnsafeRawBufferPointer) -> Void) {
        for column in columns { column.withBuffers(body) }
    }

    /// The message before the body, and the size of the body.
    func message() -> (bytes: [UInt8], bodyBytes: Int) {
        var buffers: [Range<Int>] = []
        var size = 0
        forEachBuffer { buffer in
            buffers.append(size..<(size + buffer.count))
            size += Self.padded(buffer.count)
        }
        let nodes = columns.map { ArrowMessage.Node(length: $0.count, nullCount: $0.nullCount) }
        return (ArrowMessage.batch(rows: rows, nodes, buffers: buffers, bodyBytes: size), size)
    }
}
