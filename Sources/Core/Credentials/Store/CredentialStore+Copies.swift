// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

extension CredentialStore {
    /// Reads the vault's file from the disk, and opens it again to check that it is intact.
    ///
    /// - Throws: `CredentialError.locked`, `.damaged`, `.conflict`
    package func backup() async throws -> VaultCopy {
        let vault = try open()
        return try await onDisk { try $0.copy(of: vault) }
    }

    /// Makes a separate vault with the same logins, for another machine.
    ///
    /// - Parameter passphrase: the only secret that opens it. `Passphrase` describes the valid ones.
    /// - Throws: `CredentialError.locked`, `.invalid`, `.attemptInProgress`
    package func export(passphrase: consuming Secret) async throws -> VaultCopy {
        let vault = try open()
        let before = locks
        let passphrase = SharedSecret(passphrase)
        return try await audited(AuditEntry(.vaultExported)) {
            let copy = try await derive(slowedDown: false, since: before) { disk in
                try disk.export(vault, passphrase: passphrase)
            }
            try checkNotLocked(since: before)
            return copy
        }
    }

    /// Opens a copy of a vault. The user's own vault is not changed.
    ///
    /// - Throws: `CredentialError.notAVault`, `.wrongKey`, `.damaged`, `.versionTooNew`, `.tooCostly`,
    ///   `.attemptInProgress`, `.locked` if the user's own vault was locked meanwhile
    package func openCopy(_ bytes: [UInt8], with input: UnlockInput) async throws -> OpenedCopy {
        let before = locks
        let copy = try await derive(slowedDown: input.kind.isTyped, of: .copy, since: before) { disk in
            OpenedCopy(vault: try disk.openCopy(try VaultFile(parsing: bytes), input))
        }
        try checkNotLocked(since: before)
        return copy
    }

    /// Imports the logins of another vault. Nothing in this vault is replaced.
    ///
    /// - Parameters:
    ///   - endpoints: the IDs on this machine of the endpoints in the file. An endpoint that is not listed keeps its
    ///     ID.
    ///   - isDryRun: only computes the result, and changes nothing.
    /// - Returns: the result for each login of the file, in its order.
    /// - Throws: `CredentialError.locked`, `.full`, `.conflict`, `.storeBusy`, or the error of the save.
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
        if planned.contains(where: { $0.verdict == ImportedLogin.otherPassword }) { attempts.failed(.copy) }
        // A dry run reveals whether a password in the file is the stored one.
        if isDryRun { try await audit?.commit(AuditEntry(.vaultCompared)) }
        guard !isDryRun, planned.contains(where: { $0.verdict == .added }) else { return planned }
        let saved = try await save(AuditEntry(.vaultImported)) { base, payload throws(CredentialError) in
            try change.apply(base, &payload, random: random)
        }
        // Another change may have come first, so the saved vault decides the result.
        let arrived = Set(saved.payload.entries.map(\.id))
        return zip(planned, change.ids).map { login, id in
            guard login.verdict == .added, !arrived.contains(id) else { return login }
            // Another change of the vault came first.
            var login = login
            (login.verdict, login.needsAgreement) = (.conflict(.vaultChanged), false)
            return login
        }
    }

    /// Installs a vault if there is none, or replaces the user's vault, and leaves it unlocked. An older state of the
    /// same vault counts as a rollback until the user accepts it.
    ///
    /// - Throws: `CredentialError.vaultExists` unless `isReplacing`; any error of `openCopy`.
    package func restore(_ bytes: [UInt8], with input: UnlockInput, isReplacing: Bool) async throws {
        // Opened first, so that a copy that cannot be opened ends no session.
        let copy = try await openCopy(bytes, with: input)
        try await audited(AuditEntry(.vaultRestored)) {
            // In the same turn as the attempt, or another call could open the vault that is replaced.
            if state == .unlocked { lock() }
            try await attempt(with: input.kind, as: .vaultRestored) { disk in
                try disk.place(copy.vault, isReplacing: isReplacing)
            }
        }
    }

    /// Binds logins and pins of a vault that was restored just now to the IDs that their endpoints have on this machine,
    /// unless those IDs are already pinned.
    ///
    /// - Throws: the error of the save.
    package func moveEndpoints(_ ids: [EndpointID: EndpointID]) async throws {
        _ = try await save(AuditEntry(.vaultImported), previous: .unchanged) { _, payload throws(CredentialError) in
            for (old, new) in ids where !payload.pins.contains(where: { $0.endpoint == new }) {
                for index in payload.pins.indices {
                    if payload.pins[index].endpoint == old { payload.pins[index].endpoint = new }
                    if payload.pins[index].alternateOf == old { payload.pins[index].move(to: new) }
                }
                for index in payload.entries.indices where payload.entries[index].endpoint == old {
                    payload.entries[index].endpoint = new
                }
            }
        }
    }
}

extension CredentialStore {
    /// Checks that this program can write the vault's file. There is nothing to convert: each save chooses the lowest
    /// version that can store the content.
    ///
    /// - Throws: `CredentialError.versionTooNew` for a file of a later format; `.noVault`; the error of reading the
    ///   file.
    package func upgrade() async throws {
        await refresh()
        if let fault { throw fault }
        guard let header else { throw CredentialError.noVault(path: disk.options.directory) }
        guard !header.version.isPartlyKnown else { throw CredentialError.tooNew(header.version) }
    }
}
