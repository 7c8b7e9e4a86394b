// SPDX-License-Identifier: Apache-2.0

import CLibCrypto
package import Endpoints
import Platform

/// The fields of a login that has no ID yet.
package struct NewLogin: Sendable, Hashable {
    /// The name: unique, 1 to 4096 bytes. The default is one of `UsualLoginName`, which the caller must set.
    package var name: String
    /// The endpoint that the password is for.
    package var endpoint: EndpointID
    /// The user name.
    package var user: String
    /// The domain; may be empty.
    package var domain: String
    /// The schema; may be empty.
    package var schema: String
    /// The key of the user name in the login string.
    package var userKey: UserKey
    /// Additional keys of the login string, at most `LoginExtra.limit`.
    package var extras: [LoginExtra]
    /// The identity that the endpoint showed and the user verified. All logins of an endpoint have the same pin.
    package var pin: Pin
    /// Whether the user allowed sending the password unencrypted to the pinned address.
    package var allowsPlaintext: Bool
    /// The network on which this is allowed: 32 bytes, or nil.
    package var networkID: [UInt8]?
    /// The interface of a link-local address; nil for every other pin.
    package var interface: String?
    /// Whether the user has verified the pin. While this is false, nothing is sent to the endpoint.
    package var isVerified = true
    /// The current name and URL of the endpoint.
    package var location: EndpointLocation?

    /// Makes a login from its fields.
    package init(
        name: String,
        endpoint: EndpointID,
        user: String,
        domain: String,
        schema: String,
        userKey: UserKey = .userID,
        extras: [LoginExtra] = [],
        pin: Pin,
        allowsPlaintext: Bool = false,
        networkID: [UInt8]? = nil,
        interface: String? = nil,
        location: EndpointLocation? = nil
    ) {
        self.name = name
        self.endpoint = endpoint
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extras = extras
        self.pin = pin
        self.allowsPlaintext = allowsPlaintext
        self.networkID = networkID
        self.interface = interface
        self.location = location
    }
}

/// Names of a login for which the user chose none.
package struct UsualLoginName: Sendable, Hashable {
    /// The name in most cases: `user@endpoint`.
    package let short: String
    /// The name if another account has the short one: `user@endpoint/domain/schema`, without empty parts.
    package let long: String

    /// The names of an account at an endpoint with this name.
    package init(user: String, endpoint: String, domain: String, schema: String) {
        short = user + "@" + endpoint
        long = ([short] + [domain, schema].filter { !$0.isEmpty }).joined(separator: "/")
    }
}

extension NewLogin {
    /// Checks that every field can be stored.
    ///
    /// - Throws: `CredentialError.invalid` for a field that cannot.
    package func check() throws(CredentialError) {
        guard !name.isEmpty else { throw .invalid(field: "the login's name", reason: "is empty") }
        let texts = [
            ("the login's name", name), ("the user", user), ("the domain", domain),
            ("the schema", schema),
        ]
        for (field, text) in texts {
            guard text.utf8.count <= VaultLimits.stringBytes else {
                throw .invalid(field: field, reason: "is longer than \(VaultLimits.stringBytes) bytes")
            }
            guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .invalid(field: field, reason: "contains a control character")
            }
        }
        try LoginExtra.check(extras)
        guard networkID == nil || networkID?.count == PinnedEndpoint.networkIDByteCount else {
            throw .invalid(field: "the network id", reason: "is not \(PinnedEndpoint.networkIDByteCount) bytes")
        }
        guard !pin.isLinkLocal || interface.map(PinnedEndpoint.isInterface) ?? true else {
            throw .invalid(field: "the interface", reason: "has a name that cannot be stored")
        }
    }
}

/// The change that adds a login. It may be applied more than once, to a vault that has changed since it was made.
struct LoginAddition: Sendable {
    let id: LoginID
    let login: NewLogin
    let password: SharedSecret
    let envelope: SharedSecret?
    /// Seconds since 1970.
    let created: UInt64

    private static let firstRevision: UInt64 = 1

