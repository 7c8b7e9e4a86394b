// SPDX-License-Identifier: Apache-2.0

package import Endpoints

extension CredentialStore {
    /// The audit log; nil in programs that have none.
    package nonisolated var audit: AuditLog? { disk.options.audit }

    /// Notifies the log that the vault is open, before anything else is noted.
    func noteOpened(_ vault: OpenVault, as event: AuditEvent) {
        audit?.vaultOpened(vault.keys.audit, known: vault.keys.auditHead)
        audit?.note(AuditEntry(event))
    }

    /// Records why the vault was not opened. Errors that do not depend on the secret or the file, such as a missing
    /// vault or another running attempt, are not recorded.
    func noteRefused(_ error: any Error) {
        switch error as? CredentialError {
        case .wrongKey: audit?.note(AuditEntry(.vaultRefused, .refused))
        case nil, .noVault, .fileMissing, .vaultExists, .attemptInProgress, .invalid, .locked: break
        default: audit?.note(AuditEntry(.vaultRefused, .failed))
        }
    }

    /// Writes `entry` to the audit log, and then makes the change. If the change fails, a second line records that.
    ///
    /// - Throws: `CredentialError.auditUnavailable`, and the change was not made then; any error of `change`.
    func audited<R>(_ entry: AuditEntry, _ change: () async throws -> R) async throws -> R {
        try await audit?.commit(entry)
        do {
            return try await change()
        } catch {
            audit?.note(entry.with(error as? CredentialError == .wrongKey ? .refused : .failed))
            throw error
        }
    }
}

extension CredentialStore {
    /// Verifies the audit log.
    ///
    /// - Throws: `CredentialError.locked` or `.noVault`, because the key is in the vault; `.auditUnavailable`.
    package func verifyAudit() async throws -> AuditReport {
        let vault = try open()
        guard let audit else { return AuditReport() }
        return try await audit.report(vault.keys)
    }
}
