// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The change that adds a login. It may be applied more than once, to a vault that has changed meanwhile.
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
        try pinEndpoint(in: &payload)
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

    /// The first login of an endpoint pins it; further ones must show the same identity. The user was asked about plain
    /// text just now, so a permission given is kept, and an earlier one is not taken away.
    private func pinEndpoint(in payload: inout VaultPayload) throws(CredentialError) {
        guard let index = payload.pins.firstIndex(where: { $0.endpoint == login.endpoint }) else {
            guard payload.pins.count < VaultLimits.records else {
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
            payload.pins.append(pinned)
            return
        }
        guard payload.pins[index].pin.isSame(as: login.pin) else { throw .pinMismatch(login.endpoint) }
        // It was shown to a person, and agreed to, just now.
        payload.pins[index].isVerified = true
        payload.pins[index].location = login.location ?? payload.pins[index].location
        guard login.allowsPlaintext else { return }
        payload.pins[index].allowsPlaintext = true
        payload.pins[index].networkID = login.networkID
        payload.pins[index].interface = login.pin.isLinkLocal ? login.interface : nil
    }
}
