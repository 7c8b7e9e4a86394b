// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
package import Platform
package import Registry

/// Adds and changes logins. The local API and the prompts both use it.
package struct Enrolment: Sendable {
    let broker: ConnectionBroker
    let store: CredentialStore
    let connector: ServerConnector

    /// Adds a login: identifies the server, requires agreement to its identity, tests the login, and stores it.
    ///
    /// - Throws: `BrokerError`, `CredentialError`, and the errors of `source`.
    package func add(to endpoint: Endpoint, from source: inout some LoginSource) async throws -> Login {
        try await store.checkTrust()
        let locks = await store.locks
        // A locked vault and a taken name are reported before the server is asked.
        if let account = source.knownAccount {
            try await checkFree(name(source.name, of: account, at: endpoint))
        }
        let proposal = try await agreedProposal(of: endpoint, by: source)
        guard proposal.standing != .other else { throw CredentialError.pinMismatch(endpoint.id) }
        let account = try await source.account(for: proposal)
        let name = try await name(source.name, of: account, at: endpoint)
        let command = source.command.map { PasswordCommand($0, isAgreed: true) }
        let login = NewLogin(name: name, account: account, pinned: proposal.agreed, command: command)
        try login.check()
        try await checkFree(login.name)
        let added: Login
        if let command {
            try await source.agree(to: command.command, of: login, at: endpoint)
            try await store.checkNotLocked(since: locks)
            if source.isTried { try await attempt(command.command, of: login, at: endpoint, since: locks) }
            added = try await store.add(login, password: nil)
        } else {
            let password = try await password(for: login, at: endpoint, from: &source, since: locks)
            added = try await store.add(login, password: password)
        }
        await connector.registry.remember(endpoint.id)
        return added
    }

    /// Identifies a server and requires agreement to its identity.
    ///
    /// - Returns: the server's pin.
    /// - Throws: `CredentialError.locked` before the server is contacted; `BrokerError`; the errors of `agreement`.
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

    /// The name that a new login gets: the one that it is given, else the short one, else the long one if the short one
    /// belongs to another account. A login that is already there keeps the short name, so that it is not added twice.
    ///
    /// - Throws: `CredentialError.locked`
    func name(_ given: String?, of account: Account, at endpoint: Endpoint) async throws -> String {
        if let given { return given }
        let short = "\(account.user)@\(endpoint.name)"
        guard let holder = try await store.logins().first(where: { $0.name == short }) else { return short }
        let own = holder.account
        let isSame =
            holder.endpoint == endpoint.id && own.user == account.user && own.domain == account.domain
            && own.schema == account.schema
        let parts = [account.domain, account.schema].filter { !$0.isEmpty }
        return isSame ? short : ([short] + parts).joined(separator: "/")
    }

    /// - Throws: `CredentialError.nameTaken`, `.locked`
    func checkFree(_ name: String) async throws {
        guard try await !store.logins().contains(where: { $0.name == name }) else {
            throw CredentialError.nameTaken(name)
        }
    }

    /// Gets passwords until the server accepts one.
    ///
    /// - Parameters:
    ///   - endpoint: the server that the login is tested on; nil tests nothing.
    ///   - locks: the vault's lock count when the operation began. After another lock nothing is sent.
    /// - Throws: the errors of `source`; `CredentialError.locked`; `BrokerError` if the server cannot be reached.
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
    /// - Returns: `BrokerError.loginRejected`, or nil if the server accepts the password.
    /// - Throws: if the server cannot be reached, or is another one.
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
            // If the vault was locked meanwhile, that is the cause.
            try await store.checkNotLocked(since: locks)
            throw error
        }
    }

    /// Logs in and out with the password that a command prints.
    ///
    /// - Parameter id: that of the login; nil for a new one.
    private func attempt(
        _ command: SecretCommand,
        of login: NewLogin,
        _ id: LoginID? = nil,
        at endpoint: Endpoint,
        since locks: UInt64
    ) async throws {
        try await connector.tryLogin(login, at: endpoint, audit: store.audit) { use in
            let password = try await store.password(printedBy: command, for: id, named: login.name)
            try await store.checkNotLocked(since: locks)
            return try password.secret.withBytes(use)
        }
    }
}

extension Enrolment {
    /// Changes a login that keeps its password, or gets a command that the user has agreed to. If more changes than its
    /// name, its sessions end. Before that, the login is tested if `isTried`.
    ///
    /// - Throws: `BrokerError`, `CredentialError`.
    package func change(_ login: Login, _ edit: LoginEdit, isTried: Bool) async throws -> Login {
        let new = try await checked(edit, of: login)
        guard !edit.isRename else { return try await store.edit(login, edit) }
        let locks = await store.locks
        if isTried, let command = edit.command {
            try await attempt(command, of: new, login.id, at: try await endpoint(new), since: locks)
        } else if isTried {
            let endpoint = try await endpoint(new)
            try await connector.tryLogin(new, at: endpoint, audit: store.audit) { use in
                try await store.withPassword(of: login.id, pin: login.pin, use)
            }
        }
        let changed = try await store.edit(login, edit)
        // The next adapter must log in with the new values.
        await broker.forget(login.id)
        await connector.registry.remember(changed.endpoint)
        return changed
    }

