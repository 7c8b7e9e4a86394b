// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Credentials.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Credentials`. Its definition describes them.
protocol CredentialsAPIServer: VarlinkInterface {
    func getStatus(_ call: TypedCall<CredentialsAPI.GetStatusCall>) async throws
    func listProviders(_ call: TypedCall<CredentialsAPI.ListProvidersCall>) async throws
    func `init`(_ call: TypedCall<CredentialsAPI.InitCall>) async throws
    func unlock(_ call: TypedCall<CredentialsAPI.UnlockCall>) async throws
    func addSlot(_ call: TypedCall<CredentialsAPI.AddSlotCall>) async throws
    func removeSlot(_ call: TypedCall<CredentialsAPI.RemoveSlotCall>) async throws
    func rewrapSlot(_ call: TypedCall<CredentialsAPI.RewrapSlotCall>) async throws
    func labelSlot(_ call: TypedCall<CredentialsAPI.LabelSlotCall>) async throws
    func changePassphrase(_ call: TypedCall<CredentialsAPI.ChangePassphraseCall>) async throws
    func rotateKey(_ call: TypedCall<CredentialsAPI.RotateKeyCall>) async throws
    func lock(_ call: TypedCall<CredentialsAPI.LockCall>) async throws
    func accept(_ call: TypedCall<CredentialsAPI.AcceptCall>) async throws
    func upgrade(_ call: TypedCall<CredentialsAPI.UpgradeCall>) async throws
    func listLogins(_ call: TypedCall<CredentialsAPI.ListLoginsCall>) async throws
    func addLogin(_ call: TypedCall<CredentialsAPI.AddLoginCall>) async throws
    func editLogin(_ call: TypedCall<CredentialsAPI.EditLoginCall>) async throws
    func testLogin(_ call: TypedCall<CredentialsAPI.TestLoginCall>) async throws
    func removeLogin(_ call: TypedCall<CredentialsAPI.RemoveLoginCall>) async throws
    func listPins(_ call: TypedCall<CredentialsAPI.ListPinsCall>) async throws
    func pinEndpoint(_ call: TypedCall<CredentialsAPI.PinEndpointCall>) async throws
    func repinEndpoint(_ call: TypedCall<CredentialsAPI.RepinEndpointCall>) async throws
    func forgetPin(_ call: TypedCall<CredentialsAPI.ForgetPinCall>) async throws
    func listAddresses(_ call: TypedCall<CredentialsAPI.ListAddressesCall>) async throws
    func addAlternate(_ call: TypedCall<CredentialsAPI.AddAlternateCall>) async throws
    func removeAlternate(_ call: TypedCall<CredentialsAPI.RemoveAlternateCall>) async throws
    func backup(_ call: TypedCall<CredentialsAPI.BackupCall>) async throws
    func restore(_ call: TypedCall<CredentialsAPI.RestoreCall>) async throws
    func export(_ call: TypedCall<CredentialsAPI.ExportCall>) async throws
    func `import`(_ call: TypedCall<CredentialsAPI.ImportCall>) async throws
}

extension CredentialsAPIServer {
    var name: String { CredentialsAPI.name }

    var description: String { CredentialsAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "GetStatus": try await self.getStatus(try TypedCall(call))
        case "ListProviders": try await self.listProviders(try TypedCall(call))
        case "Init": try await self.`init`(try TypedCall(call))
        case "Unlock": try await self.unlock(try TypedCall(call))
        case "AddSlot": try await self.addSlot(try TypedCall(call))
        case "RemoveSlot": try await self.removeSlot(try TypedCall(call))
        case "RewrapSlot": try await self.rewrapSlot(try TypedCall(call))
        case "LabelSlot": try await self.labelSlot(try TypedCall(call))
        case "ChangePassphrase": try await self.changePassphrase(try TypedCall(call))
        case "RotateKey": try await self.rotateKey(try TypedCall(call))
        case "Lock": try await self.lock(try TypedCall(call))
        case "Accept": try await self.accept(try TypedCall(call))
        case "Upgrade": try await self.upgrade(try TypedCall(call))
        case "ListLogins": try await self.listLogins(try TypedCall(call))
        case "AddLogin": try await self.addLogin(try TypedCall(call))
        case "EditLogin": try await self.editLogin(try TypedCall(call))
        case "TestLogin": try await self.testLogin(try TypedCall(call))
        case "RemoveLogin": try await self.removeLogin(try TypedCall(call))
        case "ListPins": try await self.listPins(try TypedCall(call))
        case "PinEndpoint": try await self.pinEndpoint(try TypedCall(call))
        case "RepinEndpoint": try await self.repinEndpoint(try TypedCall(call))
        case "ForgetPin": try await self.forgetPin(try TypedCall(call))
        case "ListAddresses": try await self.listAddresses(try TypedCall(call))
        case "AddAlternate": try await self.addAlternate(try TypedCall(call))
        case "RemoveAlternate": try await self.removeAlternate(try TypedCall(call))
        case "Backup": try await self.backup(try TypedCall(call))
        case "Restore": try await self.restore(try TypedCall(call))
        case "Export": try await self.export(try TypedCall(call))
        case "Import": try await self.`import`(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
