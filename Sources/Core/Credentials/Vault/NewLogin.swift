// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// A login that is not stored yet.
package struct NewLogin: Sendable, Hashable {
    /// The name: unique, 1 to 4096 bytes.
    package var name: String
    /// The user and the other parts of the login string.
    package var account: Account
    /// The endpoint that the password is for, with the identity that the user has verified. All logins of an endpoint
    /// have the same pin.
    package var pinned: PinnedEndpoint
    /// The command that prints the password; nil if a password is stored.
    package var command: PasswordCommand?

    /// Makes a login from its parts.
    package init(name: String, account: Account, pinned: PinnedEndpoint, command: PasswordCommand? = nil) {
        self.name = name
        self.account = account
        self.command = command
        self.pinned = pinned
    }

    /// The endpoint that the password is for.
    package var endpoint: EndpointID { pinned.endpoint }
    /// The identity that the endpoint must show.
    package var pin: Pin { pinned.pin }
}

extension NewLogin {
    /// Checks that every field can be stored.
    ///
    /// - Throws: `CredentialError.invalid` for a field that cannot.
    package func check() throws(CredentialError) {
        guard !name.isEmpty else { throw .invalid(field: "the login's name", reason: "is empty") }
        let texts = [
            ("the login's name", name), ("the user", account.user), ("the domain", account.domain),
            ("the schema", account.schema),
        ]
        for (field, text) in texts {
            guard text.utf8.count <= VaultLimits.stringBytes else {
                throw .invalid(field: field, reason: "is longer than \(VaultLimits.stringBytes) bytes")
            }
            guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .invalid(field: field, reason: "contains a control character")
            }
        }
        try LoginExtra.check(account.extras)
        guard command.map({ $0.command.encoded.count <= VaultLimits.commandBytes }) ?? true else {
            throw .invalid(field: "the password command", reason: "is longer than \(VaultLimits.commandBytes) bytes")
        }
        guard pinned.networkID == nil || pinned.networkID?.count == PinnedEndpoint.networkIDByteCount else {
            throw .invalid(field: "the network id", reason: "is not \(PinnedEndpoint.networkIDByteCount) bytes")
        }
        guard !pin.isLinkLocal || pinned.interface.map(PinnedEndpoint.isInterface) ?? true else {
            throw .invalid(field: "the interface", reason: "has a name that cannot be stored")
        }
    }
}

extension VaultPayload {
    /// Adds a login, and pins its endpoint.
    ///
    /// - Parameter password: nil only if the login has a command.
    mutating func add(
        _ login: NewLogin,
        as id: LoginID,
        password: SharedSecret?,
        created: UInt64,
        in vault: OpenVault,
        random: any RandomSource
    ) throws(CredentialError) {
        try login.check()
        guard entry(named: login.name) == nil else { throw .nameTaken(login.name) }
        try pinEndpoint(of: login)
        try append(login, as: id, password: password, created: created, in: vault, random: random)
    }

    /// Appends a login whose endpoint is pinned.
    ///
    /// - Parameter password: nil only if the login has a command.
    mutating func append(
        _ login: NewLogin,
        as id: LoginID,
        password: SharedSecret?,
        created: UInt64,
        in vault: OpenVault,
        random: any RandomSource
    ) throws(CredentialError) {
        guard entries.count < VaultLimits.records else { throw .full(.logins, limit: VaultLimits.records) }
        let binding = SealedSecret.Binding(login: id, revision: 1, pin: login.pin)
        let stored: StoredPassword
        switch (login.command, password) {
        case (let command?, _): stored = .command(command)
        case (nil, let password?):
            stored = .sealed(try SealedSecret(sealing: password.secret, binding, key: vault.key, random: random))
        case (nil, nil): throw .invalid(field: "the login", reason: "has neither a password nor a command")
        }
        entries.append(
            VaultEntry(
                id: id,
                name: login.name,
                account: login.account,
                endpoint: login.endpoint,
                revision: binding.revision,
                created: created,
                lastUsedDay: 0,
                password: stored
            )
        )
    }

