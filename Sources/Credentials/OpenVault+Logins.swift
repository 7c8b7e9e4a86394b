// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

extension OpenVault {
    var logins: [Login] {
        let pins = Dictionary(payload.pins.map { ($0.endpoint, $0) }) { first, _ in first }
        return payload.entries.compactMap { entry in pins[entry.endpoint].map { Login(entry, $0) } }
    }

    /// The pin that a login is bound to.
    func pin(of entry: VaultEntry) throws(CredentialError) -> Pin { try pinned(of: entry).pin }

    /// The pinned endpoint of a login, with its permissions.
    func pinned(of entry: VaultEntry) throws(CredentialError) -> PinnedEndpoint {
        guard let pinned = payload.pins.first(where: { $0.endpoint == entry.endpoint }) else {
            throw .damaged(.record("login without a pin"))
        }
        return pinned
    }

    /// Opens the seal of a login's password.
    func password(of entry: VaultEntry, pin: Pin) throws(CredentialError) -> Secret {
        guard let pinned = payload.pins.first(where: { $0.endpoint == entry.endpoint }), pinned.pin.isSame(as: pin)
        else {
            throw .pinMismatch(entry.endpoint)
        }
        guard pinned.isVerified else { throw .pinUnverified(entry.endpoint) }
        return try secret(.password, of: entry, pin: pin)
    }

    /// Opens one secret of a login without the checks of `password(of:pin:)`. Use it only to seal the secret again.
    func secret(_ field: SealedField, of entry: VaultEntry, pin: Pin) throws(CredentialError) -> Secret {
        guard let seal = field == .password ? entry.password : entry.envelope else { throw .damaged(.entry) }
        return try seal.open(binding(entry, field, pin), dataKey: dataKey, schedule: schedule)
    }

    /// The binding of one seal of a login.
    ///
    /// - Parameter pin: the pin that the endpoint shows, or that was verified.
    func binding(_ entry: VaultEntry, _ field: SealedField, _ pin: Pin) -> SealedSecret.Binding {
        SealedSecret.Binding(
            storeID: header.storeID,
            entryID: entry.id.bytes,
            field: field,
            revision: entry.revision,
            pin: pin
        )
    }

    func seal(
        _ secret: SharedSecret,
        _ id: LoginID,
        _ field: SealedField,
        revision: UInt64,
        pin: Pin,
        random: any RandomSource
    ) throws(CredentialError) -> SealedSecret {
        let binding = SealedSecret.Binding(
            storeID: header.storeID,
            entryID: id.bytes,
            field: field,
            revision: revision,
            pin: pin
        )
        return try SealedSecret(sealing: secret.secret, binding, dataKey: dataKey, schedule: schedule, random: random)
    }
}

extension Login {
    init(_ entry: VaultEntry, _ pinned: PinnedEndpoint) {
        id = entry.id
        name = entry.name
        origin = .vault
        endpoint = entry.endpoint
        user = entry.user
        domain = entry.domain
        schema = entry.schema
        userKey = entry.userKey
        extras = entry.extras
        pin = pinned.pin
        allowsPlaintext = pinned.allowsPlaintext
        networkID = pinned.networkID
        interface = pinned.interface
        isVerified = pinned.isVerified
        agreedURL = pinned.location?.url
        hasEnvelopePassword = entry.envelope != nil
        created = entry.created
        lastUsedDay = entry.lastUsedDay
        revision = entry.revision
    }
}
