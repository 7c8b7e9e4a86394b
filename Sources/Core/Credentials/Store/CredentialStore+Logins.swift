// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

extension CredentialStore {
    /// All logins, without their secrets. The configured logins come first, then those of the vault in the order in
    /// which they were added. Logins that another daemon has added are included.
    package func logins() async throws -> [Login] {
        let (logins, missing) = await loginsInReach()
        if let missing { throw missing }
        return logins
    }

    /// Seals and saves a login.
    ///
    /// - Parameter password: at most 16 KiB; nil for a login with a command.
    /// - Throws: `CredentialError.nameTaken`, `.pinMismatch`, `.full`, `.invalid`, `.conflict`, `.storeBusy`, or the
    ///   error of the save. Nothing has changed then.
    package func add(_ login: NewLogin, password: consuming Secret?) async throws -> Login {
        guard disk.options.configuredLogins.login(named: login.name) == nil else {
            throw CredentialError.nameTaken(login.name)
        }
        let password = SharedSecret(password)
        let (random, created) = (disk.options.random, disk.options.now())
        let id = try LoginID(random: random)
        let entry = AuditEntry(.loginAdded, endpoint: login.endpoint, login: id, strength: login.pin.strength)
        let vault = try await save(entry) { vault, payload throws(CredentialError) in
            try payload.add(login, as: id, password: password, created: created, in: vault, random: random)
        }
        guard let added = vault.logins.first(where: { $0.id == id }) else {
            throw CredentialError.noSuchLogin(login.name)
        }
        return added
    }

    /// Removes a login, and the file of the save before it. With the last login of an endpoint its pin is removed too,
    /// so that the user can verify a server that has changed. Older backups still contain the login.
    ///
    /// - Throws: `CredentialError.noSuchLogin`
    package func remove(_ name: String) async throws {
        let entry = AuditEntry(.loginRemoved, of: try ownLogin(named: name))
        _ = try await save(entry, previous: .removed) { _, payload throws(CredentialError) in
            guard let index = payload.entries.firstIndex(where: { $0.name == name }) else { throw .noSuchLogin(name) }
            payload.removeUnusedPin(of: payload.entries.remove(at: index).endpoint)
        }
    }

    /// Calls `body` with the password of a login, and wipes it afterwards. If the login has a command, runs it.
    ///
    /// - Parameters:
    ///   - pin: the pin that the caller's channel requires of the server. If it is not the stored pin, the password
    ///     stays sealed. The server may not have proved it yet: over TLS the channel requires the proof before it
    ///     sends the first byte.
    ///   - body: must not store the pointer.
    /// - Throws: `CredentialError.pinMismatch`, `.locked`, `.noSuchLogin`, `.damaged`, `.rollbackSuspected`,
    ///   `.forkSuspected`, `.passwordCommandFailed`, `.commandNotAgreed`; any error of `body`.
    package func withPassword<R: Sendable>(
        of id: LoginID,
        pin: Pin,
        _ body: @Sendable (UnsafeRawBufferPointer) throws -> R
    ) async throws -> R {
        let configured = disk.options.configuredLogins
        if let login = configured.login(id) {
            guard let command = try configured.command(of: id, pin: pin) else {
                return try configured.withPassword(of: id, pin: pin, body)
            }
            let password = try await disk.options.passwordCommands.run(command, for: id, named: login.name)
            return try password.secret.withBytes(body)
        }
        let vault = try open()
        try checkTrust()
        guard let entry = vault.payload.entries.first(where: { $0.id == id }) else {
            throw CredentialError.noSuchLogin(id.description)
        }
        noteUse(of: id)
        if let password = try vault.password(of: entry, pin: pin) { return try password.secret.withBytes(body) }
        return try await printedPassword(of: entry, pin: pin).secret.withBytes(body)
    }

    /// Runs the command of a login of the vault. Until it ends, the vault may be locked, and the login changed.
    private func printedPassword(of entry: VaultEntry, pin: Pin) async throws -> SharedSecret {
        guard let command = entry.password.command, command.isAgreed else {
            throw CredentialError.commandNotAgreed(entry.name)
        }
        let before = locks
        let commands = disk.options.passwordCommands
        let password = try await commands.run(command.command, for: entry.id, named: entry.name)
        try checkNotLocked(since: before)
        let vault = try open()
        try checkTrust()
        guard let now = vault.payload.entries.first(where: { $0.id == entry.id }) else {
            throw CredentialError.noSuchLogin(entry.name)
        }
        guard now.revision == entry.revision, now.endpoint == entry.endpoint,
            try vault.password(of: now, pin: pin) == nil
        else { throw CredentialError.conflict(reason: "the login was changed while its password command ran") }
        return password
    }

