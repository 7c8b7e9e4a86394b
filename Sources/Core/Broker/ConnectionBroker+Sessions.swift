// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Glibc
import Logging
import NIOCore
import Platform

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
        try check(.export, of: endpoint, isAgreed: true)
        let login = try await chooseLogin(name, for: endpoint)
        try check(.export, of: endpoint, for: login, agreed: agreed)
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
        defer { opening -= 1 }
        try check(.export, of: endpoint, for: login, agreed: agreed)
        try await checkRefusals(of: login)
        try await store.audit?.commit(AuditEntry(.sessionExported, of: login))
        let seat = try takeSeat(at: endpoint, login: login, isOwn: true, clientID: clientID.id)
        do {
            try await seat.session.open()
            try Task.checkCancellation()
            guard sessions.isCurrent(seat.session, for: seat.key), !isStopping else { throw BrokerError.closed }
        } catch {
            leave(seat)
            throw error
        }
        var id = ""
        repeat { id = HexText.encode(try SystemRandom().bytes(4)) } while adapters[id] != nil
        let adapter = Adapter(
            id: id,
            address: .session(url: endpoint.url.description),
            login: login.name,
            target: seat.target,
            lifetime: AdapterLifetime.atMost(lifetime).bounded(by: limits.longest),
            hasOwnSession: true,
            peer: AuditPeer.caller,
            created: Int64(time(nil))
        )
        enter(adapter, nil, seat)
        logger.info("session handed out", metadata: ["adapter": "\(id)", "endpoint": "\(Printable(endpoint.name))"])
        return adapter
    }
}
