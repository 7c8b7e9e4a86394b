// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
package import Platform
import Registry

/// Use case of logins that are added or changed: what the local API and the prompts have in common.
package struct Enrolment: Sendable {
    let broker: ConnectionBroker
    var store: CredentialStore { broker.store }
    private var connector: ServerConnector { broker.connector }

    package init(broker: ConnectionBroker) {
        self.broker = broker
    }

    /// Adds a login: identifies the server, has it agreed to, tries the login, and stores it.
    ///
    /// - Throws: `BrokerError` and `CredentialError` for what stands in the way; what `source` throws.
    package func add(to endpoint: Endpoint, from source: inout some LoginSource) async throws -> Login {
        try await store.checkTrust()
        let locks = await store.locks
        // A locked vault and a taken name are reported before the server is asked.
        if let name = source.name(at: endpoint) { try await checkFree(name) }
        let proposal = try await agreedProposal(of: endpoint, by: source)
        guard proposal.standing != .other else { throw CredentialError.pinMismatch(endpoint.id) }
        let login = try await source.draft(for: proposal).bound(to: proposal.agreed, of: endpoint)
        try login.check()
        try await checkFree(login.name)
        let password = try await password(for: login, at: endpoint, from: &source, since: locks)
        let added = try await store.add(login, password: password)
        await connector.registry.remember(endpoint.id)
        return added
    }

    /// Identifies a server and has it agreed to.
    ///
    /// - Returns: its pin.
    /// - Throws: `CredentialError.locked` before the server is asked; `BrokerError`; what `agreement` throws.
    package func pin(of endpoint: Endpoint, by agreement: some ServerAgreement) async throws -> PinnedEndpoint {
        _ = try await store.logins()
        try await store.checkTrust()
        return try await agreedProposal(of: endpoint, by: agreement).agreed
    }

    private func agreedProposal(
        of endpoint: Endpoint,
        by agreement: some ServerAgreement
    ) async throws -> ServerProposal {
        let identity = try await broker.identity(of: endpoint, by: agreement.trust)
        let proposal = ServerProposal(
            endpoint,
            identity,
            network: await connector.network(of: identity),
            pinned: try await store.pinned(endpoint.id)
        )
        try await agreement.agree(to: proposal)
        return proposal
    }

    // MARK: Steps

    /// - Throws: `CredentialError.nameTaken`, `.locked`
    func checkFree(_ name: String) async throws {
        guard try await !store.logins().contains(where: { $0.name == name }) else {
            throw CredentialError.nameTaken(name)
        }
    }

    /// Gets passwords until the server takes one.
    ///
    /// - Parameters:
    ///   - endpoint: where the login is tried; nil tries nothing.
    ///   - locks: how often the vault had been locked when this began. Nothing goes out once it has been locked again.
    func password(
        for login: NewLogin,
        at endpoint: Endpoint?,
        from source: inout some PasswordSource,
        since locks: UInt64
    ) async throws -> Secret {
        var refusal: BrokerError?
        while true {
            let password = try await source.password(for: login, after: refusal)
            guard source.isTried, let endpoint else { return password }
            refusal = try await self.refusal(of: password, for: login, at: endpoint, since: locks)
            if refusal == nil { return password }
        }
    }

    /// Logs in and out with a password.
    ///
    /// - Returns: `BrokerError.loginRejected`, or nil if the server takes it.
    /// - Throws: where the server could not be asked, or is another.
    private func refusal(
        of password: borrowing Secret,
        for login: NewLogin,
        at endpoint: Endpoint,
        since locks: UInt64
    ) async throws -> BrokerError? {
        do {
            try await connector.tryLogin(login, at: endpoint, audit: store.audit) { use in
                try await store.checkNotLocked(since: locks)
                return try password.withBytes(use)
            }
            return nil
        } catch let error as BrokerError {
            if case .loginRejected = error { return error }
            // A lock that came between is the cause.
            try await store.checkNotLocked(since: locks)
            throw error
        }
    }
}

extension Enrolment {
    /// Changes a login that keeps its password. Unless only its name changes, it is tried first if `isTried`, and its
    /// sessions end.
    package func change(_ login: Login, _ edit: LoginEdit, isTried: Bool) async throws -> Login {
        let new = try await checked(edit, of: login)
        guard !edit.isRename else { return try await store.edit(login, edit) }
        if isTried {
            let endpoint = try await broker.endpoint(of: login)
            try await broker.connector.tryLogin(new, at: endpoint, audit: store.audit) { use in
                try await store.withPassword(of: login.id, pin: login.pin, use)
            }
        }
        let changed = try await store.edit(login, edit)
        // The next adapter logs in as the login is now.
        await broker.forget(login.id)
        return changed
    }

    /// Changes a login and its password. It is tried first if the source wants that, and its sessions end.
    package func change(_ login: Login, _ edit: LoginEdit, from source: inout some PasswordSource) async throws -> Login
    {
        let new = try await checked(edit, of: login)
        let locks = await store.locks
        let endpoint = source.isTried ? try await broker.endpoint(of: login) : nil
        let password = try await password(for: new, at: endpoint, from: &source, since: locks)
        let changed = try await store.edit(login, edit, password: password)
        await broker.forget(login.id)
        return changed
    }

