// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import NIOPosix
import Platform
import Synchronization

/// The audit log of the daemon (docs/audit.md). Notes are written within a second, and off the loop; commits before the
/// caller goes on. Nothing wakes the process while there is nothing to write.
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

    /// - Parameters:
    ///   - directory: made, with mode 0700, when the first line is written.
    ///   - pool: started; it outlives the log.
    package convenience init(directory: String, loop: any EventLoop, pool: NIOThreadPool) {
        self.init(AuditWriter(path: directory, now: AuditMoment.now), loop: loop, pool: pool)
    }

    init(_ writer: AuditWriter, loop: any EventLoop, pool: NIOThreadPool) {
        self.writer = writer
        self.loop = loop
        self.pool = pool
    }

    package var losses: AuditLosses {
        pending.withLock { AuditLosses(events: $0.buffer.lost, failure: $0.failure) }
    }

    /// Writes an entry within a second. Never blocks; what cannot be kept or written is counted.
    package func note(_ entry: AuditEntry) {
        guard pending.withLock({ $0.buffer.add(entry) }) else { return }
        loop.scheduleTask(in: Self.delay) { [self] in flush() }
    }

    /// Writes an entry, and all before it, to the disk before the caller goes on.
    ///
    /// - Throws: `CredentialError.auditUnavailable`: what the entry tells of must not happen then.
    package func commit(_ entry: AuditEntry) async throws {
        try await pool.perform { [self] in
            try write(durably: true) { [.entry(entry, times: 1)] }
        }
    }

    /// Where the log stood when it last was on the disk for certain: what a save of the vault takes along.
    var committed: VaultKeys.AuditHead? { pending.withLock { $0.committed } }

    /// From now on lines are under the vault's key.
    func vaultOpened(_ key: SharedSecret, known: VaultKeys.AuditHead) {
        pending.withLock { $0.buffer.add(keys: .open(key, known: known)) }
    }

    /// Notes that the vault was locked, and gives up the key as soon as that is written, which is begun at once.
    func vaultClosed() {
        note(AuditEntry(.vaultLocked))
        pending.withLock { $0.buffer.add(keys: .close) }
        flush()
    }

    /// Writes what waits, before the process ends.
    package func finish() async {
        // What is lost now, nobody can be told any more.
        try? await pool.perform { [self] in try write(durably: true) { [] } }
    }

    func synchronize() async throws {
        try await pool.perform { [self] in try write(durably: true) { [] } }
    }

    private func flush() {
        pool.submit { [self] state in
            // A failure is in the losses.
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
