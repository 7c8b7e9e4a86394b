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
    let uploads = UploadGate()

    private var pins: PinMethods {
        PinMethods(registry: registry, store: store, broker: broker, connector: connector)
    }

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
            case "EditLogin": try await editLogin(call)
            case "TestLogin": try await testLogin(call)
            case "RemoveLogin": try await removeLogin(call)
            case "ListPins": try await pins.listPins(call)
            case "PinEndpoint": try await pins.pinEndpoint(call)
            case "RepinEndpoint": try await pins.repinEndpoint(call)
            case "ForgetPin": try await pins.forgetPin(call)
            case "Backup": try await backUp(call)
            case "Restore": try await restore(call)
            case "Export": try await export(call)
            case "Import": try await importLogins(call)
            default: throw VarlinkError.methodNotImplemented(call.method)
            }
        }
    }

    // MARK: The vault

    private func getStatus(_ call: VarlinkCall) async throws {
        await store.refresh()
        try await replyWithVault(call)
    }

    func replyWithVault(_ call: VarlinkCall, note: String? = nil) async throws {
        var reply: JSONObject = ["vault": .object(VaultRecord(await store.status).json)]
        if let note { reply["note"] = .string(note) }
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
}
