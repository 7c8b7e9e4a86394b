// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Platform
import Prompts
import Registry

extension InteractiveOpening {
    /// Asks for a login, tries it, and stores it, as `relctl login add` does.
    func addLogin(to endpoint: Endpoint, _ asking: Asking) async throws {
        try await store.checkTrust()
        let before = await store.locks
        let subject = endpoint.id.text
        let identity = try await agreedIdentity(of: endpoint, asking, since: before)
        let user = try await user(at: endpoint, identity, asking, since: before)
        let login = try await newLogin(user, at: endpoint, identity, asking.outline ?? LoginOutline())

        var tries = Tries()
        var remark: String?
        var reason = ""
        repeat {
            let question = asking.questions.password(of: login, at: endpoint, identity, remark: remark)
            let answer = try await ask(question, about: subject, asking.turn, since: before)
            if !tries.wasRefused(answer) {
                guard let refusal = try await refusal(of: answer, for: login, at: endpoint, since: before) else {
                    _ = try await store.add(login, password: try Self.copy(of: answer))
                    return await connector.registry.remember(endpoint.id)
                }
                reason = refusal
            }
            remark = tries.failed(answer, because: "the server refused it")
        } while remark != nil
        throw BrokerError.newLoginRejected(endpoint: endpoint.name, reason: reason)
    }

    /// Asks for another password of a login, tries it, and stores it, as `relctl login edit` does.
    func replacePassword(of name: String, _ asking: Asking) async throws {
        let login = try await store.ownLogin(named: name)
        guard let endpoint = await connector.registry.endpoint(login.endpoint) else {
            throw BrokerError.unreachable(reason: "its endpoint is not in the list now")
        }
        let before = await store.locks
        let new = LoginEdit().applied(to: login)

        var tries = Tries()
        var remark: String? = "the server refused the stored password"
        var reason = "it is the password that was refused before"
        repeat {
            let question = asking.questions.password(of: new, at: endpoint, nil, remark: remark)
            let answer = try await ask(question, about: endpoint.id.text, asking.turn, since: before)
            if !tries.wasRefused(answer), try await !isStored(answer, for: login) {
                guard let refusal = try await refusal(of: answer, for: new, at: endpoint, since: before) else {
                    _ = try await store.edit(login, LoginEdit(), password: try Self.copy(of: answer))
                    return await broker.forget(login.id)
                }
                reason = refusal
            }
            remark = tries.failed(answer, because: "the server refused it")
        } while remark != nil
        throw BrokerError.loginRejected(login: name, reason: reason)
    }

    // MARK: The server

    /// The identity of a server that a person has agreed to, now or before.
    private func agreedIdentity(
        of endpoint: Endpoint,
        _ asking: Asking,
        since locks: UInt64
    ) async throws -> ServerIdentity {
        let identity = try await broker.identity(of: endpoint)
        let pinned = try await store.pinned(endpoint.id)
        if let pinned {
            guard pinned.isVerified else { throw BrokerError.identityUnverified }
            guard pinned.pin.isSame(as: identity.pin) else { throw CredentialError.pinMismatch(endpoint.id) }
        }
        let network = await connector.network(of: identity)
        let isKnown = pinned != nil || identity.isVouchedFor
        let permission = PlaintextPermission(
            user: pinned?.permission.user ?? .none,
            administrator: identity.isPlaintextPermitted
        )
        let refusal = PlaintextRule(identity.pin, permission)
            .refusal(knowing: [.network(network), .interfaces([identity.interface].compactMap { $0 })])
        guard !isKnown || refusal != nil else { return identity }
        let question = try asking.questions.agreement(to: endpoint, identity, isKnown: isKnown)
        _ = try await ask(question, about: endpoint.id.text, asking.turn, since: locks)
        return identity
    }

    private func newLogin(
        _ user: String,
        at endpoint: Endpoint,
        _ identity: ServerIdentity,
        _ outline: LoginOutline
    ) async throws -> NewLogin {
        let domain = outline.domain ?? endpoint.loginDomain ?? ""
        let schema = outline.schema ?? endpoint.loginSchema ?? ""
        let isPlain = !identity.pin.strength.isEncrypted
        let login = NewLogin(
            name: NewLogin.usualName(user: user, endpoint: endpoint.name, domain: domain, schema: schema),
            endpoint: endpoint.id,
            user: user,
            domain: domain,
            schema: schema,
            pin: identity.pin,
            // Where it is plain, that has just been agreed to.
            allowsPlaintext: isPlain,
            networkID: await connector.network(of: identity),
            interface: identity.interface,
            location: EndpointLocation(name: endpoint.name, url: endpoint.url.description)
        )
        try login.check()
        guard try await !store.logins().contains(where: { $0.name == login.name }) else {
            throw CredentialError.nameTaken(login.name)
        }
        return login
    }

    private func user(
        at endpoint: Endpoint,
        _ identity: ServerIdentity,
        _ asking: Asking,
        since locks: UInt64
    ) async throws -> String {
        if let user = asking.outline?.user, !user.isEmpty { return user }
        let question = try asking.questions.user(at: endpoint, identity)
        let answer = try await ask(question, about: endpoint.id.text, asking.turn, since: locks)
        let user = answer.secret.withBytes { String(validating: $0, as: UTF8.self) }
        guard let user, !user.isEmpty else { throw PromptError.dismissed }
        return user
    }

    // MARK: The password

    /// Logs in and out with an answer.
    ///
    /// - Returns: why the server refuses it; nil if it does not.
    /// - Throws: where the server could not be asked, or is another.
    private func refusal(
        of answer: SharedSecret,
        for login: NewLogin,
        at endpoint: Endpoint,
        since locks: UInt64
    ) async throws -> String? {
        do {
            try await connector.tryLogin(login, at: endpoint, audit: store.audit) { use in
                try await store.checkNotLocked(since: locks)
                return try answer.secret.withBytes(use)
            }
            return nil
        } catch BrokerError.loginRejected(_, let reason) {
            return reason
        }
    }

    private func isStored(_ answer: SharedSecret, for login: Login) async throws -> Bool {
        try await store.withPassword(of: login.id, pin: login.pin) { stored in
            answer.secret.withBytes { ConstantTime.areEqual($0, stored) }
        }
    }

    private static func copy(of answer: SharedSecret) throws -> Secret {
        try answer.secret.duplicate(in: try SecretArena(byteCount: PromptLimits.answerBytes))
    }
}