    /// Runs a command that is not stored yet, for the test of a login that is added or changed.
    ///
    /// - Parameter id: that of the login; nil for a new one.
    /// - Throws: `CredentialError.passwordCommandFailed`
    package func password(
        printedBy command: SecretCommand,
        for id: LoginID? = nil,
        named name: String
    ) async throws -> SharedSecret {
        let id = try id ?? LoginID(random: disk.options.random)
        return try await disk.options.passwordCommands.run(command, for: id, named: name)
    }
}

extension CredentialStore {
    /// Changes a stored login. Unless only its name changes, its secrets are sealed again as the next revision. If it is
    /// attached to another endpoint, that is pinned, and the pin of the old one is removed if no login needs it.
    ///
    /// - Parameter password: the new one, at most 16 KiB, which also replaces a command; nil keeps what is stored.
    /// - Throws: `CredentialError.noSuchLogin`, `.nameTaken`, `.invalid`, or the error of the save.
    package func edit(_ login: Login, _ edit: LoginEdit, password: consuming Secret? = nil) async throws -> Login {
        if let name = edit.name, disk.options.configuredLogins.login(named: name) != nil {
            throw CredentialError.nameTaken(name)
        }
        let password = SharedSecret(password)
        let random = disk.options.random
        let new = edit.applied(to: login)
        let entry = AuditEntry(.loginEdited, endpoint: new.endpoint, login: login.id, strength: new.pin.strength)
        _ = try await save(entry) { vault, payload throws(CredentialError) in
            try edit.apply(to: login.id, password: password, vault, &payload, random: random)
        }
        return try ownLogin(named: edit.name ?? login.name)
    }

    /// Whether the stored password is a well-known sample password, which attackers try first.
    package func hasSamplePassword(_ login: Login) throws -> Bool {
        // A command runs for logins only.
        guard login.command == nil else { return false }
        // No check of the pin here: the login may belong to a server that the user has not verified.
        guard login.origin == .vault else {
            return try disk.options.configuredLogins.withPassword(of: login.id, pin: login.pin, SamplePassword.isSame)
        }
        let vault = try open()
        guard let entry = vault.payload.entries.first(where: { $0.id == login.id }) else {
            throw CredentialError.noSuchLogin(login.name)
        }
        return try vault.secret(of: entry, pin: login.pin)?.secret.withBytes(SamplePassword.isSame) ?? false
    }

    /// The logins of the vault that are bound to the pin of an endpoint.
    package func logins(boundTo endpoint: EndpointID) throws -> [Login] {
        try open().logins.filter { $0.endpoint == endpoint }
    }

    /// The pin of every endpoint, with the logins of the vault that are bound to it.
    package func boundLogins() throws -> [(pin: PinnedEndpoint, logins: [Login])] {
        let vault = try open()
        let logins = Dictionary(grouping: vault.logins, by: \.endpoint)
        return vault.payload.pins.filter { $0.alternateOf == nil }.map { ($0, logins[$0.endpoint] ?? []) }
    }

    /// The pin of an endpoint; nil if it has none.
    package func pinned(_ endpoint: EndpointID) throws -> PinnedEndpoint? {
        try open().payload.pins.first { $0.endpoint == endpoint }
    }

    /// Pins an endpoint that has no pin, before there is a login for it.
    ///
    /// - Throws: `CredentialError.pinMismatch` if it is pinned to another identity; `.full`; the error of the save.
    package func pin(_ new: PinnedEndpoint) async throws {
        let entry = AuditEntry(.pinSet, endpoint: new.endpoint, strength: new.pin.strength)
        _ = try await save(entry) { _, payload throws(CredentialError) in
            if let index = payload.pins.firstIndex(where: { $0.endpoint == new.endpoint }) {
                guard payload.pins[index].pin.isSame(as: new.pin) else { throw .pinMismatch(new.endpoint) }
                payload.pins[index] = new
                return
            }
            try payload.append(pin: new)
        }
    }

    /// Binds an endpoint and all of its logins to another identity, in one save.
    ///
    /// - Returns: the changed logins.
    /// - Throws: `CredentialError.notPinned`, or the error of the save.
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

