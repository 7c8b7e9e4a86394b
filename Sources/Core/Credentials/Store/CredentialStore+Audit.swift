// SPDX-License-Identifier: Apache-2.0

extension CredentialStore {
    /// nil in programs that keep no log.
    package nonisolated var audit: AuditLog? { disk.options.audit }

    /// Tells the log that the vault is open, before anything else is noted.
    func noteOpened(_ vault: OpenVault, as event: AuditEvent) {
        audit?.vaultOpened(vault.keys.audit, known: vault.keys.auditHead)
        audit?.note(AuditEntry(event))
    }

    /// Tells the log why the vault was not opened; that there is none, or that another attempt is being made, says
    /// nothing about it.
    func noteRefused(_ error: any Error) {
        switch error as? CredentialError {
        case .wrongKey: audit?.note(AuditEntry(.vaultRefused, .refused))
        case nil, .noVault, .vaultExists, .attemptInProgress, .invalid, .locked: break
        default: audit?.note(AuditEntry(.vaultRefused, .failed))
        }
    }

    /// Makes a change after the audit log has told it. If it then fails, a second line says so.
    ///
    /// - Throws: `CredentialError.auditUnavailable`, and nothing was done then; what `change` throws.
    func telling<R>(_ entry: AuditEntry, _ change: () async throws -> R) async throws -> R {
        try await audit?.commit(entry)
        do {
            return try await change()
        } catch {
            audit?.note(entry.with(error as? CredentialError == .wrongKey ? .refused : .failed))
            throw error
        }
    }
}
