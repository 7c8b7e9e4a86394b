// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import JSON
import LocalAPI
import Platform
import Registry
import Varlink
import VarlinkService

/// `org.relativityd.Credentials`.
struct CredentialsInterface: VarlinkInterface {
    let name = "org.relativityd.Credentials"
    let description = InterfaceText.credentials
    let registry: EndpointRegistry
    let store: CredentialStore
    let broker: ConnectionBroker
    let connector: ServerConnector

    func call(_ call: VarlinkCall) async throws {
        try await APIError.translating {
            switch call.method {
            case "GetStatus": try await getStatus(call)
            case "ListProviders": try await listProviders(call)
            case "Init": try await makeVault(call)
            case "Unlock": try await unlock(call)
            case "AddSlot": try await addSlot(call)
            case "RemoveSlot": try await removeSlot(call)
            case "RewrapSlot": try await rewrapSlot(call)
            case "LabelSlot": try await labelSlot(call)
            case "ChangePassphrase": try await changePassphrase(call)
            case "RotateKey": try await rotateKey(call)
            case "Lock": try await lock(call)
            case "Accept": try await accept(call)
            case "Upgrade": try await upgrade(call)
            case "ListLogins": try await listLogins(call)
            case "AddLogin": try await addLogin(call)
            case "TestLogin": try await testLogin(call)
            case "RemoveLogin": try await removeLogin(call)
            default: throw VarlinkError.methodNotImplemented(call.method)
            }
        }
    }

    // MARK: The vault

    private func getStatus(_ call: VarlinkCall) async throws {
        await store.refresh()
        try await replyWithVault(call)
    }

    func replyWithVault(_ call: VarlinkCall, note: CredentialError? = nil) async throws {
        var reply: JSONObject = ["vault": .object(VaultRecord(await store.status).json)]
        if let note { reply["note"] = .string(note.reason) }
        call.reply(reply)
    }

    private func lock(_ call: VarlinkCall) async throws {
        await store.lock()
        try await replyWithVault(call)
    }

    private func accept(_ call: VarlinkCall) async throws {
        let generation = try call.parameters.integer("generation")
        guard let generation = UInt64(exactly: generation) else { throw VarlinkError.invalidParameter("generation") }
        try await store.accept(generation: generation)
        try await replyWithVault(call)
    }

    private func upgrade(_ call: VarlinkCall) async throws {
        try await store.upgrade()
        try await replyWithVault(call)
    }

    func secret(of call: VarlinkCall, maximumBytes: Int) async throws -> Secret {
        let arena = try SecretArena(byteCount: SecretLineReader.maximumPasswordBytes)
        return try await call.upgraded(maximumBytes: maximumBytes) { bytes in
            try Secret(copying: bytes, in: arena)
        }
    }

    // MARK: Logins

    private func listLogins(_ call: VarlinkCall) async throws {
        let (logins, missing) = await store.loginsInReach
        if let missing, logins.isEmpty { throw missing }
        let sorted = logins.sorted { ($0.name, $0.origin.rawValue) < ($1.name, $1.origin.rawValue) }
        var reply: JSONObject = ["logins": .array(try sorted.map { .object(try LoginRecord($0).json) })]
        if let missing, await store.state != .absent { reply["missing"] = .string(missing.description) }
        call.reply(reply)
    }

    private func addLogin(_ call: VarlinkCall) async throws {
        let parameters = call.parameters
        let endpoint = try await registry.find(try parameters.string("endpoint"))
        try await store.checkTrust()
        let login = try LoginRequestParameters(parameters)
        // A locked vault, a taken name or another server are told before anybody types a password.
        guard try await !store.logins().contains(where: { $0.name == login.name(for: endpoint) }) else {
            throw CredentialError.nameTaken(login.name(for: endpoint))
        }
        let identity = try await broker.identity(of: endpoint)
        try login.checkAgreement(on: identity)
        let new = login.newLogin(for: endpoint, identity: identity, networkID: connector.currentNetworkID())
        try new.check()

        let password = try await secret(of: call, maximumBytes: SecretLineReader.maximumPasswordBytes)
        if login.isTested {
            let binding = LoginBinding(new)
            let steps = await connector.tryLogin(to: endpoint, binding: binding, named: new.name) { clientID in
                try password.withBytes { bytes in
                    try new.request(to: endpoint.services.login, password: bytes, for: clientID)
                }
            }
            if let error = steps.last?.error, steps.last?.name != "logout" { throw Self.refusal(error) }
        }
        let added = try await store.add(new, password: password)
        call.reply(["login": .object(try LoginRecord(added).json)])
    }

    /// A login that was never stored can only be typed again.
    private static func refusal(_ error: BrokerError) -> APIError {
        var refusal = APIError(error)
        if refusal.code == .loginRejected {
            refusal.hint = "nothing was saved: check user, password, domain and schema"
        }
        return refusal
    }

    private func testLogin(_ call: VarlinkCall) async throws {
        let login = try await store.login(named: try call.parameters.string("login"))
        try await store.checkTrust(in: login)
        let steps = try await broker.test(login)
        var reply: JSONObject = [
            "steps": .array(steps.map { .object(StepRecord(step: $0.name, ok: $0.isOK, detail: $0.detail).json) })
        ]
        reply["error"] = steps.last?.error.map { .string(APIError($0).code.rawValue) }
        call.reply(reply)
    }

    private func removeLogin(_ call: VarlinkCall) async throws {
        let login = try await store.ownLogin(named: try call.parameters.string("login"))
        try await store.remove(login.name)
        await broker.forget(login.id)
        call.reply()
    }
}
