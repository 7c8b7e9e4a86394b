// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform
import Registry
import VarlinkService

/// The alternate addresses of endpoints.
extension CredentialsInterface {
    func listAddresses(_ call: TypedCall<CredentialsAPI.ListAddressesCall>) async throws {
        call.reply(.init(addresses: try await addresses(of: try await registry.find(call.parameters.endpoint))))
    }

    func addAlternate(_ call: TypedCall<CredentialsAPI.AddAlternateCall>) async throws {
        let parameters = call.parameters
        let agreement = try PinAgreement(parameters)
        let endpoint = try await registry.find(parameters.endpoint)
        // Reported before the server is contacted.
        _ = try await addresses(of: endpoint)
        let alternate = endpoint.alternate(at: try ServerURL(completing: parameters.url))
        // The commands that name the endpoint are about its own address.
        let pinned = try await DaemonError.naming(nil) { try await enrolment.pin(of: alternate, by: agreement) }
        try await store.addAlternate(
            pinned.alternate(of: endpoint.id, isSameDatabase: parameters.sameDatabase ?? false)
        )
        try await endSessions(at: endpoint)
        call.reply(.init(addresses: try await addresses(of: endpoint)))
    }

    func removeAlternate(_ call: TypedCall<CredentialsAPI.RemoveAlternateCall>) async throws {
        let endpoint = try await registry.find(call.parameters.endpoint)
        let url = try ServerURL(completing: call.parameters.url)
        do {
            try await store.removeAlternate(.alternate(of: endpoint.id, at: url), of: endpoint.id)
        } catch CredentialError.notPinned {
            let message = "'\(Printable(endpoint.name))' has no alternate address \(url)"
            throw DaemonError.pinNotFound(message: message, endpoint: endpoint.id.text)
        }
        try await endSessions(at: endpoint)
        call.reply(.init(addresses: try await addresses(of: endpoint)))
    }

    /// A session knows the addresses from its start.
    private func endSessions(at endpoint: Endpoint) async throws {
        for login in try await store.logins(boundTo: endpoint.id) { await broker.forget(login.id) }
        await registry.remember(endpoint.id)
    }

    private func addresses(of endpoint: Endpoint) async throws -> [CredentialsAPI.Address] {
        guard let own = try await store.pinned(endpoint.id) else { throw CredentialError.notPinned(endpoint.id) }
        let alternates = await store.readableAlternates(of: endpoint.id)
        let used = broker.inUse[endpoint.id].flatMap { id in alternates.first { $0.endpoint == id } } ?? own
        return ([own] + alternates).map { pinned in
            let fingerprint = Fingerprint(of: pinned.pin)
            let isAlternate = pinned.alternateOf != nil
            return CredentialsAPI.Address(
                url: isAlternate ? pinned.location?.url ?? "" : endpoint.url.description,
                alternate: isAlternate,
                strength: pinned.pin.strength,
                authority: pinned.pin.authorityHost,
                fingerprint: fingerprint.text,
                words: fingerprint.words,
                allowPlaintext: pinned.allowsPlaintext,
                sameDatabase: !isAlternate || pinned.isSameDatabase,
                inUse: pinned.endpoint == used.endpoint
            )
        }
    }
}

extension CredentialsAPI.AddAlternateCall: PinParameters {}
