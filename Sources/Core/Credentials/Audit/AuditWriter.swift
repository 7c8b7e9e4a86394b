// SPDX-License-Identifier: Apache-2.0

import JSON
import Locks
import Platform

/// Appends lines to the log's files, one batch at a time. All calls block and must be made on the thread pool.
final class AuditWriter: Sendable {
    private struct State {
        var chain = AuditChain()
        /// The state of the current file; nil until the log was read.
        var seen: Seen?
    }

    /// The state of the current file after the last look. If it differs now, another process has written to the file.
    private struct Seen {
        /// Bytes up to the last line feed.
        var size: Int
        /// The number of the file's first line; nil while the file is empty.
        var first: UInt64?
    }

    private let path: String
    private let fileBytes: Int
    private let now: @Sendable () -> AuditTimestamp
    private let state = Lock(State())

    init(path: String, fileBytes: Int = AuditFolder.fileBytes, now: @escaping @Sendable () -> AuditTimestamp) {
        self.path = path
        self.fileBytes = fileBytes
        self.now = now
    }

    /// Appends the items that `take` returns, in the order of the calls.
    ///
    /// - Parameter durably: whether the lines must be on the disk when the call returns.
    /// - Returns: the head of the log after the write.
    /// - Throws: the error of the write. Then no line of the batch is in the log, but its key changes have taken
    ///   effect.
    @discardableResult
    func write(
        durably: Bool,
        _ take: () -> [AuditBuffer.Item],
        failed: ([AuditBuffer.Item]) -> Void
    ) throws(PlatformError) -> VaultKeys.AuditHead {
        try state.withLock { state throws(PlatformError) in
            let items = take()
            guard durably || !items.isEmpty else { return state.chain.head }
            do throws(PlatformError) {
                try append(items, durably: durably, &state)
            } catch {
                for item in items { state.chain.apply(item) }
                state.seen = nil
                failed(items)
                throw error
            }
            return state.chain.head
        }
    }

    /// Reads the log's files, and the head of the log as this process knows it.
    func read() throws(PlatformError) -> (files: [AuditFolder.Content], head: VaultKeys.AuditHead) {
        try state.withLock { state throws(PlatformError) in
            let folder = try AuditFolder(path: path)
            return try folder.locked { () throws(PlatformError) in
                (files: try folder.readAll(), head: state.chain.head)
            }
        }
    }

    private func append(_ items: [AuditBuffer.Item], durably: Bool, _ state: inout State) throws(PlatformError) {
        let folder = try AuditFolder(path: path)
        state = try folder.locked { () throws(PlatformError) in
            var next = state
            var seen = try look(folder, &next)
            var batch = next.chain
            var bytes = try batch.lines(for: items, at: now)
            if seen.size > 0, seen.size + bytes.count > fileBytes {
                try rotate(folder, &seen, &next.chain)
                // The batch is made again, because the new file begins with a line of its own.
                batch = next.chain
                bytes = try batch.lines(for: items, at: now)
            }
            try write(bytes, to: folder, durably: durably, &seen)
            return State(chain: batch, seen: seen)
        }
    }

    private func write(
        _ bytes: [UInt8],
        to folder: AuditFolder,
        durably: Bool,
        _ seen: inout Seen
    ) throws(PlatformError) {
        let file = try folder.current()
        try file.append(bytes, at: seen.size)
        if seen.first == nil { seen.first = bytes.split(separator: 0x0A).first.flatMap { AuditLine($0) }?.sequence }
        let isNew = seen.size == 0
        seen.size += bytes.count
        guard durably else { return }
        try file.synchronizeData()
        if isNew { try folder.directory.synchronize() }
    }

    private func rotate(_ folder: AuditFolder, _ seen: inout Seen, _ chain: inout AuditChain) throws(PlatformError) {
        let kept = try folder.setAside(first: seen.first ?? chain.head.sequence)
        seen = Seen(size: 0, first: nil)
        try begin(folder, keeping: kept, &seen, &chain)
        try folder.removeSurplus()
    }

    /// Writes the first line of a file that follows others.
    private func begin(
        _ folder: AuditFolder,
        keeping first: UInt64,
        _ seen: inout Seen,
        _ chain: inout AuditChain
    ) throws(PlatformError) {
        let entry = AuditEntry(.logRotated, figures: ["first": .integer(Int64(clamping: first))])
        try write(chain.lines(for: entry, at: now()), to: folder, durably: true, &seen)
    }

