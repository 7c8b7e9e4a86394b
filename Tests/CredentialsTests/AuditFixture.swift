// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Locks
import Platform
import TestSupport

@testable import Credentials

/// A log in a directory of the test, with a key and clocks of the test.
struct AuditFixture {
    let temporary = TemporaryDirectory()
    let arena: SecretArena
    let key: SharedSecret

    init() throws {
        arena = try SecretArena()
        key = SharedSecret(try Secret(copying: [UInt8](0..<32), in: arena))
    }

    /// A process that writes to the log.
    func writer(fileBytes: Int = AuditFolder.fileBytes) -> AuditWriter {
        let ticks = Lock<Int64>(0)
        return AuditWriter(path: temporary.path(of: "state"), fileBytes: fileBytes) {
            ticks.withLock { ticks in
                ticks += 1
                return AuditTimestamp(wall: 1_700_000_000_000 + ticks * 250, boot: 5_000 + ticks * 250)
            }
        }
    }

    var folder: AuditFolder {
        get throws { try AuditFolder(path: temporary.path(of: "state")) }
    }

    var path: String { temporary.path(of: "state/audit.jsonl") }

    /// The bytes of the current file.
    var bytes: [UInt8] {
        get throws { try folder.read(AuditFolder.fileName)?.bytes ?? [] }
    }

    /// Writes 14 lines: before the vault was opened, while it was open, locked, and open again.
    func writeSmallLog(_ writer: AuditWriter) throws -> VaultKeys.AuditHead {
        let office = EndpointID("office")
        let login = LoginID(bytes: [UInt8](repeating: 0x11, count: 16))
        try writer.add(.note(.daemonStarted), .note(.peerRefused, .refused), .note(.vaultRefused, .refused))
        try writer.add(.open(key, known: .start), .note(.vaultMade))
        try writer.add(.entry(AuditEntry(.pinSet, endpoint: office, strength: .tlsKey, peer: nil), times: 1))
        try writer.add(
            .entry(AuditEntry(.loginAdded, endpoint: office, login: login, strength: .tlsKey, peer: nil), times: 1)
        )
        let used = AuditEntry(.passwordUsed, .refused, endpoint: office, login: login, strength: .tlsKey, peer: nil)
        let saved = try writer.add(.entry(used, times: 7))
        try writer.add(.note(.vaultLocked), .close, .note(.vaultRefused, .refused), .note(.vaultRefused, .failed))
        return try writer.add(.open(key, known: saved), .note(.vaultUnlocked), .note(.adapterOpened))
    }

    func report(
        on bytes: [UInt8],
        heads: [VaultKeys.AuditHead],
        key: SharedSecret? = nil
    ) throws -> AuditReport {
        let content = AuditFolder.Content(name: AuditFolder.fileName, bytes: bytes)
        return try AuditVerifier.report(on: [content], key: key ?? self.key, heads: heads)
    }

    /// The report on the log on disk.
    func report(_ heads: VaultKeys.AuditHead...) throws -> AuditReport {
        try AuditVerifier.report(on: try folder.readAll(), key: key, heads: heads)
    }
}

extension AuditWriter {
    @discardableResult
    func add(_ items: AuditBuffer.Item..., durably: Bool = false) throws(PlatformError) -> VaultKeys.AuditHead {
        try write(durably: durably) {
            items
        } failed: { _ in
        }
    }
}

extension AuditBuffer.Item {
    static func note(_ event: AuditEvent, _ result: AuditResult = .done) -> AuditBuffer.Item {
        .entry(AuditEntry(event, result, peer: nil), times: 1)
    }
}
