// SPDX-License-Identifier: Apache-2.0

/// Whether the vault's file may be used, and the anchors that prove it.
extension CredentialStore {
    /// Refuses a login or a save while the file is suspected of rollback or fork.
    ///
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected`
    package func checkTrust() throws(CredentialError) {
        if lifecycle.vault != nil, let suspicion = anchors.suspicion { throw suspicion }
    }

    /// Makes a save unless the file is suspected, and records a save that was refused because the file is suspected.
    func checkingTrust<R>(_ save: () async throws -> R) async throws -> R {
        if !anchors.trusts(try open().record) {
            // The open vault is from the wrong file. The right file may be there again.
            await refresh()
            try checkTrust()
        }
        do {
            return try await save()
        } catch let error as CredentialError {
            anchors.refused(error)
            throw error
        }
    }

    /// Accepts the vault file on disk, although an anchor raises suspicion against it.
    ///
    /// - Parameter generation: the generation of that file, so that the user accepts only a file that they have seen.
    ///   If the vault is not suspected, the call changes nothing.
    /// - Throws: `CredentialError.wrongGeneration`, `.locked`, `.noVault`, `.auditUnavailable`, or the error of opening
    ///   the file.
    package func accept(generation: UInt64) async throws {
        let before = locks
        let vault = try open()
        let found = try await onDisk { try $0.reopen(vault) }
        try checkNotLocked(since: before)
        guard found.header.generation == generation else {
            throw CredentialError.wrongGeneration(asked: generation, found: found.header.generation)
        }
        try await audited(AuditEntry(.vaultAccepted)) {
            guard locks == before, let current = lifecycle.vault else { throw CredentialError.locked }
            guard current.hash == vault.hash else { throw CredentialError.conflict(reason: "it was just saved") }
            lifecycle.replace(with: found)
            anchors.accepted(found.record)
        }
        await keepAnchor(of: found)
    }

    /// Compares the file on disk with the newest anchor, while the vault is unlocked.
    func compare(_ seen: AnchorRecord) async {
        let wasSuspected = anchors.suspicion != nil
        anchors.saw(seen)
        guard wasSuspected, anchors.suspicion == nil, let vault = lifecycle.vault, vault.hash != seen.hash
        else { return }
        // The right file is there again. The open vault is from the other one.
        let before = locks
        let reopened = try? await onDisk { try $0.reopen(vault) }
        guard locks == before else { return }
        guard let reopened, anchors.trusts(reopened.record) else { return lock() }
        lifecycle.replace(with: reopened)
        anchors.saved(reopened.record)
    }

    /// Stores the anchor of a save in all locations. Status reports a failure, which does not undo the save.
    func keepAnchor(of vault: OpenVault) async {
        guard let draft = try? VaultAnchors.draft(of: vault), anchorQueue.add(draft) else { return }
        defer { anchorQueue.end() }
        while let draft = anchorQueue.take() {
            let failed = anchors.failedProviders
            guard let copies = try? await onDisk({ $0.anchors.keep(draft, skipping: failed) }) else { return }
            anchors.wrote(copies)
        }
    }
}
