// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import NIOPosix
import Platform
import Synchronization

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
    private let pending = Mutex(Pending())

    /// Makes a log that writes to a directory.
    ///
    /// - Parameters:
    ///   - directory: made with mode 0700 when the first line is written.
    ///   - pool: a started pool, which must outlive the log.
    package convenience init(directory: String, loop: any EventLoop, pool: NIOThreadPool) {
        self.init(AuditWriter(path: directory, now: AuditMoment.now), loop: loop, pool: pool)
    }

    init(_ writer: AuditWriter, loop: any EventLoop, pool: NIOThreadPool) {
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
        // Losses at this point cannot be reported any more.
        try? await pool.perform { [self] in try write(durably: true) { [] } }
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