    /// Removes the pin of an endpoint, and its logins if `includingLogins`.
    ///
    /// - Returns: the logins that were removed.
    /// - Throws: `CredentialError.loginsBound` with the names of the logins that need the pin; `.notPinned`; the error
    ///   of the save.
    package func unpin(_ endpoint: EndpointID, includingLogins: Bool) async throws -> [Login] {
        let bound = try logins(boundTo: endpoint)
        guard includingLogins || bound.isEmpty else {
            throw CredentialError.loginsBound(endpoint, names: bound.map(\.name))
        }
        let strength = try pinned(endpoint)?.pin.strength
        let entry = AuditEntry(.pinRemoved, endpoint: endpoint, strength: strength)
        _ = try await save(entry, previous: .removed) { _, payload throws(CredentialError) in
            guard payload.pins.contains(where: { $0.endpoint == endpoint }) else { throw .notPinned(endpoint) }
            // Another program may have added a login meanwhile.
            guard includingLogins || !payload.entries.contains(where: { $0.endpoint == endpoint }) else {
                throw .loginsBound(endpoint, names: [])
            }
            payload.entries.removeAll { $0.endpoint == endpoint }
            payload.removePin(of: endpoint)
        }
        return bound
    }
}

extension CredentialStore {
    /// Every login that can be read now, the configured ones first, and the reason if those of the vault are missing.
    /// Like `logins()`, it includes logins that another daemon has added.
    package func loginsInReach() async -> (logins: [Login], missing: CredentialError?) {
        let configured = disk.options.configuredLogins.logins
        do throws(CredentialError) {
            _ = try open()
            await refresh()
            return (configured + (try open().logins), nil)
        } catch {
            return (configured, error)
        }
    }

    /// Finds a login by its name, or by the beginning of its name unless the vault is closed.
    ///
    /// - Throws: `CredentialError.noSuchLogin`, `.loginNameAmbiguous`; `.locked` if the login may be in the closed vault.
    package func loginInReach(named name: String) async throws(CredentialError) -> Login {
        let (logins, missing) = await loginsInReach()
        if let login = logins.first(where: { $0.name == name }) { return login }
        guard let missing else { return try logins.meant(by: name) }
        // The text may be the beginning of a login's name in a vault that is closed.
        guard case .noVault = missing else { throw missing }
        guard !NameReference(name).matches(in: logins.map(\.name)).isEmpty else { throw missing }
        return try logins.meant(by: name)
    }

    /// Like `checkTrust()`, for one login. Logins that the administrator provides are not in the file.
    package func checkTrust(in login: Login) throws(CredentialError) {
        if disk.options.configuredLogins.login(login.id) == nil { try checkTrust() }
    }

    /// The current state of a login; nil if it is in the vault and the vault is closed. The call does not count as use
    /// of the vault, and does not read its file.
    package func readableLogin(_ id: LoginID) -> Login? {
        if let login = (try? open())?.logins.first(where: { $0.id == id }) { return login }
        return disk.options.configuredLogins.login(id)
    }

    /// The pin that an endpoint's logins are bound to: from the vault while it is unlocked, otherwise from the
    /// configured logins. The call does not count as use of the vault, and does not read its file.
    package func readablePin(of endpoint: EndpointID) -> Pin? {
        if let pinned = try? pinned(endpoint) { return pinned.pin }
        return disk.options.configuredLogins.logins.first { $0.endpoint == endpoint }?.pin
    }

    /// The other addresses of an endpoint, in the order in which they are tried; none while the vault is closed. The call
    /// does not count as use of the vault, and does not read its file.
    package func readableAlternates(of endpoint: EndpointID) -> [PinnedEndpoint] {
        (try? open())?.payload.alternates(of: endpoint) ?? []
    }

    /// The URL that an endpoint had when the user verified its pin; nil if it is not known, or the vault is closed.
    package func readableAgreedURL(of endpoint: EndpointID) -> String? {
        (try? pinned(endpoint))?.location?.url
    }

    /// Finds a login of the vault by name, in order to change or remove it.
    ///
    /// - Throws: `CredentialError.loginIsConfigured` if only a configured login has the name.
    package func ownLogin(named name: String) throws -> Login {
        let configured = disk.options.configuredLogins.logins
        let isConfigured = configured.contains { $0.name == name }
        let own: [Login]
        do throws(CredentialError) {
            own = try open().logins
        } catch {
            throw isConfigured ? CredentialError.loginIsConfigured(name) : error
        }
        if let login = own.first(where: { $0.name == name }) { return login }
        let login = try (own + configured).meant(by: name)
        guard login.origin == .vault else { throw CredentialError.loginIsConfigured(login.name) }
        return login
    }
}

extension [Login] {
    /// Returns the login for a name or the beginning of one. If two logins have one name, returns the first.
    ///
    /// - Throws: `CredentialError.noSuchLogin`, `.loginNameAmbiguous`
    func meant(by reference: String) throws(CredentialError) -> Login {
        let names = NameReference(reference).matches(in: map(\.name))
        guard let name = names.first, let login = first(where: { $0.name == name }) else {
            throw .noSuchLogin(reference)
        }
        guard names.count == 1 else { throw .loginNameAmbiguous(reference, candidates: names) }
        return login
    }
}
