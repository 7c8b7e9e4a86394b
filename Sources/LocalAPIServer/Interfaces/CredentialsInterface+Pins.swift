// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Registry
import VarlinkService

/// What endpoints are pinned to.
extension CredentialsInterface {
    func listPins(_ call: TypedCall<CredentialsAPI.ListPinsCall>) async throws {
        let pins = try await store.boundLogins().sorted { $0.pin.endpoint.text < $1.pin.endpoint.text }
        call.reply(.init(pins: try pins.map { try CredentialsAPI.Pin($0.pin, logins: $0.logins) }))
    }

    func pinEndpoint(_ call: TypedCall<CredentialsAPI.PinEndpointCall>) async throws {
        let parameters = call.parameters
        let agreement = try PinAgreement(
            pin: parameters.pin,
            trust: parameters.trust,
            allowPlaintext: parameters.allowPlaintext
        )
        let new = try await pin(of: parameters.endpoint, agreeing: agreement)
        try await store.pin(new)
        await registry.remember(new.endpoint)
        call.reply(.init(pin: try await record(of: new.endpoint)))
    }

    func repinEndpoint(_ call: TypedCall<CredentialsAPI.RepinEndpointCall>) async throws {
        let parameters = call.parameters
        let agreement = try PinAgreement(
            pin: parameters.pin,
            trust: parameters.trust,
            allowPlaintext: parameters.allowPlaintext
        )
        let new = try await pin(of: parameters.endpoint, agreeing: agreement)
        // Sessions on the old identity, and what is remembered of its refusals, end with it.
        for login in try await store.repin(new) { await broker.forget(login.id) }
        await registry.remember(new.endpoint)
        await registry.forgetContact(with: new.endpoint)
        call.reply(.init(pin: try await record(of: new.endpoint)))
    }

    func forgetPin(_ call: TypedCall<CredentialsAPI.ForgetPinCall>) async throws {
        let endpoint = try await endpointID(call.parameters.endpoint)
        let removed = try await store.unpin(endpoint, includingLogins: call.parameters.logins ?? false)
        for login in removed { await broker.forget(login.id) }
        call.reply(.init(logins: removed.map(\.name)))
    }

    private func record(of endpoint: EndpointID) async throws -> CredentialsAPI.Pin {
        guard let pinned = try await store.pinned(endpoint) else { throw CredentialError.notPinned(endpoint) }
        return try CredentialsAPI.Pin(pinned, logins: try await store.logins(boundTo: endpoint))
    }

    private func pin(of reference: String, agreeing agreement: PinAgreement) async throws -> PinnedEndpoint {
        let endpoint = try await registry.find(reference)
        return try await DaemonError.naming(endpoint.id) { try await enrolment.pin(of: endpoint, by: agreement) }
    }

    /// A pin outlives its endpoint: the id alone will do when the endpoint is not in the list any more.
    private func endpointID(_ reference: String) async throws -> EndpointID {
        if let id = EndpointID(reference), try await store.pinned(id) != nil { return id }
        return try await registry.find(reference).id
    }
}

extension CredentialsAPI.Pin {
    fileprivate init(_ pinned: PinnedEndpoint, logins: [Login]) throws {
        let fingerprint = try Fingerprint(of: pinned.pin)
        self.init(
            endpoint: pinned.endpoint.text,
            strength: CredentialsAPI.PinStrength(pinned.pin.strength),
            authority: pinned.pin.authorityHost,
            fingerprint: fingerprint.text,
            words: fingerprint.words,
            allowPlaintext: pinned.allowsPlaintext,
            verified: pinned.isVerified,
            logins: logins.map(\.name).sorted()
        )
    }
}
