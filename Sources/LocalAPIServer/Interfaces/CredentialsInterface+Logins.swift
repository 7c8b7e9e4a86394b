// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
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
        var login = try RequestedLogin(call)
        let added = try await refusing(at: endpoint.id) { try await enrolment.add(to: endpoint, from: &login) }
        call.reply(.init(login: try CredentialsAPI.Login(added), samplePassword: await isSample(added)))
    }

    func editLogin(_ call: TypedCall<CredentialsAPI.EditLoginCall>) async throws {
        let parameters = call.parameters
        let login = try await store.ownLogin(named: parameters.login)
        let edit = LoginEdit(
            name: parameters.name,
            user: parameters.user,
            domain: parameters.domain,
            schema: parameters.schema,
            userKey: try parameters.userKey.map { try UserKey(checking: $0) },
            extras: (parameters.extras ?? []).map { LoginExtra(key: $0.key, value: $0.value) }
        )
        guard !(edit.user ?? login.user).isEmpty else {
            throw CredentialsAPI.InvalidLoginError(message: "the user is empty")
        }
        let isTried = parameters.test ?? true
        let changed = try await refusing(at: login.endpoint) {
            guard call.untyped.wantsUpgrade else { return try await enrolment.change(login, edit, isTried: isTried) }
            var password = RequestedPassword(isTried: isTried, call: call.untyped)
            return try await enrolment.change(login, edit, from: &password)
        }
        call.reply(.init(login: try CredentialsAPI.Login(changed), samplePassword: await isSample(changed)))
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

    /// A refused login that is not stored cannot be tested, only entered again.
    private func refusing<Value>(at endpoint: EndpointID, _ body: () async throws -> Value) async throws -> Value {
        try await DaemonError.naming(endpoint) {
            do {
                return try await body()
            } catch BrokerError.loginRejected(_, let reason) {
                let name = await registry.endpoint(endpoint)?.name
                throw BrokerError.newLoginRejected(endpoint: name ?? endpoint.text, reason: reason)
            }
        }
    }
}
