// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

extension CredentialStore {
    /// Changes a stored login. Unless only its name changes, its secrets are sealed anew, as the next revision.
    ///
    /// - Parameter password: the new one, at most 16 KiB; nil keeps the stored one.
    /// - Throws: `CredentialError.noSuchLogin`, `.nameTaken`, `.invalid`, or why it could not be saved.
    package func edit(_ login: Login, _ edit: LoginEdit, password: consuming Secret? = nil) async throws -> Login {
        if let name = edit.name, disk.options.configuredLogins.login(named: name) != nil {
            throw CredentialError.nameTaken(name)
        }
        let password = SharedSecret(password)
        let random = disk.options.random
        _ = try await save(AuditEntry(.loginEdited, of: login)) { vault, payload throws(CredentialError) in
            try edit.apply(to: login.id, password: password, vault, &payload, random: random)
        }
        return try ownLogin(named: edit.name ?? login.name)
    }

    /// Whether the stored password is one that anybody tries first.
    package func hasSamplePassword(_ login: Login) throws -> Bool {
        // Also of one that may not be used, because nobody has agreed to its server.
        guard login.origin == .vault else {
            return try withPassword(of: login.id, pin: login.pin, SamplePassword.isSame)
        }
        let vault = try open()
        guard let entry = vault.payload.entries.first(where: { $0.id == login.id }) else {
            throw CredentialError.noSuchLogin(login.name)
        }
        return try vault.secret(.password, of: entry, pin: login.pin).withBytes(SamplePassword.isSame)
    }

    /// The logins of the vault that are bound to the pin of an endpoint.
    package func logins(boundTo endpoint: EndpointID) throws -> [Login] {
        try open().logins.filter { $0.endpoint == endpoint }
    }

    /// Every pin, with the logins of the vault that are bound to it.
    package func boundLogins() throws -> [(pin: PinnedEndpoint, logins: [Login])] {
        let vault = try open()
        let logins = Dictionary(grouping: vault.logins, by: \.endpoint)
        return vault.payload.pins.map { ($0, logins[$0.endpoint] ?? []) }
    }

    /// The identity that an endpoint is pinned to; nil if to none.
    package func pinned(_ endpoint: EndpointID) throws -> PinnedEndpoint? {
        try open().payload.pins.first { $0.endpoint == endpoint }
    }

    /// Pins an endpoint that has no pin, before there is a login for it.
    ///
    /// - Throws: `CredentialError.pinMismatch` if it is pinned to another identity, `.full`, or why it could not be saved.
    package func pin(_ new: PinnedEndpoint) async throws {
        let entry = AuditEntry(.pinSet, endpoint: new.endpoint, strength: new.pin.strength)
        _ = try await save(entry) { _, payload throws(CredentialError) in
            if let index = payload.pins.firstIndex(where: { $0.endpoint == new.endpoint }) {
                guard payload.pins[index].pin.isSame(as: new.pin) else { throw .pinMismatch(new.endpoint) }
                payload.pins[index] = new
                return
            }
            guard payload.pins.count < VaultLimits.records else {
                throw .full(.pins, limit: VaultLimits.records)
            }
            payload.pins.append(new)
        }
    }

    /// Binds an endpoint, and all of its logins, to another identity, in one save.
    ///
    /// - Returns: the logins, as they are now.
    /// - Throws: `CredentialError.notPinned`, or why it could not be saved.
    package func repin(_ new: PinnedEndpoint) async throws -> [Login] {
        let random = disk.options.random
        let entry = AuditEntry(.pinChanged, endpoint: new.endpoint, strength: new.pin.strength)
        _ = try await save(entry) { vault, payload throws(CredentialError) in
            guard let pin = payload.pins.firstIndex(where: { $0.endpoint == new.endpoint }) else {
                throw .notPinned(new.endpoint)
            }
            let old = payload.pins[pin].pin
            for index in payload.entries.indices where payload.entries[index].endpoint == new.endpoint {
                try payload.reseal(index, vault, from: old, to: new.pin, password: nil, random: random)
            }
            payload.pins[pin] = new
        }
        return try logins(boundTo: new.endpoint)
    }

    /// Forgets what an endpoint is pinned to, with its logins if `includingLogins`.
    ///
    /// - Returns: the logins that were removed.
    /// - Throws: `CredentialError.loginsBound` naming the logins that need the pin, `.notPinned`, or why it could not be
    ///   saved.
    package func unpin(_ endpoint: EndpointID, includingLogins: Bool) async throws -> [Login] {
        let bound = try logins(boundTo: endpoint)
        guard includingLogins || bound.isEmpty else {
            throw CredentialError.loginsBound(endpoint, names: bound.map(\.name))
        }
        let strength = try pinned(endpoint)?.pin.strength
        let entry = AuditEntry(.pinRemoved, endpoint: endpoint, strength: strength)
        _ = try await save(entry, dropsPrevious: true) { _, payload throws(CredentialError) in
            guard payload.pins.contains(where: { $0.endpoint == endpoint }) else { throw .notPinned(endpoint) }
            let removed = Set(payload.entries.filter { $0.endpoint == endpoint }.map(\.id))
            // Another program may have added one since.
            guard includingLogins || removed.isEmpty else { throw .loginsBound(endpoint, names: []) }
            payload.entries.removeAll { removed.contains($0.id) }
            payload.grants.removeAll { removed.contains($0.login) }
            payload.pins.removeAll { $0.endpoint == endpoint }
        }
        return bound
    }
}