    func apply(
        _ vault: OpenVault,
        _ payload: inout VaultPayload,
        random: any RandomSource
    ) throws(CredentialError) {
        try login.check()
        guard payload.entries.count < VaultLimits.records else {
            throw .full(.logins, limit: VaultLimits.records)
        }
        guard payload.entry(named: login.name) == nil else { throw .nameTaken(login.name) }
        try payload.pinEndpoint(of: login)
        func sealed(_ secret: SharedSecret, _ field: SealedField) throws(CredentialError) -> SealedSecret {
            try vault.seal(secret, id, field, revision: Self.firstRevision, pin: login.pin, random: random)
        }
        let entry = VaultEntry(
            id: id,
            name: login.name,
            user: login.user,
            domain: login.domain,
            schema: login.schema,
            endpoint: login.endpoint,
            revision: Self.firstRevision,
            created: created,
            password: try sealed(password, .password),
            envelope: try envelope.map { secret throws(CredentialError) in try sealed(secret, .envelope) },
            userKey: login.userKey,
            extras: login.extras
        )
        payload.entries.append(entry)
    }
}

extension VaultPayload {
    /// Pins the endpoint with its first login, and requires the same identity for later ones. The user has just been
    /// asked about plain text, so a new permission is stored. An earlier permission is not removed.
    mutating func pinEndpoint(of login: NewLogin) throws(CredentialError) {
        guard let index = pins.firstIndex(where: { $0.endpoint == login.endpoint }) else {
            guard pins.count < VaultLimits.records else {
                throw .full(.pins, limit: VaultLimits.records)
            }
            let pinned = PinnedEndpoint(
                endpoint: login.endpoint,
                pin: login.pin,
                allowsPlaintext: login.allowsPlaintext,
                networkID: login.networkID,
                interface: login.interface,
                location: login.location
            )
            pins.append(pinned)
            return
        }
        guard pins[index].pin.isSame(as: login.pin) else { throw .pinMismatch(login.endpoint) }
        // The user has just seen and verified the identity.
        pins[index].isVerified = true
        pins[index].location = login.location ?? pins[index].location
        guard login.allowsPlaintext else { return }
        pins[index].allowsPlaintext = true
        pins[index].networkID = login.networkID
        pins[index].interface = login.pin.isLinkLocal ? login.interface : nil
    }

    /// Removes the pin of an endpoint that no login is bound to, so that the user can verify a server that has changed.
    mutating func removeUnusedPin(of endpoint: EndpointID) {
        guard !entries.contains(where: { $0.endpoint == endpoint }) else { return }
        pins.removeAll { $0.endpoint == endpoint }
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
        var new = NewLogin(
            name: name ?? login.name,
            endpoint: login.endpoint,
            user: user ?? login.user,
            domain: domain ?? login.domain,
            schema: schema ?? login.schema,
            userKey: userKey ?? login.userKey,
            extras: LoginExtra.merged(login.extras, extras),
            pin: login.pin,
            allowsPlaintext: login.allowsPlaintext,
            networkID: login.networkID,
            interface: login.interface
        )
        new.isVerified = login.isVerified
        guard let binding else { return new }
        (new.endpoint, new.pin, new.isVerified) = (binding.endpoint, binding.pin, true)
        (new.allowsPlaintext, new.networkID) = (binding.allowsPlaintext, binding.networkID)
        (new.interface, new.location) = (binding.interface, binding.location)
        return new
    }

    /// Applies the edit to the payload.
    ///
    /// - Parameter password: the new one; nil keeps the stored one.
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
        if !isRename || password != nil {
            try payload.reseal(index, vault, from: pinned.pin, to: new.pin, password: password, random: random)
        }
        if binding != nil {
            try payload.pinEndpoint(of: new)
            payload.entries[index].endpoint = new.endpoint
            payload.removeUnusedPin(of: pinned.endpoint)
        }
        payload.entries[index].name = name ?? payload.entries[index].name
        payload.entries[index].user = user ?? payload.entries[index].user
        payload.entries[index].domain = domain ?? payload.entries[index].domain
        payload.entries[index].schema = schema ?? payload.entries[index].schema
        payload.entries[index].userKey = userKey ?? payload.entries[index].userKey
        payload.entries[index].extras = LoginExtra.merged(payload.entries[index].extras, extras)
    }
}

/// The passwords of accounts in the vendor's documentation and samples, which an attacker tries first.
package enum SamplePassword {
    private static let all = ["Relativity", "simple"].map { Array($0.utf8) }

    /// Whether a secret is one of them. Takes the same time for all secrets of the same length.
    package static func isSame(as secret: UnsafeRawBufferPointer) -> Bool {
        all.contains { $0.count == secret.count && CRYPTO_memcmp(secret.baseAddress, $0, $0.count) == 0 }
    }
}
