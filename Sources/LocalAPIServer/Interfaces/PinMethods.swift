// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import JSON
import LocalAPI
import Registry
import VarlinkService

/// The methods of `org.relativityd.Credentials` about what endpoints are pinned to.
struct PinMethods {
    let registry: EndpointRegistry
    let store: CredentialStore
    let broker: ConnectionBroker
    let connector: ServerConnector

    func listPins(_ call: VarlinkCall) async throws {
        let records = try await store.boundLogins().sorted { $0.pin.endpoint.text < $1.pin.endpoint.text }
            .map { try PinRecord($0.pin, logins: $0.logins) }
        call.reply(["pins": .array(records.map { .object($0.json) })])
    }

    func pinEndpoint(_ call: VarlinkCall) async throws {
        let new = try await agreed(call)
        try await store.pin(new)
        await registry.remember(new.endpoint)
        call.reply(["pin": .object(try await record(of: new.endpoint).json)])
    }

    func repinEndpoint(_ call: VarlinkCall) async throws {
        let new = try await agreed(call)
        // Sessions on the old identity, and what is remembered of its refusals, end with it.
        for login in try await store.repin(new) { await broker.forget(login.id) }
        await registry.remember(new.endpoint)
        await registry.forgetContact(with: new.endpoint)
        call.reply(["pin": .object(try await record(of: new.endpoint).json)])
    }

    func forgetPin(_ call: VarlinkCall) async throws {
        let endpoint = try await endpointID(try call.parameters.string("endpoint"))
        let includingLogins = try call.parameters.optionalBool("logins") ?? false
        let removed = try await store.unpin(endpoint, includingLogins: includingLogins)
        for login in removed { await broker.forget(login.id) }
        call.reply(["logins": .array(removed.map { .string($0.name) })])
    }

    private func record(of endpoint: EndpointID) async throws -> PinRecord {
        guard let pinned = try await store.pinned(endpoint) else { throw CredentialError.notPinned(endpoint) }
        return try PinRecord(pinned, logins: try await store.logins(boundTo: endpoint))
    }

    /// What the server is now, if it is what the user agreed to.
    private func agreed(_ call: VarlinkCall) async throws -> PinnedEndpoint {
        let agreement = try PinAgreement(call.parameters)
        // A locked vault is told before a server is asked.
        _ = try await store.logins()
        try await store.checkTrust()
        let endpoint = try await registry.find(try call.parameters.string("endpoint"))
        let identity = try await APIError.naming(endpoint.id) {
            try await broker.identity(of: endpoint, by: agreement.trust)
        }
        try agreement.check(identity, of: endpoint.id)
        return agreement.pinned(endpoint, as: identity, networkID: await connector.network(of: identity))
    }

    /// A pin outlives its endpoint: the id alone will do when the endpoint is not in the list any more.
    private func endpointID(_ reference: String) async throws -> EndpointID {
        if let id = EndpointID(reference), try await store.pinned(id) != nil { return id }
        return try await registry.find(reference).id
    }
}

extension PinRecord {
    fileprivate init(_ pinned: PinnedEndpoint, logins: [Login]) throws {
        let fingerprint = try Fingerprint(of: pinned.pin)
        self.init(
            endpoint: pinned.endpoint.text,
            tier: Int64(pinned.pin.tier),
            authority: pinned.pin.authorityHost,
            fingerprint: fingerprint.text,
            words: fingerprint.words,
            allowPlaintext: pinned.allowsPlaintext,
            verified: pinned.isVerified,
            logins: logins.map(\.name).sorted()
        )
    }
}
