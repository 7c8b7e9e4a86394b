// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Credentials.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Credentials`.
protocol CredentialsAPIServer: VarlinkInterface {
    /// Returns the state of the vault. Changes nothing.
    func getStatus(_ call: TypedCall<CredentialsAPI.GetStatusCall>) async throws

    /// Tries every key provider. Takes as long as the slowest of them.
    func listProviders(_ call: TypedCall<CredentialsAPI.ListProvidersCall>) async throws

    /// Makes a vault. Secrets: the passphrase, if that is the provider; then the text of the recovery code, which the caller
    /// has made, if recoveryCode is true. Without any secret it is a plain call.
    func `init`(_ call: TypedCall<CredentialsAPI.InitCall>) async throws

    /// Unlocks the vault. If it is already unlocked, checks whether the secret still opens it. Secret: the passphrase or the
    /// text of the recovery code. A plain call uses a provider that stores a key outside: provider, otherwise the first that
    /// has a slot. Without provider the secret is a passphrase.
    func unlock(_ call: TypedCall<CredentialsAPI.UnlockCall>) async throws

    /// Adds a key slot to the open vault. provider, label, insecureKeyFile and the secret are those of Init. For
    /// recovery-code the secret is the text of a code that the caller has made.
    func addSlot(_ call: TypedCall<CredentialsAPI.AddSlotCall>) async throws

    /// Removes a key slot, together with the previous version of the file and the key that its provider stores. Other copies
    /// of the file still open with it.
    func removeSlot(_ call: TypedCall<CredentialsAPI.RemoveSlotCall>) async throws

    /// Wraps the vault's key again for the same secret, with the current scrypt cost. slot is the ID or the label of a slot.
    /// Secret: the passphrase or recovery code of that slot; a plain call for other slots.
    func rewrapSlot(_ call: TypedCall<CredentialsAPI.RewrapSlotCall>) async throws

    /// Renames a slot. slot is its ID or its current label, label is the new one.
    func labelSlot(_ call: TypedCall<CredentialsAPI.LabelSlotCall>) async throws

    /// Changes a passphrase; the slot stays. Secrets: the old passphrase, then the new one.
    func changePassphrase(_ call: TypedCall<CredentialsAPI.ChangePassphraseCall>) async throws

    /// Replaces the vault's data key and seals all secrets again. Every slot with a passphrase or a recovery code must be in
    /// present or in drop. A plain call if present is empty.
    func rotateKey(_ call: TypedCall<CredentialsAPI.RotateKeyCall>) async throws

    /// Locks the vault: wipes the keys and closes the sessions that used them.
    func lock(_ call: TypedCall<CredentialsAPI.LockCall>) async throws

    /// Accepts the vault's file although it is suspected. The vault must be unlocked. generation is that of the file, as in
    /// Anchor.found.
    func accept(_ call: TypedCall<CredentialsAPI.AcceptCall>) async throws

    /// Converts the file to a format that this daemon writes. Each save uses the lowest format that can store the content of
    /// the vault, so today nothing is changed. A file of a later format is an error.
    func upgrade(_ call: TypedCall<CredentialsAPI.UpgradeCall>) async throws

    /// Returns all logins, sorted by name. Unless the vault is unlocked, only the configured ones; an error if there are
    /// none.
    func listLogins(_ call: TypedCall<CredentialsAPI.ListLoginsCall>) async throws

    /// Adds a login. Secret: the password, unless passwordCommand is given, which makes it a plain call.
    func addLogin(_ call: TypedCall<CredentialsAPI.AddLoginCall>) async throws

    /// Changes a login and closes its sessions. An absent parameter changes nothing. If only the name changes, the login is
    /// not tried and its sessions stay. Secret, if it is called with "upgrade": the new password, which also replaces a
    /// command.
    func editLogin(_ call: TypedCall<CredentialsAPI.EditLoginCall>) async throws

    /// Tests a login: connects, checks the pin, logs in and out. A login that the server refused before may be sent again.
    func testLogin(_ call: TypedCall<CredentialsAPI.TestLoginCall>) async throws

    /// Removes a login from the vault, which must be unlocked. login is its name.
    func removeLogin(_ call: TypedCall<CredentialsAPI.RemoveLoginCall>) async throws

    /// Returns all pins, ordered by endpoint. The vault must be unlocked.
    func listPins(_ call: TypedCall<CredentialsAPI.ListPinsCall>) async throws

    /// Pins an endpoint without a login. pin, trust and allowPlaintext are as in AddLogin.
    func pinEndpoint(_ call: TypedCall<CredentialsAPI.PinEndpointCall>) async throws

    /// Binds an endpoint and its logins to its current identity, and closes the sessions of those logins. pin, trust and
    /// allowPlaintext are as in AddLogin.
    func repinEndpoint(_ call: TypedCall<CredentialsAPI.RepinEndpointCall>) async throws

    /// Removes the pin of an endpoint.
    func forgetPin(_ call: TypedCall<CredentialsAPI.ForgetPinCall>) async throws

    /// Returns the addresses of an endpoint, its own first. The endpoint must have a pin, and the vault must be unlocked.
    func listAddresses(_ call: TypedCall<CredentialsAPI.ListAddressesCall>) async throws

    /// Adds another address of an endpoint that has a pin, or replaces the one with this URL, and closes the sessions of its
    /// logins. An endpoint has up to 8 of them.
    func addAlternate(_ call: TypedCall<CredentialsAPI.AddAlternateCall>) async throws

    /// Removes an alternate address, and closes the sessions of the endpoint's logins. url is the one in Address.
    func removeAlternate(_ call: TypedCall<CredentialsAPI.RemoveAlternateCall>) async throws

    /// Returns the vault's file unchanged, after decrypting it once to check that it is intact.
    func backup(_ call: TypedCall<CredentialsAPI.BackupCall>) async throws

    /// Restores a vault from a file and unlocks it. Endpoints that are not in the list are added. No password command in it
    /// runs before the user has agreed to it by EditLogin. Secrets: the passphrase or
    /// the text of the recovery code, if that is the provider; then the file, in chunks of up to 65,536 bytes; then an empty
    /// chunk.
    func restore(_ call: TypedCall<CredentialsAPI.RestoreCall>) async throws

    /// Makes another vault with the same logins, which opens only with one passphrase. Secret: that passphrase.
    func export(_ call: TypedCall<CredentialsAPI.ExportCall>) async throws

    /// Adds the logins of another vault. It replaces nothing. Secrets: those of Restore.
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
