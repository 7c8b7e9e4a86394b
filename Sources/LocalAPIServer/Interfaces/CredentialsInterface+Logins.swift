// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform
import Registry
import VarlinkService

extension CredentialsInterface {
    func listLogins(_ call: TypedCall<CredentialsAPI.ListLoginsCall>) async throws {
        let (logins, missing) = await store.loginsInReach()
        if let missing, logins.isEmpty { throw missing }
        let sorted = logins.sorted { ($0.name, $0.origin.rawValue) < ($1.name, $1.origin.rawValue) }
        let isVaultThere = await store.state != .absent
        call.reply(
            .init(
                logins: try sorted.map { try CredentialsAPI.Login($0) },
                missing: isVaultThere ? missing?.description : nil
            )
        )
    }

    func addLogin(_ call: TypedCall<CredentialsAPI.AddLoginCall>) async throws {
        let endpoint = try await registry.find(call.parameters.endpoint)
        try await store.checkTrust()
        let login = try LoginRequestParameters(call.parameters)
        // A locked vault, a taken name or another server are told before anybody types a password.
        guard try await !store.logins().contains(where: { $0.name == login.name(for: endpoint) }) else {
            throw CredentialError.nameTaken(login.name(for: endpoint))
        }
        let identity = try await DaemonError.naming(endpoint.id) {
            try await broker.identity(of: endpoint, by: login.agreement.trust)
        }
        let isPinned = try await store.pinned(endpoint.id) != nil
        try login.agreement.check(identity, of: endpoint.id, isPinned: isPinned)
        let new = login.newLogin(for: endpoint, identity: identity, networkID: await connector.network(of: identity))
        try new.check()

        let password = try await secret(of: call.untyped, maximumBytes: SecretLineReader.maximumPasswordBytes)
        let isSample = password.withBytes(SamplePassword.isSame)
        if login.isTested {
            try await tryBeforeSaving(new, at: endpoint, password: password)
        }
        let added = try await store.add(new, password: password)
        await registry.remember(endpoint.id)
        call.reply(.init(login: try CredentialsAPI.Login(added), samplePassword: isSample))
    }

    func editLogin(_ call: TypedCall<CredentialsAPI.EditLoginCall>) async throws {
        let parameters = call.parameters
        let login = try await store.ownLogin(named: parameters.login)
        try await store.checkTrust()
        let edit = LoginEdit(
            name: parameters.name,
            user: parameters.user,
            domain: parameters.domain,
            schema: parameters.schema,
            userKey: try parameters.userKey.map { try UserKey(checking: $0) },
            extras: (parameters.extras ?? []).map { LoginExtra(key: $0.key, value: $0.value) }
        )
        let new = edit.applied(to: login)
        try new.check()
        guard !new.user.isEmpty else { throw CredentialsAPI.InvalidLoginError(message: "the user is empty") }
        if new.name != login.name, try await store.logins().contains(where: { $0.name == new.name }) {
            throw CredentialError.nameTaken(new.name)
        }
        let isTested = parameters.test ?? true
        guard call.untyped.wantsUpgrade else {
            if isTested, !edit.isRename { try await tryBeforeSaving(new, with: login) }
            return try await reply(
                to: call,
                await store.edit(login, edit),
                endsSessions: !edit.isRename
            )
        }
        let password = try await secret(of: call.untyped, maximumBytes: SecretLineReader.maximumPasswordBytes)
        if isTested {
            try await tryBeforeSaving(new, at: try await endpoint(of: login), password: password)
        }
        try await reply(to: call, await store.edit(login, edit, password: password), endsSessions: true)
    }

    func testLogin(_ call: TypedCall<CredentialsAPI.TestLoginCall>) async throws {
        let login = try await store.login(named: call.parameters.login)
        try await store.checkTrust()
        let steps = try await DaemonError.naming(login.endpoint) { try await broker.test(login) }
        call.reply(
            .init(
                strength: CredentialsAPI.PinStrength(login.pin.strength),
                steps: steps.map { CredentialsAPI.Step(step: $0.name, ok: $0.isOK, detail: $0.detail) },
                samplePassword: await isSample(login),
                error: steps.last?.error.map { DaemonError($0).code.rawValue }
            )
        )
    }

    /// Only a remark: where it cannot be made, what else is to be told still is.
    private func isSample(_ login: Login) async -> Bool {
        (try? await store.hasSamplePassword(login)) ?? false
    }

    func removeLogin(_ call: TypedCall<CredentialsAPI.RemoveLoginCall>) async throws {
        let login = try await store.ownLogin(named: call.parameters.login)
        try await store.remove(login.name)
        await broker.forget(login.id)
        call.reply(.init())
    }

    private func reply(
        to call: TypedCall<CredentialsAPI.EditLoginCall>,
        _ login: Login,
        endsSessions: Bool
    ) async throws {
        // The next adapter logs in as the login is now.
        if endsSessions { await broker.forget(login.id) }
        call.reply(.init(login: try CredentialsAPI.Login(login), samplePassword: await isSample(login)))
    }

    /// - Throws: `BrokerError.unreachable` where it is not in the list.
    private func endpoint(of login: Login) async throws -> Endpoint {
        guard let endpoint = await registry.endpoint(login.endpoint) else {
            throw BrokerError.unreachable(reason: "its endpoint is not in the list now")
        }
        return endpoint
    }

    /// Tries what a login would be with the password that is stored.
    private func tryBeforeSaving(_ new: NewLogin, with login: Login) async throws {
        let endpoint = try await endpoint(of: login)
        try await trying(at: endpoint) {
            try await connector.tryLogin(new, at: endpoint, audit: store.audit) { use in
                try await store.withPassword(of: login.id, pin: login.pin, use)
            }
        }
    }

    /// Tries a login with a password that is not stored.
    private func tryBeforeSaving(_ new: NewLogin, at endpoint: Endpoint, password: borrowing Secret) async throws {
        try await trying(at: endpoint) {
            try await connector.tryLogin(new, at: endpoint, audit: store.audit) { use in try password.withBytes(use) }
        }
    }

    /// A refused login that is not stored cannot be tested, only entered again.
    private func trying(at endpoint: Endpoint, _ trial: () async throws -> Void) async throws {
        try await DaemonError.naming(endpoint.id) {
            do {
                try await trial()
            } catch BrokerError.loginRejected(_, let reason) {
                throw BrokerError.newLoginRejected(endpoint: endpoint.name, reason: reason)
            }
        }
    }
}
