// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
package import JSON
import Locks
package import NIOCore
package import NIOPosix
package import Platform

/// The audit log of the daemon (docs/audit.md). `note` writes an entry within a second, off the event loop; `commit`
/// writes it before the caller continues. The process is not woken while there is nothing to write.
package final class AuditLog: Sendable {
    private static let delay = TimeAmount.seconds(1)

    private struct Pending {
        var buffer = AuditBuffer()
        var failure: PlatformError?
        var committed: VaultKeys.AuditHead?
    }

    private let loop: any EventLoop
    let pool: NIOThreadPool
    let writer: AuditWriter
    private let onNote: @Sendable (AuditEntry) -> Void
    private let pending = Lock(Pending())

    /// Makes a log that writes to a directory.
    ///
    /// - Parameters:
    ///   - directory: made with mode 0700 when the first line is written.
    ///   - pool: a started pool, which must outlive the log.
    ///   - onNote: called with each entry of `note`, in any thread. It must not block.
    package convenience init(
        directory: String,
        loop: any EventLoop,
        pool: NIOThreadPool,
        onNote: @escaping @Sendable (AuditEntry) -> Void = { _ in }
    ) {
        self.init(AuditWriter(path: directory, now: AuditTimestamp.now), loop: loop, pool: pool, onNote: onNote)
    }

    init(
        _ writer: AuditWriter,
        loop: any EventLoop,
        pool: NIOThreadPool,
        onNote: @escaping @Sendable (AuditEntry) -> Void = { _ in }
    ) {
        self.onNote = onNote
        self.writer = writer
        self.loop = loop
        self.pool = pool
    }

    /// The events that could not be written, and the last failure.
    package var losses: AuditLosses {
        pending.withLock { AuditLosses(events: $0.buffer.lost, failure: $0.failure) }
    }

    /// Writes an entry within a second. Never blocks. Events that cannot be stored or written are counted.
    package func note(_ entry: AuditEntry) {
        onNote(entry)
        guard pending.withLock({ $0.buffer.add(entry) }) else { return }
        loop.scheduleTask(in: Self.delay) { [self] in flush() }
    }

    /// Writes an entry, and all entries before it, to the disk before it returns.
    ///
    /// - Throws: `CredentialError.auditUnavailable`. The action that the entry records must then not happen.
    package func commit(_ entry: AuditEntry) async throws {
        try await pool.perform { [self] in
            try write(durably: true) { [.entry(entry, times: 1)] }
        }
    }

    /// The head of the log when it was last known to be on the disk. Each save of the vault stores it.
    var committed: VaultKeys.AuditHead? { pending.withLock { $0.committed } }

    /// Writes later lines under the vault's key.
    func vaultOpened(_ key: SharedSecret, known: VaultKeys.AuditHead) {
        pending.withLock { $0.buffer.add(keys: .open(key, known: known)) }
    }

    /// Records that the vault was locked. The write starts immediately, and the key is released when it is done.
    func vaultClosed() {
        note(AuditEntry(.vaultLocked))
        pending.withLock { $0.buffer.add(keys: .close) }
        flush()
    }

    /// Writes all waiting entries. Call it before the process exits.
    package func finish() async {
        // After this point losses can no longer be reported.
        try? await synchronize()
    }

    func synchronize() async throws {
        try await pool.perform { [self] in try write(durably: true) { [] } }
    }

    private func flush() {
        pool.submit { [self] state in
            // A failure is counted in `losses`.
            if case .active = state { try? write(durably: false) { [] } }
        }
    }

    private func write(durably: Bool, with own: () -> [AuditBuffer.Item]) throws(CredentialError) {
        do throws(PlatformError) {
            let head = try writer.write(durably: durably) {
                pending.withLock { $0.buffer.take() } + own()
            } failed: { items in
                pending.withLock { $0.buffer.failed(items) }
            }
            pending.withLock { pending in
                pending.failure = nil
                if durably { pending.committed = head }
            }
        } catch {
            pending.withLock { $0.failure = error }
            throw .auditUnavailable(error)
        }
    }
}