    /// Finds the end of the log, and repairs the damage of a crash.
    private func look(_ folder: AuditFolder, _ state: inout State) throws(PlatformError) -> Seen {
        let file = try folder.current()
        if let seen = state.seen, seen.size > 0, try file.size() == seen.size { return seen }
        let content = try folder.read(AuditFolder.fileName) ?? AuditFolder.Content(name: "", bytes: [])
        let older = try folder.older()
        var lines = content.lines.compactMap { AuditLine($0) }
        var seen = Seen(size: content.bytes.count - content.tornBytes, first: lines.first?.sequence)
        // After a crash or a failed write the last line of this process may be in an older file, and lines without the key may
        // begin in one.
        let head = state.chain.head
        func isEnough() -> Bool { lines.contains { head == .start ? $0.proof == .key : $0.head == head } }
        for name in older.reversed() where !isEnough() {
            lines = (try folder.read(name)?.lines.compactMap { AuditLine($0) } ?? []) + lines
        }
        if state.chain.head == .start {
            state.chain.adopt(lines)
        } else if let own = lines.lastIndex(where: { $0.head == state.chain.head }) {
            state.chain.adopt(Array(lines[(own + 1)...]))
        }
        // Otherwise the last line of this process is missing from the file. The chain continues after it, so the gap
        // remains visible.
        if seen.size == 0, let oldest = older.suffix(AuditFolder.olderFiles).first.flatMap(AuditFolder.firstSequence) {
            try file.truncate(to: 0)
            try begin(folder, keeping: oldest, &seen, &state.chain)
        }
        if content.tornBytes > 0 {
            try file.truncate(to: seen.size)
            let torn = AuditEntry(.logTorn, figures: ["bytes": .integer(Int64(content.tornBytes))])
            try write(state.chain.lines(for: torn, at: now()), to: folder, durably: false, &seen)
        }
        return seen
    }
}

extension AuditChain {
    /// Encodes the lines of a batch, and applies its key changes.
    fileprivate mutating func lines(
        for items: [AuditBuffer.Item],
        at now: () -> AuditTimestamp
    ) throws(PlatformError) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            apply(item)
            if case .entry(let entry, let times) = item { bytes += try lines(for: entry, times: times, at: now()) }
        }
        return bytes
    }

    fileprivate mutating func apply(_ item: AuditBuffer.Item) {
        switch item {
        case .entry: break
        case .open(let key, let known): open(key, known: known)
        case .close: close()
        }
    }
}

/// The files of the log: `audit.jsonl`, and up to four older files named by the number of their first line. All calls
/// block.
struct AuditFolder: Sendable {
    static let fileName = "audit.jsonl"
    static let fileBytes = 1 << 20
    static let olderFiles = 4
    private static let lockName = "audit.lock"
    private static let lockTimeout = Duration.seconds(2)
    private static let prefix = "audit."
    private static let suffix = ".jsonl"
    private static let digits = 20

    let directory: ProtectedDirectory

    /// The content of one file.
    struct Content: Sendable {
        let name: String
        let bytes: [UInt8]

        /// The length of an incomplete last line, without a line feed, that a crash left.
        var tornBytes: Int { bytes.count - (bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) }

        /// The complete lines, without their line feeds.
        var lines: [ArraySlice<UInt8>] {
            bytes.dropLast(tornBytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        }
    }

    init(path: String) throws(PlatformError) {
        directory = try ProtectedDirectory(path, creating: true)
    }

    /// Runs `body` under the lock that excludes writes by other processes.
    func locked<R>(_ body: () throws(PlatformError) -> R) throws(PlatformError) -> R {
        let file = try ProtectedFile.openOrCreate(Self.lockName, in: directory, maximumBytes: 0)
        try file.awaitLock(atMost: Self.lockTimeout)
        return try withExtendedLifetime(file, body)
    }

    /// Reads one file.
    ///
    /// - Returns: nil if there is no such file.
    func read(_ name: String) throws(PlatformError) -> Content? {
        // The limit is twice the size of a full file. A larger file was not written by this program and is refused.
        try AtomicFile.read(name, in: directory, maximumBytes: 2 * Self.fileBytes).map {
            Content(name: name, bytes: $0)
        }
    }

    /// Reads all files: oldest first, the current one last.
    func readAll() throws(PlatformError) -> [Content] {
        var all: [Content] = []
        // Only a crash before the oldest file is removed can leave one more file than `olderFiles`.
        for name in try older().suffix(Self.olderFiles + 1) + [Self.fileName] {
            if let content = try read(name) { all.append(content) }
        }
        return all
    }

    func current() throws(PlatformError) -> ProtectedFile {
        try ProtectedFile.openOrCreate(Self.fileName, in: directory, maximumBytes: 2 * Self.fileBytes)
    }

    /// The names of the older files, oldest first.
    func older() throws(PlatformError) -> [String] {
        try directory.names().filter { Self.firstSequence(of: $0) != nil }.sorted()
    }

    /// Renames the current file to the name of an older one.
    ///
    /// - Parameter first: the number of its first line.
    /// - Returns: the number of the first line that is kept after `removeSurplus`.
    func setAside(first: UInt64) throws(PlatformError) -> UInt64 {
        let number = String(first)
        let padded = String(repeating: "0", count: max(0, Self.digits - number.utf8.count)) + number
        try directory.rename(Self.fileName, to: Self.prefix + padded + Self.suffix)
        return try older().suffix(Self.olderFiles).first.flatMap(Self.firstSequence) ?? first
    }

    /// Removes surplus older files. Call it after the new file has recorded the rotation.
    func removeSurplus() throws(PlatformError) {
        try directory.synchronize()
        for name in try older().dropLast(Self.olderFiles) { try directory.remove(name) }
    }

    /// The number of the first line in an older file, from the file's name; nil if the name is not that of an older
    /// file.
    static func firstSequence(of name: String) -> UInt64? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        return middle.utf8.count == digits ? UInt64(middle) : nil
    }
}