    /// Pins the endpoint with its first login, and requires the same identity for later ones. The user has just been
    /// asked about plain text, so a new permission is stored. An earlier permission is not removed.
    mutating func pinEndpoint(of login: NewLogin) throws(CredentialError) {
        let new = login.pinned
        guard let index = pins.firstIndex(where: { $0.endpoint == new.endpoint }) else { return try append(pin: new) }
        guard pins[index].pin.isSame(as: new.pin) else { throw .pinMismatch(new.endpoint) }
        // The user has just seen and verified the identity.
        pins[index].isVerified = true
        pins[index].location = new.location ?? pins[index].location
        guard new.allowsPlaintext else { return }
        pins[index].allowsPlaintext = true
        pins[index].networkID = new.networkID
        pins[index].interface = new.interface
    }

    mutating func append(pin: PinnedEndpoint) throws(CredentialError) {
        guard pins.count < VaultLimits.records else { throw .full(.pins, limit: VaultLimits.records) }
        pins.append(pin)
    }

    /// Removes the pin of an endpoint that no login is bound to, so that the user can verify a server that has changed.
    mutating func removeUnusedPin(of endpoint: EndpointID) {
        guard !entries.contains(where: { $0.endpoint == endpoint }) else { return }
        removePin(of: endpoint)
    }
}

/// Changes to a stored login. A field that is nil stays unchanged.
package struct LoginEdit: Sendable, Hashable {
    /// The new name.
    package var name: String?
    /// The new user name.
    package var user: String?
    /// The new domain.
    package var domain: String?
    /// The new schema.
    package var schema: String?
    /// The new key of the user name.
    package var userKey: UserKey?
    /// The extra keys that change. An empty value removes a key.
    package var extras: [LoginExtra]
    /// The endpoint that the login is attached to, with the identity that the user has verified.
    package var binding: PinnedEndpoint?
    /// The command that prints the password from now on. The user has agreed to it.
    package var command: SecretCommand?

    /// Makes an edit; by default nothing changes.
    package init(
        name: String? = nil,
        user: String? = nil,
        domain: String? = nil,
        schema: String? = nil,
        userKey: UserKey? = nil,
        extras: [LoginExtra] = []
    ) {
        self.name = name
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extras = extras
    }

    /// Whether only the name changes. Seals and servers do not depend on the name.
    package var isRename: Bool { self == LoginEdit(name: name) }

    /// The login after the edit.
    package func applied(to login: Login) -> NewLogin {
        let old = login.account
        return NewLogin(
            name: name ?? login.name,
            account: Account(
                user: user ?? old.user,
                domain: domain ?? old.domain,
                schema: schema ?? old.schema,
                userKey: userKey ?? old.userKey,
                extras: LoginExtra.merged(old.extras, extras)
            ),
            pinned: binding ?? login.pinned,
            command: command.map { PasswordCommand($0, isAgreed: true) } ?? login.command
        )
    }

    /// Applies the edit to the payload.
    ///
    /// - Parameter password: the new one, which also replaces a command; nil keeps what is stored.
    func apply(
        to id: LoginID,
        password: SharedSecret?,
        _ vault: OpenVault,
        _ payload: inout VaultPayload,
        random: any RandomSource
    ) throws(CredentialError) {
        guard let index = payload.entries.firstIndex(where: { $0.id == id }),
            let pinned = payload.pins.first(where: { $0.endpoint == payload.entries[index].endpoint })
        else { throw .noSuchLogin(id.description) }
        let new = applied(to: Login(payload.entries[index], pinned))
        try new.check()
        if let name, let other = payload.entry(named: name), other.id != id { throw .nameTaken(name) }
        // The seal must be opened before any field that it is bound to changes.
        if command != nil, let command = new.command {
            payload.entries[index].revision += 1
            payload.entries[index].password = .command(command)
        } else if !isRename || password != nil {
            try payload.reseal(index, vault, from: pinned.pin, to: new.pin, password: password, random: random)
        }
        payload.entries[index].name = new.name
        payload.entries[index].account = new.account
        guard binding != nil else { return }
        try payload.pinEndpoint(of: new)
        payload.entries[index].endpoint = new.endpoint
        payload.removeUnusedPin(of: pinned.endpoint)
    }
}

/// The passwords of accounts in the vendor's documentation and samples, which an attacker tries first.
package enum SamplePassword {
    private static let all = ["Relativity", "simple"].map { Array($0.utf8) }

    /// Whether a secret is one of them. Takes the same time for all secrets of the same length.
    package static func isSame(as secret: UnsafeRawBufferPointer) -> Bool {
        all.contains { $0.withUnsafeBytes { ConstantTime.areEqual(secret, $0) } }
    }
}
