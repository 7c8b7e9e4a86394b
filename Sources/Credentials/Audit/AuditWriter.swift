// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Synchronization

/// Appends lines to the log's files, one batch at a time. All calls block and must be made on the thread pool.
final class AuditWriter: Sendable {
    private struct State {
        var chain = AuditChain()
        /// nil until the log was read.
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
    private let now: @Sendable () -> AuditMoment
    private let state = Mutex(State())

    init(path: String, fileBytes: Int = AuditFolder.fileBytes, now: @escaping @Sendable () -> AuditMoment) {
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
        // Lines without the key may begin in older files. After a crash the current file may be empty.
        for name in older.reversed() where !lines.contains(where: { $0.proof == .key }) {
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
        at now: () -> AuditMoment
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
