// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc

/// Sorts rows by several columns in bounded memory. Rows with equal values keep their order.
///
/// With a limit that fits into memory, only the first rows are kept, in a heap. Otherwise sorted runs are written to a
/// temporary file and merged. Calls may block on that file.
final class RowSorter {
    /// A row with its key before it.
    fileprivate struct Entry {
        /// The first bytes of the key, which decide most comparisons.
        let prefix: UInt64
        let start: Int
        let keyCount: Int
        let count: Int
    }

    private let columns: [DataColumn]
    private let key: SortKey
    private let limit: Int?
    private let memory: Int
    private let temporary: Int
    private let directory: String
    private var sequence: UInt64 = 0
    private var arena: [UInt8] = []
    private var entries: [Entry] = []
    /// The rows kept so far if there is a limit, the last one first.
    private var heap: Heap<SortRecord>?
    private var heapBytes = 0
    private var runs: [Range<Int>] = []
    private var file: SpillFile?
    private var hasStarted = false
    /// Nil after the last row.
    private var output: Output?
    /// The number of rows that were returned.
    private var taken = 0

    private enum Output {
        case entries(next: Int)
        case records([SortRecord], next: Int)
        case runs(Heap<RunReader>)
    }

    /// - Parameters:
    ///   - columns: the columns of the rows.
    ///   - order: the columns to sort by, the most significant first.
    ///   - limit: the maximum number of rows of the result; nil for all.
    ///   - memory: the maximum bytes of rows and keys in memory.
    ///   - temporary: the maximum bytes of the temporary file.
    ///   - directory: the directory of the temporary file, which is created only if it is needed.
    init(
        _ columns: [DataColumn],
        by order: [SortColumn],
        limit: Int? = nil,
        memory: Int = 32 << 20,
        temporary: Int = 1 << 30,
        directory: String
    ) {
        self.columns = columns
        key = SortKey(order, types: columns.map(\.type))
        self.limit = limit
        self.memory = memory
        self.temporary = temporary
        self.directory = directory
        heap = limit == nil ? nil : Heap { $1.key.lexicographicallyPrecedes($0.key) }
    }

    /// Adds rows.
    ///
    /// - Parameter indices: the rows to add, ascending; nil for all.
    /// - Throws: `GrowthError.temporary`; `PlatformError` of the temporary file.
    func add(_ rows: DataRows, _ indices: [Int]? = nil) throws {
        try rows.forEachEncoded(indices) { index, row in
            let start = arena.count
            key.append(rows[index], sequence: sequence, to: &arena)
            sequence += 1
            if let limit, heap != nil {
                let key = Array(arena[start...])
                arena.removeSubrange(start...)
                try keep(key, row, limit)
            } else {
                let keyCount = arena.count - start
                arena.append(contentsOf: row)
                try addEntry(start: start, keyCount: keyCount)
            }
        }
    }

    private func keep(_ key: [UInt8], _ row: UnsafeRawBufferPointer, _ limit: Int) throws {
        guard limit > 0 else { return }
        if let last = heap?.first, (heap?.count ?? 0) >= limit {
            guard key.lexicographicallyPrecedes(last.key) else { return }
            heapBytes -= last.size
            _ = heap?.removeFirst()
        }
        let record = SortRecord(key: key, row: Array(row))
        heapBytes += record.size
        heap?.insert(record)
        guard heapBytes > memory, let records = heap?.elements else { return }
        // The limit does not fit into memory.
        heap = nil
        for record in records {
            let start = arena.count
            arena += record.key
            arena += record.row
            try addEntry(start: start, keyCount: record.key.count)
        }
    }

    private func addEntry(start: Int, keyCount: Int) throws {
        let prefix = (0..<8).reduce(UInt64(0)) { prefix, index in
            prefix << 8 | (index < keyCount ? UInt64(arena[start + index]) : 0)
        }
        entries.append(Entry(prefix: prefix, start: start, keyCount: keyCount, count: arena.count - start))
        if arena.count + entries.count * MemoryLayout<Entry>.stride > memory { try spill() }
    }

    private func sortEntries() {
        arena.withUnsafeBytes { arena in
            entries.sort { left, right in
                guard left.prefix == right.prefix, let base = arena.baseAddress else {
                    return left.prefix < right.prefix
                }
                // One of the keys is not the beginning of the other one, so that the result is never 0.
                return memcmp(base + left.start, base + right.start, min(left.keyCount, right.keyCount)) < 0
            }
        }
    }

    /// Writes the rows in memory to the file, sorted.
    private func spill() throws {
        sortEntries()
        let file = try self.file ?? SpillFile(in: directory)
        self.file = file
        let start = file.count
        var buffer: [UInt8] = []
        for entry in entries {
            for count in [entry.keyCount, entry.count] {
                withUnsafeBytes(of: UInt64(count)) { buffer.append(contentsOf: $0) }
            }
            buffer += arena[entry.start..<(entry.start + entry.count)]
            if buffer.count >= 1 << 20 {
                try append(buffer, to: file)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try append(buffer, to: file)
        runs.append(start..<file.count)
        entries.removeAll(keepingCapacity: true)
        arena.removeAll(keepingCapacity: true)
    }

    private func append(_ bytes: [UInt8], to file: SpillFile) throws {
        guard bytes.count <= temporary - file.count else { throw GrowthError.temporary(limit: temporary) }
        try file.append(bytes)
    }

    /// Returns the next rows in order; nil after the last one. No rows can be added then.
    ///
    /// - Throws: `GrowthError.temporary`; `PlatformError` of the temporary file; `TableError.tooLong`.
    func next() throws -> DataRows? {
        if !hasStarted {
            hasStarted = true
            output = try start()
        }
        var builder = DataRowsBuilder(columns)
        while builder.byteCount < 128 << 10, taken < limit ?? .max, try appendNext(to: &builder) { taken += 1 }
        return builder.count > 0 ? builder.take() : nil
    }

    private func start() throws -> Output {
        if let heap {
            return .records(heap.elements.sorted { $0.key.lexicographicallyPrecedes($1.key) }, next: 0)
        }
        guard !runs.isEmpty else {
            sortEntries()
            return .entries(next: 0)
        }
        if !entries.isEmpty { try spill() }
        arena = []
        entries = []
        var heap = Heap<RunReader> { $0.key.lexicographicallyPrecedes($1.key) }
        let size = max(1 << 14, memory / runs.count)
        for run in runs {
            guard let file else { break }
            var reader = RunReader(run, of: file, bufferSize: size)
            if try reader.advance() { heap.insert(reader) }
        }
        return .runs(heap)
    }

    private func appendNext(to builder: inout DataRowsBuilder) throws -> Bool {
        switch output.take() {
        case nil: return false
        case .entries(let next):
            guard next < entries.count else { return false }
            let entry = entries[next]
            let row = (entry.start + entry.keyCount)..<(entry.start + entry.count)
            try arena[row].withUnsafeBytes { try builder.append(encoded: $0) }
            output = .entries(next: next + 1)
        case .records(let records, let next):
            guard next < records.count else { return false }
            try records[next].row.withUnsafeBytes { try builder.append(encoded: $0) }
            output = .records(records, next: next + 1)
        case .runs(var heap):
            guard var reader = heap.removeFirst() else { return false }
            try reader.row.withUnsafeBytes { try builder.append(encoded: $0) }
            if try reader.advance() { heap.insert(reader) }
            output = .runs(heap)
        }
        return true
    }
}