    /// The login as it would be.
    private func checked(_ edit: LoginEdit, of login: Login) async throws -> NewLogin {
        try await store.checkTrust()
        let new = edit.applied(to: login)
        try new.check()
        if new.name != login.name { try await checkFree(new.name) }
        return new
    }
}

/// Login to be added, without its password and the server that it is bound to.
package struct LoginDraft: Sendable, Hashable {
    /// nil for the usual one.
    package let name: String?
    package let user: String
    package let domain: String
    package let schema: String
    package let userKey: UserKey
    package let extras: [LoginExtra]

    package init(
        name: String? = nil,
        user: String,
        domain: String,
        schema: String,
        userKey: UserKey = .userID,
        extras: [LoginExtra] = []
    ) {
        self.name = name
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extras = extras
    }

    /// The name that it has at an endpoint.
    package func name(at endpoint: Endpoint) -> String {
        name ?? NewLogin.usualName(user: user, endpoint: endpoint.name, domain: domain, schema: schema)
    }

    func bound(to pinned: PinnedEndpoint, of endpoint: Endpoint) -> NewLogin {
        NewLogin(
            name: name(at: endpoint),
            endpoint: endpoint.id,
            user: user,
            domain: domain,
            schema: schema,
            userKey: userKey,
            extras: extras,
            pin: pinned.pin,
            allowsPlaintext: pinned.allowsPlaintext,
            networkID: pinned.networkID,
            interface: pinned.interface,
            location: pinned.location
        )
    }
}

/// Source of everything that a new login is made of.
package protocol LoginSource: ServerAgreement, PasswordSource {
    /// The login's name, if it is known before the server is asked.
    func name(at endpoint: Endpoint) -> String?

    /// Gets the login for a server that was agreed to.
    mutating func draft(for proposal: ServerProposal) async throws -> LoginDraft
}

/// Source of the password of a login that is added or changed.
package protocol PasswordSource: Sendable {
    /// The login is tried before it is stored.
    var isTried: Bool { get }

    /// Gets a password.
    ///
    /// - Parameter refusal: `BrokerError.loginRejected` for the password before; nil at first.
    /// - Throws: if there is no other password.
    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret
}

/// Agreement of the user to the identity of a server, and to plain HTTP where the server has no TLS.
package protocol ServerAgreement: Sendable {
    /// By what the server is to be known; nil for what is usual there.
    var trust: ServerTrust? { get }

    /// Returns if the user agrees, and throws if not.
    func agree(to proposal: ServerProposal) async throws
}

/// Proposal to bind a login to the identity that a server has now.
package struct ServerProposal: Sendable, Hashable {
    /// What has been agreed to before.
    package enum Standing: Sendable, Hashable {
        /// Nothing: the server has no pin yet.
        case new
        /// Everything: the user or the administrator knows this server, and plain HTTP to it is permitted where it is used.
        case known
        /// The identity, and not that passwords go there over plain HTTP.
        case plaintextOpen
        /// A pin that came with an import.
        case unverified
        /// Another server than this one.
        case other
    }

    package let endpoint: Endpoint
    package let identity: ServerIdentity
    /// The network that a permission for plain HTTP would hold on.
    let network: [UInt8]?
    /// What the endpoint is pinned to; nil if to nothing.
    let pinned: PinnedEndpoint?

    init(_ endpoint: Endpoint, _ identity: ServerIdentity, network: [UInt8]?, pinned: PinnedEndpoint?) {
        self.endpoint = endpoint
        self.identity = identity
        self.network = network
        self.pinned = pinned
    }

    /// The endpoint has a pin.
    package var isPinned: Bool { pinned != nil }

    /// What has been agreed to before.
    package var standing: Standing {
        if let pinned {
            guard pinned.isVerified else { return .unverified }
            guard pinned.pin.isSame(as: identity.pin) else { return .other }
        } else if !identity.isVouchedFor {
            return .new
        }
        let permission = PlaintextPermission(
            user: pinned?.permission.user ?? .none,
            administrator: identity.isPlaintextPermitted
        )
        let refusal = PlaintextRule(identity.pin, permission)
            .refusal(knowing: [.network(network), .interfaces([identity.interface].compactMap { $0 })])
        return refusal == nil ? .known : .plaintextOpen
    }

    /// The pin that follows from an agreement, which includes plain HTTP to a server that has no TLS: on this network, and
    /// for a link-local address on this interface.
    var agreed: PinnedEndpoint {
        PinnedEndpoint(
            endpoint: endpoint.id,
            pin: identity.pin,
            allowsPlaintext: !identity.pin.strength.isEncrypted,
            networkID: network,
            interface: identity.interface,
            location: EndpointLocation(name: endpoint.name, url: endpoint.url.description)
        )
    }
}
