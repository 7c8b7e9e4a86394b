// SPDX-License-Identifier: Apache-2.0

import EventLoops

extension CredentialStore {
    /// Refuses what an older or forked file must not lead to: a login, and a save.
    ///
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected`
    package func checkTrust() throws(CredentialError) {
        if case .unlocked = phase, let suspicion = anchors.suspicion { throw suspicion }
    }

    /// As `checkTrust()`, for one login: those that the administrator provides are not in the file.
    package func checkTrust(in login: Login) throws(CredentialError) {
        if !disk.options.configuredLogins.contains(login.id) { try checkTrust() }
    }

    /// Goes around every save: nothing follows a file that is suspected, and a save that refused one is noted.
    func guardingTrust<R>(_ save: () async throws -> R) async throws -> R {
        if !anchors.trusts(VaultPosition(try open())) {
            // What was opened is the wrong file; the right one may have come back.
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

    /// Takes the file that is there for the vault, although an anchor speaks against it.
    ///
    /// - Parameter generation: of that file, so that nobody accepts what they have not seen. Naming the generation of a
    ///   vault that nothing speaks against changes nothing.
    /// - Throws: `CredentialError.wrongGeneration`, `.locked`, `.noVault`, `.auditUnavailable`, and why the file cannot be
    ///   opened.
    package func accept(generation: UInt64) async throws {
        let before = locks
        let vault = try open()
        let found = try await pool.perform { [disk] in try disk.reopen(vault) }
        try checkNotLocked(since: before)
        guard found.header.generation == generation else {
            throw CredentialError.wrongGeneration(asked: generation, found: found.header.generation)
        }
        try await telling(AuditEntry(.vaultAccepted)) {
            guard locks == before, case .unlocked(let current, let timer) = phase else { throw CredentialError.locked }
            guard current.hash == vault.hash else { throw CredentialError.conflict(reason: "it was saved meanwhile") }
            header = found.header
            phase = .unlocked(found, timer)
            anchors.accepted(VaultPosition(found))
        }
        await keepAnchor(of: found)
    }

    /// Holds what is on disk against the newest anchor, while the vault is unlocked.
    func compare(_ seen: VaultPosition) async {
        let wasSuspected = anchors.suspicion != nil
        anchors.saw(seen)
        guard wasSuspected, anchors.suspicion == nil, case .unlocked(let vault, let timer) = phase,
            vault.hash != seen.hash
        else { return }
        // The right file is back; what was opened is the other one.
        let before = locks
        let reopened = try? await pool.perform { [disk] in try disk.reopen(vault) }
        guard locks == before else { return }
        guard let reopened, anchors.trusts(VaultPosition(reopened)) else { return lock() }
        header = reopened.header
        phase = .unlocked(reopened, timer)
        anchors.saved(VaultPosition(reopened))
    }

    /// Remembers a save in all places. What fails there is told by status, and undoes nothing.
    ///
    /// One at a time, and the newest last: an older anchor never replaces a newer one.
    func keepAnchor(of vault: OpenVault) async {
        guard let draft = try? VaultAnchors.draft(of: vault) else { return }
        nextAnchor = draft
        guard !isKeepingAnchor else { return }
        isKeepingAnchor = true
        defer { isKeepingAnchor = false }
        while let draft = nextAnchor {
            nextAnchor = nil
            let skipped = anchors.failedProviders
            guard let outcome = try? await pool.perform({ [disk] in disk.anchors.keep(draft, skipping: skipped) })
            else { return }
            anchors.wrote(outcome.places, faults: outcome.faults)
        }
    }
}
