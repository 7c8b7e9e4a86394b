// SPDX-License-Identifier: Apache-2.0

import Platform

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
        try applied(to: Login(payload.entries[index], pinned)).check()
        if let name, let other = payload.entry(named: name), other.id != id { throw .nameTaken(name) }
        // The seal must be opened before any field that it is bound to changes.
        if !isRename || password != nil {
            try payload.reseal(index, vault, from: pinned.pin, to: pinned.pin, password: password, random: random)
        }
        payload.entries[index].name = name ?? payload.entries[index].name
        payload.entries[index].user = user ?? payload.entries[index].user
        payload.entries[index].domain = domain ?? payload.entries[index].domain
        payload.entries[index].schema = schema ?? payload.entries[index].schema
        payload.entries[index].userKey = userKey ?? payload.entries[index].userKey
        payload.entries[index].extras = LoginExtra.merged(payload.entries[index].extras, extras)
    }
}
