// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Glibc

/// Sorts rows by several columns in bounded memory. Rows with equal values keep their order.
///
/// With a limit, only the first rows are kept. What does not fit into memory is written to a temporary file as sorted
/// runs, which are merged. Calls may block on that file.
final class RowSorter {
    /// A row in `arena`, after its key.
    private struct Entry {
        /// The first bytes of the key, which decide most comparisons.
        let prefix: UInt64
        let start: Int
        let keyCount: Int
        let count: Int

        var range: Range<Int> { start..<(start + count) }
    }

    private let columns: [DataColumn]
    private let key: SortKey
    private let limit: Int
    private let memory: Int
    private let temporary: Int
    private let directory: String
    private var sequence: UInt64 = 0
    private var arena: [UInt8] = []
    private var entries: [Entry] = []
    private var runs: [Range<Int>] = []
    private var file: SpillFile?
    /// The runs that have further rows, after all rows were added; nil if there was no need for a file.
    private var merge: Heap<RunReader>?
    private var hasStarted = false
    /// The number of rows that were returned.
    private var taken = 0

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
        key = SortKey(order, of: columns)
        self.limit = limit ?? .max
        self.memory = memory
        self.temporary = temporary
        self.directory = directory
    }

    /// Adds rows.
    ///
    /// - Parameter indices: the rows to add, ascending; nil for all.
    /// - Throws: `GrowthError.temporary`; `PlatformError` of the temporary file.
    func add(_ rows: DataRows, _ indices: [Int]? = nil) throws {
        guard limit > 0 else { return }
        try rows.withCells { bytes, starts in
            for index in indices ?? Array(starts.indices) {
                let end = index + 1 < starts.count ? Int(starts[index + 1]) : bytes.count
                try add(bytes, Int(starts[index])..<end)
            }
        }
    }

    private func add(_ bytes: UnsafeRawBufferPointer, _ row: Range<Int>) throws {
        let start = arena.count
        key.append(bytes, row: row.lowerBound, to: &arena)
        // Rows with equal values differ by their number.
        withUnsafeBytes(of: sequence.bigEndian) { arena.append(contentsOf: $0) }
        sequence += 1
        let keyCount = arena.count - start
        arena.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[row]))
        let prefix = arena.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt64.self) }
        entries.append(
            Entry(
                prefix: UInt64(bigEndian: prefix),
                start: start,
                keyCount: keyCount,
                count: arena.count - start
            )
        )
        if entries.count / 2 >= max(limit, 512) || size > memory { try makeRoom() }
    }

    private var size: Int { arena.count + entries.count * MemoryLayout<Entry>.stride }

    /// Discards the rows after the limit. If that gains little, writes the others to the file.
    private func makeRoom() throws {
        sortEntries()
        if entries.count > limit {
            var (kept, bytes): ([Entry], [UInt8]) = ([], [])
            for entry in entries.prefix(limit) {
                kept.append(
                    Entry(prefix: entry.prefix, start: bytes.count, keyCount: entry.keyCount, count: entry.count)
                )
                bytes += arena[entry.range]
            }
            (entries, arena) = (kept, bytes)
        }
        if size > memory / 2 { try spill() }
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

    /// Writes the rows in memory, which are sorted, to the file.
    private func spill() throws {
        let file = try self.file ?? SpillFile(in: directory)
        self.file = file
        let start = file.count
        var buffer: [UInt8] = []
        for entry in entries {
            for count in [entry.keyCount, entry.count] {
                withUnsafeBytes(of: UInt64(count)) { buffer.append(contentsOf: $0) }
            }
            buffer += arena[entry.range]
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
            sortEntries()
            if let file { try startMerge(file) }
        }
        var builder = DataRowsBuilder(columns)
        while builder.byteCount < TableLimits.batch, taken < limit, try appendNext(to: &builder) { taken += 1 }
        return builder.count > 0 ? builder.take() : nil
    }

    private func startMerge(_ file: SpillFile) throws {
        if !entries.isEmpty { try spill() }
        (arena, entries) = ([], [])
        var heap = Heap<RunReader> { $0.key.lexicographicallyPrecedes($1.key) }
        let size = max(1 << 14, memory / runs.count)
        for run in runs {
            var reader = RunReader(run, of: file, bufferSize: size)
            if try reader.advance() { heap.insert(reader) }
        }
        merge = heap
    }

    private func appendNext(to builder: inout DataRowsBuilder) throws -> Bool {
        guard merge != nil else {
            guard taken < entries.count else { return false }
            let entry = entries[taken]
            try arena[entry.range.dropFirst(entry.keyCount)].withUnsafeBytes { try builder.append(encoded: $0) }
            return true
        }
        guard var reader = merge?.removeFirst() else { return false }
        try reader.row.withUnsafeBytes { try builder.append(encoded: $0) }
        if try reader.advance() { merge?.insert(reader) }
        return true
    }
}
