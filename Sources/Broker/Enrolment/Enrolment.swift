// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import Endpoints
import Platform
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