    /// Changes a login and its password, and ends its sessions. The login is tested first if the source requires it.
    ///
    /// - Throws: `BrokerError`, `CredentialError`, and the errors of `source`.
    package func change(_ login: Login, _ edit: LoginEdit, from source: inout some PasswordSource) async throws -> Login
    {
        let new = try await checked(edit, of: login)
        let locks = await store.locks
        let endpoint = source.isTried ? try await endpoint(new) : nil
        let password = try await password(for: new, at: endpoint, from: &source, since: locks)
        let changed = try await store.edit(login, edit, password: password)
        await broker.forget(login.id)
        await connector.registry.remember(changed.endpoint)
        return changed
    }

    /// - Throws: `BrokerError.unreachable` if the endpoint of the login is not in the list.
    private func endpoint(_ login: NewLogin) async throws(BrokerError) -> Endpoint {
        guard let endpoint = await connector.registry.endpoint(login.endpoint) else {
            throw .unreachable(StateReason(code: .notListed))
        }
        return endpoint
    }

    /// Returns the login with the changes, after checking them.
    private func checked(_ edit: LoginEdit, of login: Login) async throws -> NewLogin {
        try await store.checkTrust()
        let new = edit.applied(to: login)
        try new.check()
        if new.name != login.name { try await checkFree(new.name) }
        return new
    }
}

/// The source of all values of a new login.
package protocol LoginSource: ServerAgreement, PasswordSource {
    /// The name of the login; nil for the usual one.
    var name: String? { get }
    /// The account, if it is known before the server is asked.
    var knownAccount: Account? { get }

    /// The command that prints the password; nil if the source has the password.
    var command: SecretCommand? { get }

    /// Returns the account at a server whose identity was agreed to.
    ///
    /// - Throws: if there is none.
    mutating func account(for proposal: ServerProposal) async throws -> Account

    /// Returns if the user agrees to the command, otherwise throws. Called only if there is one.
    func agree(to command: SecretCommand, of login: NewLogin, at endpoint: Endpoint) async throws
}

/// The source of the password of a login that is added or changed.
package protocol PasswordSource: Sendable {
    /// Whether the login is tested before it is stored.
    var isTried: Bool { get }

    /// Returns a password.
    ///
    /// - Parameter refusal: `BrokerError.loginRejected` for the previous password; nil for the first one.
    /// - Throws: if there is no other password.
    mutating func password(for login: NewLogin, after refusal: BrokerError?) async throws -> Secret
}

/// The user's agreement to the identity of a server, and to plain HTTP if the server has no TLS.
package protocol ServerAgreement: Sendable {
    /// How the server is identified; nil for the default.
    var trust: ServerTrust? { get }

    /// Returns if the user agrees, otherwise throws.
    func agree(to proposal: ServerProposal) async throws
}

/// The proposal to bind a login to the current identity of a server.
package struct ServerProposal: Sendable, Hashable {
    /// The user's agreement so far.
    package enum Standing: Sendable, Hashable {
        /// None, because the server has no pin yet.
        case new
        /// Complete. The user or the administrator has pinned this server, and permits plain HTTP if that is used here.
        case known
        /// To the identity, but not to passwords over plain HTTP.
        case plaintextOpen
        /// None on this machine, because the pin was imported.
        case unverified
        /// To another identity.
        case other
    }

    /// The endpoint that is to be pinned.
    package let endpoint: Endpoint
    /// The current identity of its server.
    package let identity: ServerIdentity
    /// The network that a permission for plain HTTP would hold for.
    let network: [UInt8]?
    /// The stored pin of the endpoint; nil if there is none.
    let pinned: PinnedEndpoint?

    init(_ endpoint: Endpoint, _ identity: ServerIdentity, network: [UInt8]?, pinned: PinnedEndpoint?) {
        self.endpoint = endpoint
        self.identity = identity
        self.network = network
        self.pinned = pinned
    }

    /// Whether the endpoint has a pin.
    package var isPinned: Bool { pinned != nil }

    /// The user's agreement so far.
    package var standing: Standing {
        if let pinned {
            guard pinned.isVerified else { return .unverified }
            guard pinned.pin.isSame(as: identity.pin) else { return .other }
        } else if !identity.isPinnedByAdministrator {
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

    /// The pin to store after an agreement. If the server has no TLS, it includes the permission for plain HTTP: on
    /// this network, and for a link-local address on this interface.
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
