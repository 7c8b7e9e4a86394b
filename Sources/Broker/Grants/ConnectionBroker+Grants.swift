// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Glibc
import Logging
import NIOCore
import Platform

/// Sockets that allow some calls of a login, for programs that are kept from the daemon's own socket.
extension ConnectionBroker {
    package var grants: [Grant] {
        adapters.values.compactMap(\.grant).sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// Makes a grant's socket. It is in the audit log, on the disk, before this returns.
    ///
    /// - Throws: `CredentialError.auditUnavailable`, and then there is no grant.
    package func grant(_ order: GrantOrder) async throws -> Grant {
        try beginOpening()
        defer { opening -= 1 }
        let login = try await login(named: order.login)
        let endpoint = try await endpoint(of: login)
        try check(.manage, of: endpoint, for: login, agreed: order.agreed)
        let filter = try CallFilter(
            services: order.services,
            methods: order.methods,
            isReadOnly: order.isReadOnly,
            at: endpoint.services
        )
        let time = min(order.time, GrantOrder.times.upperBound)
        var id = ""
        repeat { id = HexText.encode(try SystemRandom().bytes(4)) } while adapters[id] != nil
        let now = Int64(Glibc.time(nil))
        let grant = Grant(
            id: id,
            directory: try ProtectedDirectory("\(grantsDirectory)/\(id)", creating: true).path,
            login: login.id,
            loginName: login.name,
            endpoint: endpoint.id,
            endpointName: endpoint.name,
            filter: filter,
            peer: AuditPeer.caller,
            created: now,
            expires: now + time.components.seconds
        )
        do {
            try await open(grant, of: login, for: time)
        } catch {
            grant.removeDirectory()
            throw error
        }
        logger.info("grant made", metadata: ["grant": "\(id)", "endpoint": "\(Printable(endpoint.name))"])
        return grant
    }

    func open(_ grant: Grant, of login: Login, for time: Duration) async throws {
        try await store.audit?.commit(
            .grant(grant.id, "added", endpoint: grant.endpoint, login: grant.login, strength: login.pin.strength)
        )
        let listener: AdapterListener
        do {
            listener = try await checkedListener(for: grant, of: login)
        } catch {
            // The log has told of a grant. The reason is on its way to the caller, whatever becomes of this line.
            try? await store.audit?.commit(
                .grant(grant.id, "revoked", endpoint: grant.endpoint, login: grant.login, strength: nil)
            )
            throw error
        }
        let adapter = Adapter(
            id: grant.id,
            address: listener.address,
            login: grant.loginName,
            target: nil,
            lifetime: .granted(time),
            hasOwnSession: false,
            peer: grant.peer,
            created: grant.created
        )
        adapters[grant.id] = OpenAdapter(adapter, listener: listener, seat: nil, grant: grant, loop: connector.loop)
        scheduleEnd(of: grant.id)
    }

    private func checkedListener(for grant: Grant, of login: Login) async throws -> AdapterListener {
        let listener = try await listener(at: .socket(path: grant.socketPath), adapter: grant.id)
        do {
            guard !isStopping else { throw BrokerError.closed }
            try checkUnchanged(login)
            return listener
        } catch {
            listener.close()
            throw error
        }
    }

    /// Removes a grant's socket and ends the connections to it at once; then the audit log is told, on the disk.
    ///
    /// - Throws: `BrokerError.grantNotFound`; `CredentialError.auditUnavailable`, and the grant is gone all the same.
    package func revoke(_ id: String) async throws {
        guard let grant = adapters[id]?.grant else { throw BrokerError.grantNotFound(id) }
        end(id, .closed)
        try await store.audit?.commit(
            .grant(id, "revoked", endpoint: grant.endpoint, login: grant.login, strength: nil)
        )
    }
}
