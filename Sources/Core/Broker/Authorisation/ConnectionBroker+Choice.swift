// SPDX-License-Identifier: Apache-2.0

package import Credentials
import Endpoints
package import Registry

/// The endpoint and the login of a use.
extension ConnectionBroker {
    /// Finds the endpoint of a use, and chooses the login, without contacting a server.
    ///
    /// - Throws: the errors of `open`.
    package func choose(_ use: NamedUse) async throws -> ChosenUse { try await access.choose(use) }

    /// Finds the endpoint of a use, also if no login can be chosen.
    package func place(of use: NamedUse) async throws -> Endpoint { try await access.place(of: use) }

    /// Returns the login that a name or its beginning means at an endpoint.
    ///
    /// - Throws: the errors of `open`.
    package func login(_ name: String, of endpoint: Endpoint) async throws -> Login {
        let chosen = try await access.choose(NamedUse(endpoint.id.text, login: name))
        guard let login = chosen.login else { throw BrokerError.noLogin }
        return login
    }
}
