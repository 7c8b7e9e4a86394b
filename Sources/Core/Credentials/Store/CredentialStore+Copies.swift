// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

extension CredentialStore {
    /// The vault's file as it is on disk, opened once more to prove that it is whole.
    ///
    /// - Throws: `CredentialError.locked`, `.damaged`, `.conflict`
    package func backup() async throws -> VaultCopy {
        let vault = try open()
        return try await onDisk { try $0.copy(of: vault) }
    }

    /// A vault of its own with the same logins, for another machine.
    ///
    /// - Parameter passphrase: the only thing that will open it; see `Passphrase` for what it may be.
    /// - Throws: `CredentialError.locked`, `.invalid`, `.attemptInProgress`
    package func export(passphrase: consuming Secret) async throws -> VaultCopy {
        let vault = try open()
        let before = locks
        let passphrase = SharedSecret(passphrase)
        return try await telling(AuditEntry(.vaultExported)) {
            let copy = try await derive(slowedDown: false, since: before) { disk in
                try disk.export(vault, passphrase: passphrase)
            }
            try checkNotLocked(since: before)
            return copy
        }
    }

    /// Opens a vault that came from elsewhere; ours stays as it is.
    ///
    /// - Throws: `CredentialError.notAVault`, `.wrongKey`, `.damaged`, `.versionTooNew`, `.tooCostly`, `.attemptInProgress`,
    ///   `.locked` if ours was locked meanwhile
    package func openCopy(_ bytes: [UInt8], with offer: KeyOffer) async throws -> OpenedCopy {
        let before = locks
        let copy = try await derive(slowedDown: offer.kind.isTyped, ofCopy: true, since: before) { disk in
            OpenedCopy(try disk.openCopy(try VaultFile(parsing: bytes), offer))
        }
        try checkNotLocked(since: before)
        return copy
    }

    /// Takes in the logins of another vault; nothing that is here is replaced.
    ///
    /// - Parameters:
    ///   - endpoints: by which id this machine knows an endpoint of the file; those that are missing keep theirs.
    ///   - isDryRun: says what would happen, and changes nothing.
    /// - Returns: what became of each login of the file, in its order.
    /// - Throws: `CredentialError.locked`, `.full`, `.conflict`, `.storeBusy`, or why it could not be saved.
    package func importLogins(
        of copy: OpenedCopy,
        endpoints: [EndpointID: EndpointID],
        isDryRun: Bool
    ) async throws -> [ImportedLogin] {
        let vault = try open()
        let random = disk.options.random
        let change = LoginImport(
            file: copy.vault,
            endpoints: endpoints,
            ids: try copy.vault.payload.entries.map { _ in try LoginID(random: random) }
        )
        let planned = try await onDisk { _ in
            var payload = vault.payload
            return try change.apply(vault, &payload, random: random)
        }
        if planned.contains(where: { $0.verdict == ImportedLogin.otherPassword }) { noteWrongSecret(ofCopy: true) }
        // It tells whether a password of the file is the one that is stored here.
        if isDryRun { try await audit?.commit(AuditEntry(.vaultCompared)) }
        guard !isDryRun, planned.contains(where: { $0.verdict == .added }) else { return planned }
        let saved = try await save(AuditEntry(.vaultImported)) { base, payload throws(CredentialError) in
            try change.apply(base, &payload, random: random)
        }
        // What was planned may have been overtaken by another change; what was saved tells.
        let arrived = Set(saved.payload.entries.map(\.id))
        return zip(planned, change.ids).map { login, id in
            guard login.verdict == .added, !arrived.contains(id) else { return login }
            return login.overtaken
        }
    }

    /// Puts a vault where there is none, or in the place of ours, and leaves it unlocked. An older state of our vault is
    /// taken for a rollback until somebody accepts it.
    ///
    /// - Throws: `CredentialError.vaultExists` unless `isReplacing`; what `openCopy` throws.
    package func restore(_ bytes: [UInt8], with offer: KeyOffer, isReplacing: Bool) async throws {
        // What cannot be opened does not end anybody's session.
        let copy = try await openCopy(bytes, with: offer)
        if state == .unlocked { lock() }
        try await telling(AuditEntry(.vaultRestored)) {
            try await attempt(with: offer.kind, as: .vaultRestored) { disk in
                try disk.place(copy.vault, isReplacing: isReplacing)
            }
        }
    }

    /// Binds logins and pins to the ids that their endpoints have on this machine, unless those are pinned already.
    ///
    /// - Throws: why it could not be saved.
    package func moveEndpoints(_ ids: [EndpointID: EndpointID]) async throws {
        _ = try await save(AuditEntry(.vaultImported)) { _, payload throws(CredentialError) in
            for (old, new) in ids where !payload.pins.contains(where: { $0.endpoint == new }) {
                payload.pins = payload.pins.map { $0.endpoint == old ? $0.moved(to: new) : $0 }
                for index in payload.entries.indices where payload.entries[index].endpoint == old {
                    payload.entries[index].endpoint = new
                }
            }
        }
    }
}

extension CredentialStore {
    /// Brings the vault's file to a format that this program writes. Each save chooses the lowest minor version that holds
    /// what is in the vault, and there is one major version so far: so it finds out whether the file can be written.
    ///
    /// - Throws: `CredentialError.versionTooNew` for a file of a later format, `.noVault`, and why it cannot be read.
    package func upgrade() async throws {
        await refresh()
        if let fault { throw fault }
        guard let header else { throw CredentialError.noVault(path: disk.options.directory) }
        guard header.minor <= VaultHeader.newestMinor else {
            throw CredentialError.versionTooNew(major: Int(VaultHeader.major), minor: Int(header.minor))
        }
    }
}
