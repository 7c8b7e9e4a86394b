// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Glibc
import NIOCore
import Platform
import Registry

/// A separate socket that permits some calls of one login. Any process that can reach the socket may make them, and
/// no others.
package struct Grant: Sendable, Hashable {
    /// The socket's file name in the grant's directory.
    static let socketName = "adapter.sock"

    /// Unique among the open grants.
    package let id: String
    /// Accessible to the user only, and made to be mounted into a sandbox.
    package let directory: String
    /// The login that calls use.
    package let login: LoginID
    /// The login's name.
    package let loginName: String
    /// What chose the login.
    package let chooser: LoginChooser
    /// The endpoint that calls are sent to.
    package let endpoint: EndpointID
    /// Untrusted text.
    package let endpointName: String
    /// The permitted calls.
    package let filter: CallFilter
    /// The process that requested the grant, as the kernel reports it.
    package let peer: CallingProcess?
    /// Seconds since 1970.
    package let created: Int64
    /// Seconds since 1970.
    package let expires: Int64

    /// The path of the socket.
    package var socketPath: String { "\(directory)/\(Self.socketName)" }

    func removeDirectory() {
        unlink(socketPath)
        rmdir(directory)
    }
}

/// The request for a grant.
package struct GrantRequest: Sendable, Hashable {
    /// Permitted lifetimes of a grant.
    package static let times = Duration.seconds(60)...Duration.seconds(86_400)

    /// The words that name the login.
    package var use: NamedUse
    /// If empty, the endpoint's data service.
    package var services: [String] = []
    /// If empty and `isReadOnly`, the methods that only read.
    package var methods: [String] = []
    /// Whether only calls that read are permitted.
    package var isReadOnly = false
    /// The grant's lifetime.
    package var time = Duration.seconds(8 * 3_600)
    /// The use that the user has just approved; nil if the user was not asked.
    package var agreed: ShownUse?

    /// Eight hours of the endpoint's data service; the methods must still be set, or `isReadOnly`.
    package init(_ use: NamedUse) {
        self.use = use
    }
}

/// Grants: sockets that permit some calls of a login, for programs that cannot reach the daemon's own socket.
extension ConnectionBroker {
    /// Makes a grant's socket. The grant is in the audit log, on disk, before this returns.
    ///
    /// - Throws: `CredentialError.auditUnavailable`, and then there is no grant.
    package func grant(_ request: GrantRequest) async throws -> Grant {
        try adapters.beginOpening()
        defer { adapters.endOpening() }
        let chosen = try await access.choose(request.use)
        guard let login = chosen.login, let chooser = chosen.chooser else { throw BrokerError.noLogin }
        let endpoint = chosen.endpoint
        try access.check(.manage, of: endpoint, for: login, agreed: request.agreed)
        let filter = try CallFilter(
            services: request.services,
            methods: request.methods,
            isReadOnly: request.isReadOnly,
            at: endpoint.services
        )
        let time = min(request.time, GrantRequest.times.upperBound)
        let id = try adapters.unusedID()
        let now = Int64(Glibc.time(nil))
        let grant = Grant(
            id: id,
            directory: try sockets.makeDirectory(ofGrant: id),
            login: login.id,
            loginName: login.name,
            chooser: chooser,
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
        return grant
    }

    func open(_ grant: Grant, of login: Login, for time: Duration) async throws {
        try await audit?.commit(
            .grant(grant.id, "added", endpoint: grant.endpoint, login: grant.login, strength: login.pin.strength)
        )
        let listener: AdapterListener
        do {
            listener = try await checkedListener(for: grant, of: login)
        } catch {
            // The log already contains the grant. The caller receives the original error even if this line cannot be
            // written.
            try? await audit?.commit(
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
        insert(adapter, listener, grant: grant)
    }

    private func checkedListener(for grant: Grant, of login: Login) async throws -> AdapterListener {
        let listener = try await listener(at: .socket(path: grant.socketPath), adapter: grant.id)
        do {
            try access.checkUnchanged(login)
            return listener
        } catch {
            listener.close()
            throw error
        }
    }

    /// Removes a grant's socket and closes the connections to it immediately. Returns when that is in the audit log on
    /// disk.
    ///
    /// - Throws: `BrokerError.grantNotFound`; `CredentialError.auditUnavailable`, but the grant is removed anyway.
    package func revoke(_ id: String) async throws {
        guard let grant = adapters[id]?.grant else { throw BrokerError.grantNotFound(id) }
        end(id, .closed)
        try await audit?.commit(
            .grant(id, "revoked", endpoint: grant.endpoint, login: grant.login, strength: nil)
        )
    }
}
