// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

/// Sessions for callers that communicate with the server directly.
extension ConnectionBroker {
    /// Checks an export before the caller is asked for a ClientID.
    ///
    /// - Returns: the endpoint, and the login that the session would use.
    package func checkExport(_ use: NamedUse, agreed: ShownUse? = nil) async throws -> ChosenUse {
        // First the checks that an approval by the user cannot change.
        try access.check(.export, of: try await access.place(of: use), isAgreed: true)
        let chosen = try await access.choose(use)
        try access.check(.export, of: chosen.endpoint, for: chosen.login, agreed: agreed)
        return chosen
    }

    /// Logs in with a ClientID that the caller has made, so that the daemon need not send one. The export is written
    /// to the audit log, on disk, before the login is sent.
    ///
    /// - Throws: `CredentialError.auditUnavailable`, and then there is no session.
    package func openSession(
        _ chosen: ChosenUse,
        clientID: ChosenClientID,
        lifetime: Duration,
        agreed: ShownUse? = nil
    ) async throws -> Adapter {
        guard let login = chosen.login else { throw BrokerError.noLogin }
        let endpoint = chosen.endpoint
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
        let adapter = Adapter(id: try unusedID(), address, lease, chosen, bounded(.atMost(lifetime)))
        insert(adapter, nil, lease)
        return adapter
    }
}
