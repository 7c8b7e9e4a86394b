// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Credentials.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Credentials`.
protocol CredentialsAPIServer: VarlinkInterface {
    /// The vault as it is; reads it and changes nothing.
    func getStatus(_ call: TypedCall<CredentialsAPI.GetStatusCall>) async throws

    /// Tries every key provider, which takes as long as the slowest of them, and says what to propose.
    func listProviders(_ call: TypedCall<CredentialsAPI.ListProvidersCall>) async throws

    /// Makes a vault. provider is what opens it: passphrase (secret: the passphrase), or one that keeps a key outside, of
    /// which key-file also needs insecureKeyFile. With recoveryCode the vault gets a second slot, and the last secret is the
    /// text of the code, which the caller has made. Without either secret it is a plain call. label names the first slot.
    func `init`(_ call: TypedCall<CredentialsAPI.InitCall>) async throws

    /// Unlocks the vault, or sees whether a secret still opens it while it is unlocked. provider is passphrase, which is
    /// meant where it is left out, or recovery-code. Secret: the passphrase or the text of the code. A plain call asks a
    /// provider that keeps a key outside: the one that is named, else the first of which the vault has a slot.
    func unlock(_ call: TypedCall<CredentialsAPI.UnlockCall>) async throws

    /// Gives the open vault one more key slot. provider, the secret, label and insecureKeyFile are those of Init; for
    /// recovery-code the secret is the text of a code that the caller has made.
    func addSlot(_ call: TypedCall<CredentialsAPI.AddSlotCall>) async throws

    /// Removes a key slot, the copy of the file before it, and what its provider keeps. Other copies of the file still open
    /// with it. force also removes the last slot that opens the vault on another machine. note says what could not be done.
    func removeSlot(_ call: TypedCall<CredentialsAPI.RemoveSlotCall>) async throws

    /// Wraps the vault's key anew for the secret that a slot has, at the scrypt cost of today. Secret: that passphrase, or
    /// the text of that recovery code; a plain call for all other slots.
    func rewrapSlot(_ call: TypedCall<CredentialsAPI.RewrapSlotCall>) async throws

    /// Names a slot. slot is its id, or the label that it had; label is the new one.
    func labelSlot(_ call: TypedCall<CredentialsAPI.LabelSlotCall>) async throws

    /// Secrets: the old passphrase, then the new one, which takes the old one's slot.
    func changePassphrase(_ call: TypedCall<CredentialsAPI.ChangePassphraseCall>) async throws

    /// Gives the vault a new data key and seals all secrets anew. present names the slots whose secrets come, in this order;
    /// drop names those that go. Every slot with a passphrase or a recovery code is in one of them. A plain call if present
    /// is empty. force and note are those of RemoveSlot.
    func rotateKey(_ call: TypedCall<CredentialsAPI.RotateKeyCall>) async throws

    /// Wipes the keys and ends the sessions that used them.
    func lock(_ call: TypedCall<CredentialsAPI.LockCall>) async throws

    /// Takes the vault's file as it is, although it is older than what is remembered or does not descend from it. generation
    /// is that of the file, which GetStatus tells in "found". Needs an unlocked vault.
    func accept(_ call: TypedCall<CredentialsAPI.AcceptCall>) async throws

    /// Brings the file to a format that this daemon writes. Each save takes the lowest that holds what is in the vault, so
    /// nothing is changed, and a file of a later format is an error.
    func upgrade(_ call: TypedCall<CredentialsAPI.UpgradeCall>) async throws

    /// All logins, by name. Without an unlocked vault only the configured ones, where there are any, and why those of the
    /// vault are missing.
    func listLogins(_ call: TypedCall<CredentialsAPI.ListLoginsCall>) async throws

    /// Secret: the password. pin is the fingerprint that the user was shown (Registry.GetIdentity, with the same trust) and
    /// accepted; it must still be the endpoint's. userKey is "User Id", the default, or "User". allowPlaintext permits the password to cross the network unencrypted to exactly that
    /// address. Unless test is false, the login is tried before it is saved. samplePassword warns that the password is the one
    /// of the vendor's documented accounts. Without name it is user@endpoint/domain/schema, without what is left out; domain
    /// and schema are what the server wants beside the user, if it does.
    func addLogin(_ call: TypedCall<CredentialsAPI.AddLoginCall>) async throws

    /// Changes a login; absent members stay as they are. Of extras those that are given are set, and an empty value takes one
    /// away. Secret, when called with "upgrade": the new password. Unless test is false or only the name changes, the login is
    /// tried before it is saved. Sessions of the login end, unless only the name changes. userKey, user, domain, schema and samplePassword are those of AddLogin.
    func editLogin(_ call: TypedCall<CredentialsAPI.EditLoginCall>) async throws

    /// Connects, proves the pin, logs in and out. Also permits a login again that the server refused before. error is the
    /// name of the error that ended it, where a step failed; tier is that of the pin. steps are those that were tried;
    /// samplePassword is that of AddLogin.
    func testLogin(_ call: TypedCall<CredentialsAPI.TestLoginCall>) async throws

    /// Forgets a login of the vault by its name. Needs an unlocked vault.
    func removeLogin(_ call: TypedCall<CredentialsAPI.RemoveLoginCall>) async throws

    /// All pins, by endpoint. Needs an unlocked vault.
    func listPins(_ call: TypedCall<CredentialsAPI.ListPinsCall>) async throws

    /// Pins an endpoint without a login. pin, trust and allowPlaintext are as in AddLogin.
    func pinEndpoint(_ call: TypedCall<CredentialsAPI.PinEndpointCall>) async throws

    /// Binds an endpoint and its logins to the identity that it shows now, which the user was shown and accepted. Sessions of
    /// the logins end. pin, trust and allowPlaintext are as in AddLogin.
    func repinEndpoint(_ call: TypedCall<CredentialsAPI.RepinEndpointCall>) async throws

    /// Forgets what an endpoint is pinned to. While logins are bound to it this is refused, unless logins is true: then they
    /// are removed too. The reply names the logins that were removed.
    func forgetPin(_ call: TypedCall<CredentialsAPI.ForgetPinCall>) async throws

    /// The vault's file as it is, decrypted once to prove that it is whole. file is base64. sha256 is that of its bytes, in
    /// hexadecimal digits; generation and logins are those of the vault.
    func backup(_ call: TypedCall<CredentialsAPI.BackupCall>) async throws

    /// Puts a vault where there is none, or with replace in the place of the one that is here, and unlocks it; makes the
    /// entries of its endpoints again where they are not known; note says where that failed. provider is what opens it:
    /// passphrase or recovery-code (secret), or one that keeps a key outside. The file follows, after the secret, in pieces
    /// of up to 65,536 bytes, each behind its length like a secret; an empty piece ends it.
    func restore(_ call: TypedCall<CredentialsAPI.RestoreCall>) async throws

    /// Another vault with the same logins, which opens with one passphrase and nothing else. Secret: that passphrase. file,
    /// sha256, generation and logins are those of Backup.
    func export(_ call: TypedCall<CredentialsAPI.ExportCall>) async throws

    /// Takes in the logins of a vault from elsewhere; replaces nothing. provider, secret and file are as with Restore. dryRun
    /// tells what would become of each login, and changes nothing. note is that of Restore.
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
        case "Backup": try await self.backup(try TypedCall(call))
        case "Restore": try await self.restore(try TypedCall(call))
        case "Export": try await self.export(try TypedCall(call))
        case "Import": try await self.`import`(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