extension AuditLog {
    /// Reads the newest lines as JSON objects, oldest first.
    ///
    /// - Parameters:
    ///   - count: the maximum number of lines.
    ///   - since: seconds since 1970; nil for all.
    /// - Throws: `CredentialError.auditUnavailable`
    package func lines(_ count: Int, since: Int64?) async throws -> [JSONObject] {
        try await synchronize()
        return try await pool.perform { [writer] in
            let files = try translated(writer.read().files)
            var found: [JSONObject] = []
            for line in files.lazy.flatMap(\.lines).reversed() {
                guard found.count < count else { break }
                guard let object = AuditLine(line)?.object else { continue }
                // The clock may have been set, so earlier lines can have later times.
                if let since, let time = object["time"]?.integerValue, time / 1_000 < since { continue }
                found.append(object)
            }
            return found.reversed()
        }
    }

    /// Verifies the whole log with the keys of an open vault.
    func report(_ keys: VaultKeys) async throws -> AuditReport {
        try await synchronize()
        return try await pool.perform { [writer] in
            try translating { () throws(PlatformError) in
                let (files, head) = try writer.read()
                return try AuditVerifier.report(on: files, key: keys.audit, heads: [keys.auditHead, head])
            }
        }
    }
}

/// Entries and key changes that wait to be written. The buffer is bounded. An entry that equals a waiting one is
/// counted instead of stored.
struct AuditBuffer: Sendable {
    enum Item: Sendable {
        case entry(AuditEntry, times: Int)
        /// The vault was unlocked: later lines are written under its key.
        case open(SharedSecret, known: VaultKeys.AuditHead)
        case close
    }

    static let capacity = 256

    private var items: [Item] = []
    /// Events that could not be stored or written, and that no `log.lost` line has recorded yet.
    private var unreported: Int64 = 0
    /// Events lost since the daemon started.
    private(set) var lost = 0

    /// Adds an entry.
    ///
    /// - Returns: whether no entry was waiting, so that the caller must schedule a write. A key change alone does not
    ///   need one.
    mutating func add(_ entry: AuditEntry) -> Bool {
        // Compare only with entries after the last key change, because an entry must not move before it.
        for index in items.indices.reversed() {
            guard case .entry(let other, let times) = items[index] else { break }
            guard other == entry else { continue }
            items[index] = .entry(entry, times: times + 1)
            return false
        }
        guard items.count < Self.capacity else {
            lose(1)
            return false
        }
        let isFirst = !items.contains { if case .entry = $0 { true } else { false } }
        items.append(.entry(entry, times: 1))
        return isFirst
    }

    /// Adds a key change. There is always space for one.
    mutating func add(keys item: Item) {
        if items.count >= 2 * Self.capacity {
            lose(Self.eventCount(of: items))
            items = []
        }
        items.append(item)
    }

    /// Removes and returns the waiting items. If events were lost, a `log.lost` line comes first.
    mutating func take() -> [Item] {
        var taken = items
        items = []
        guard unreported > 0 else { return taken }
        taken.insert(.entry(AuditEntry(.logLost, figures: ["events": .integer(unreported)]), times: 1), at: 0)
        unreported = 0
        return taken
    }

    mutating func lose(_ count: Int) {
        unreported += Int64(count)
        lost += count
    }

    /// The number of events that a batch records. A `log.lost` line counts as none, because its events are already
    /// counted as lost.
    static func eventCount(of items: [Item]) -> Int {
        items.reduce(0) { count, item in
            guard case .entry(let entry, let times) = item else { return count }
            return count + (entry.event == .logLost ? 0 : times)
        }
    }

    /// Counts the events of a batch that could not be written as lost. The events of its `log.lost` lines count as
    /// unrecorded again.
    mutating func failed(_ items: [Item]) {
        lose(Self.eventCount(of: items))
        for case .entry(let entry, _) in items where entry.event == .logLost {
            unreported.addSaturating(entry.figures["events"]?.integerValue ?? 0)
        }
    }
}

/// Audit events that could not be written since the daemon started.
package struct AuditLosses: Sendable, Hashable {
    /// The number of lost events.
    package var events = 0
    /// The reason why the last attempt to write failed; nil if it succeeded.
    package var failure: PlatformError?
}

/// A time stamp from two clocks: wall-clock time, which can be set, and time since boot, which cannot.
struct AuditTimestamp: Sendable, Hashable {
    /// Milliseconds since 1970.
    let wall: Int64
    /// Milliseconds since boot, including sleep.
    let boot: Int64

    static func now() -> AuditTimestamp {
        AuditTimestamp(wall: milliseconds(CLOCK_REALTIME), boot: milliseconds(CLOCK_BOOTTIME))
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
