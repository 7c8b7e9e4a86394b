// SPDX-License-Identifier: Apache-2.0

package import Endpoints

extension CredentialStore {
    private static let mostAlternates = 8

    /// Adds another address of an endpoint after the others, or replaces the one with the same ID.
    ///
    /// - Parameter new: `alternateOf` names the endpoint.
    /// - Throws: `CredentialError.notPinned` if the endpoint has no pin; `.invalid` if it has 8 other addresses; `.full`; the
    ///   error of the save.
    package func addAlternate(_ new: PinnedEndpoint) async throws {
        guard let endpoint = new.alternateOf else { throw CredentialError.notPinned(new.endpoint) }
        let entry = AuditEntry(.pinSet, endpoint: endpoint, strength: new.pin.strength)
        _ = try await save(entry) { _, payload throws(CredentialError) in
            guard payload.pins.contains(where: { $0.endpoint == endpoint }) else { throw .notPinned(endpoint) }
            if let index = payload.pins.firstIndex(where: { $0.endpoint == new.endpoint }) {
                payload.pins[index] = new
                return
            }
            guard payload.alternates(of: endpoint).count < Self.mostAlternates else {
                throw .invalid(field: "the server", reason: "has \(Self.mostAlternates) alternate addresses already")
            }
            try payload.append(pin: new)
        }
    }

    /// Removes another address of an endpoint.
    ///
    /// - Throws: `CredentialError.notPinned` if there is none with this ID; the error of the save.
    package func removeAlternate(_ id: EndpointID, of endpoint: EndpointID) async throws {
        let strength = try open().payload.alternates(of: endpoint).first { $0.endpoint == id }?.pin.strength
        let entry = AuditEntry(.pinRemoved, endpoint: endpoint, strength: strength)
        _ = try await save(entry, previous: .removed) { _, payload throws(CredentialError) in
            guard payload.alternates(of: endpoint).contains(where: { $0.endpoint == id }) else {
                throw .notPinned(endpoint)
            }
            payload.pins.removeAll { $0.endpoint == id }
        }
    }
}
