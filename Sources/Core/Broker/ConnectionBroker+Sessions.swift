// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints

/// Sessions for callers that communicate with the server directly.
extension ConnectionBroker {
    /// Checks an export before the caller is asked for a ClientID.
    ///
    /// - Returns: the login that the session would use.
    package func checkExport(
        at endpoint: Endpoint,
        login name: String?,
        agreed: ShownUse? = nil
    ) async throws -> Login {
        // First the checks that an approval by the user cannot change.
        try access.check(.export, of: endpoint, isAgreed: true)
        let login = try await access.chooseLogin(name, for: endpoint)
        try access.check(.export, of: endpoint, for: login, agreed: agreed)
        return login
    }

    /// Logs in with a ClientID that the caller has made, so that the daemon need not send one. The export is written
    /// to the audit log, on disk, before the login is sent.
    ///
    /// - Throws: `CredentialError.auditUnavailable`, and then there is no session.
    package func openSession(
        at endpoint: Endpoint,
        login: Login,
        clientID: ChosenClientID,
        lifetime: Duration,
        agreed: ShownUse? = nil
    ) async throws -> Adapter {
        try beginOpening()
        defer { endOpening() }
        try access.check(.export, of: endpoint, for: login, agreed: agreed)
        try await checkRefusals(of: login)
        try await audit?.commit(AuditEntry(.sessionExported, of: login))
        let lease = try acquireSession(at: endpoint, login: login, isOwn: true, clientID: clientID)
        do {
            try await lease.session.open()
            try Task.checkCancellation()
            try checkCurrent(lease)
        } catch {
            release(lease)
            throw error
        }
        let address = AdapterAddress.session(url: endpoint.url.description)
        let adapter = Adapter(id: try unusedID(), address, lease, login, bounded(.atMost(lifetime)))
        insert(adapter, nil, lease)
        return adapter
    }
}
