// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataAbstract
import Endpoints

extension ServerConnector {
    /// Tries a login that is not stored, or not so, and notes in the audit log that its password went out.
    ///
    /// - Parameter lend: lends the password for the moment of its use.
    /// - Throws: `BrokerError` if the pin could not be proved or the server refused the login.
    func tryLogin(
        _ login: NewLogin,
        at endpoint: Endpoint,
        audit: AuditLog?,
        lending lend: (@Sendable (UnsafeRawBufferPointer) throws -> LoginMessage) async throws -> LoginMessage
    ) async throws {
        let service = endpoint.services.login
        let steps = await tryLogin(to: endpoint, binding: LoginBinding(login), named: login.name) { clientID in
            try await lend { password in try login.request(to: service, password: password, for: clientID) }
        }
        // That the server did not take back the session is no reason to refuse the login.
        let failure = steps.first { $0.name != "logout" && !$0.isOK }?.error
        let result = failure.map { AuditResult(ofLogin: $0) } ?? .done
        audit?.note(AuditEntry(.passwordUsed, result, endpoint: endpoint.id, strength: login.pin.strength))
        if let failure { throw failure }
    }
}
