// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

extension CredentialStore {
    /// All logins, without their secrets: those of the administrator, then those of the vault in the order they were added,
    /// also those that another daemon has added.
    package func logins() async throws -> [Login] {
        _ = try open()
        await refresh()
        return disk.options.configuredLogins.logins + (try open().logins)
    }

    /// - Throws: `CredentialError.noSuchLogin`
    package func login(named name: String) async throws -> Login {
        if let login = disk.options.configuredLogins.login(named: name) { return login }
        guard let login = try await logins().first(where: { $0.name == name }) else {
            throw CredentialError.noSuchLogin(name)
        }
        return login
    }

    /// The identities that logins are bound to.
    package func pinnedEndpoints() throws -> [PinnedEndpoint] {
        try open().payload.pins
    }

    /// Seals and saves a login.
    ///
    /// - Parameters:
    ///   - password: at most 16 KiB.
    ///   - envelopePassword: the shared password of the AES envelope, where the server has one.
    /// - Throws: `CredentialError.nameTaken`, `.pinMismatch`, `.full`, `.invalid`, `.conflict`, `.storeBusy`, or why it
    ///   could not be saved; nothing has changed then.
    package func add(
        _ login: NewLogin,
        password: consuming Secret,
        envelopePassword: consuming Secret? = nil
    ) async throws -> Login {
        guard disk.options.configuredLogins.login(named: login.name) == nil else {
            throw CredentialError.nameTaken(login.name)
        }
        let password = SharedSecret(password)
        let envelope = SharedSecret(envelopePassword)
        let random = disk.options.random
        let id = try LoginID(random: random)
        let addition = LoginAddition(
            id: id,
            login: login,
            password: password,
            envelope: envelope,
            created: disk.options.now()
        )
        let entry = AuditEntry(.loginAdded, endpoint: login.endpoint, login: id, strength: login.pin.strength)
        let vault = try await save(entry) { vault, payload throws(CredentialError) in
            try addition.apply(vault, &payload, random: random)
        }
        guard let added = vault.logins.first(where: { $0.id == id }) else {
            throw CredentialError.noSuchLogin(login.name)
        }
        return added
    }

    /// Removes a login, and the file of the save before it; with an endpoint's last login goes its pin, so that the user can
    /// agree to a server that has changed. Older backups still hold the login.
    ///
    /// - Throws: `CredentialError.noSuchLogin`
    package func remove(_ name: String) async throws {
        let entry = AuditEntry(.loginRemoved, of: try ownLogin(named: name))
        _ = try await save(entry, dropsPrevious: true) { _, payload throws(CredentialError) in
            guard let index = payload.entries.firstIndex(where: { $0.name == name }) else { throw .noSuchLogin(name) }
            let removed = payload.entries.remove(at: index)
            payload.grants.removeAll { $0.login == removed.id }
            if !payload.entries.contains(where: { $0.endpoint == removed.endpoint }) {
                payload.pins.removeAll { $0.endpoint == removed.endpoint }
            }
        }
    }

    /// Lends the password of a login for the moment of its use.
    ///
    /// - Parameters:
    ///   - pin: what the endpoint has just proved to be. Any other than the login's own is refused unopened.
    ///   - body: must not let the pointer out; the bytes are wiped when it returns.
    /// - Throws: `CredentialError.pinMismatch`, `.locked`, `.noSuchLogin`, `.damaged`, `.rollbackSuspected`, `.forkSuspected`;
    ///   what `body` throws.
    package func withPassword<R: Sendable>(
        of id: LoginID,
        pin: Pin,
        _ body: @Sendable (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        if disk.options.configuredLogins.contains(id) {
            return try disk.options.configuredLogins.withPassword(of: id, pin: pin, body)
        }
        let vault = try open()
        try checkTrust()
        guard let entry = vault.payload.entries.first(where: { $0.id == id }) else {
            throw CredentialError.noSuchLogin(id.description)
        }
        noteUse(of: id)
        let password = try vault.password(of: entry, pin: pin)
        return try password.withBytes(body)
    }
}
