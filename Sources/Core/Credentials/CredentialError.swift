// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// An error of the vault. No case contains a secret.
package enum CredentialError: Error, Hashable, CustomStringConvertible {
    case noVault(path: String)
    /// The file of a vault of this machine is gone.
    ///
    /// - Parameter copy: the file before the last save, if it is there.
    case fileMissing(path: String, copy: String?)
    case vaultExists(path: String)
    /// The vault has not been unlocked since the start, or it was locked by the user or by a timer.
    case locked
    case notAVault
    case versionTooNew(major: Int, minor: Int)
    /// An imported vault has a passphrase slot with scrypt N = 2^log2N. This machine derives up to 2^limit.
    case tooCostly(log2N: UInt8, limit: UInt8)
    /// The content of the file was changed outside this program, for example by a disk fault, an editor or an attacker.
    /// A wrong key never causes this error.
    case damaged(VaultDamage)
    /// The file is intact, but the passphrase or key is not one that opens it.
    case wrongKey
    case providerUnavailable(KeyProviderKind, ProviderFault)
    /// Another process kept the vault's lock for longer than we wait.
    case storeBusy(holder: String)
    case unsafePermissions(path: String, reason: String, fix: String)
    /// The file is intact, and older than the last known save.
    case rollbackSuspected(found: UInt64, known: UInt64)
    /// The file is intact, and does not descend from the last known save.
    case forkSuspected(generation: UInt64)
    /// The file has another generation than the one that the user wanted to accept.
    case wrongGeneration(asked: UInt64, found: UInt64)
    /// Another process changed the file, and the change of this process cannot be applied to it.
    case conflict(reason: String)
    case full(VaultContent, limit: Int)
    case nameTaken(String)
    case noSuchLogin(String)
    /// Several logins have a name that begins so; their names.
    case loginNameAmbiguous(String, candidates: [String])
    /// No key slot has this id or label.
    case noSuchSlot(String)
    case slotAmbiguous(String, candidates: [String])
    /// Without the slot nothing would open the vault, or nothing that works on another machine.
    case slotNeeded(String, canBeForced: Bool)
    /// The secret of this slot must be provided, or the slot must be dropped by name.
    case slotNotPresented(String)
    /// A vault has at most one slot of each kind whose secret is stored outside.
    case slotExists(KeyProviderKind)
    /// The administrator configured the login. The user cannot change it.
    case loginIsConfigured(String)
    /// The file of a configured login has changed since the start.
    case configuredLoginLost(String, reason: String)
    /// The command for the password of a login has not printed one.
    case passwordCommandFailed(String, SecretCommand.Failure, isEarlier: Bool = false)
    /// The user has not agreed to the login's command on this machine.
    case commandNotAgreed(String)
    /// The server shows another identity than the one that the logins of the endpoint are bound to.
    case pinMismatch(EndpointID)
    /// The endpoint has no pin.
    case notPinned(EndpointID)
    /// The logins with these names need the endpoint's pin.
    case loginsBound(EndpointID, names: [String])
    /// The endpoint's pin was imported, and the user has not verified it on this machine.
    case pinUnverified(EndpointID)
    case invalid(field: String, reason: String)
    /// Only one passphrase is tried at a time.
    case attemptInProgress
    case storage(PlatformError)
    /// The audit log could not be written. The action that it should have recorded was not done.
    case auditUnavailable(PlatformError)

    /// Makes an error. The cases that the user can repair remain distinct.
    init(_ error: PlatformError) {
        switch error {
        case .unsafePermissions(let path, let reason, let fix):
            self = .unsafePermissions(path: path, reason: reason, fix: fix)
        case .tooLarge:
            self = .damaged(.size)
        case .notARecoveryCode(let reason):
            self = .invalid(field: "the recovery code", reason: reason)
        default:
            self = .storage(error)
        }
    }

    /// The error as a fragment of a sentence.
    package var description: String {
        switch self {
        case .noVault(let path): "there is no vault at '\(path)'"
        case .fileMissing(let path, let copy?):
            "the vault's file '\(path)' is missing; '\(copy)' is the file before its last save"
        case .fileMissing(let path, nil): "the vault's file '\(path)' is missing, and there is no copy beside it"
        case .vaultExists(let path): "a vault already exists at '\(path)'"
        case .locked: "the vault is locked"
        case .notAVault: "the file is not a vault"
        case .versionTooNew(let major, let minor): "the vault has format \(major).\(minor), newer than this program"
        case .tooCostly(let log2N, let limit):
            "a passphrase of the file costs more than this machine accepts from a copy: scrypt N = 2^\(log2N), at most 2^\(limit)"
        case .damaged(let damage): "the vault is damaged (\(damage))"
        case .wrongKey: "the passphrase or key does not open the vault"
        case .providerUnavailable(let kind, let fault): "key provider \(kind) is unavailable: \(fault)"
        case .storeBusy(let holder): "the vault is in use by \(holder)"
        case .unsafePermissions(let path, let reason, let fix): "\(ShellWord.quote(path)) \(reason); try: \(fix)"
        case .rollbackSuspected(let found, let known):
            "the vault may be older than the last one saved: its generation is \(found), but generation \(known) was recorded"
        case .forkSuspected(let generation):
            "the vault is not the last one saved: its generation \(generation) differs from the recorded one"
        case .wrongGeneration(let asked, let found): "the vault has generation \(found), not \(asked)"
        case .conflict(let reason): "the vault was changed by another program: \(reason)"
        case .full(let content, let limit): "the vault cannot hold more than \(limit) \(content)"
        case .nameTaken(let name): "a login named '\(Printable(name))' already exists"
        case .noSuchLogin(let name): "there is no login named '\(Printable(name))'"
        case .loginNameAmbiguous(let name, let candidates):
            "'\(Printable(name))' may be one of several logins: "
                + candidates.map { "\(Printable($0))" }.joined(separator: ", ")
        case .noSuchSlot(let name): "the vault has no key slot '\(Printable(name))'"
        case .slotAmbiguous(let name, let candidates):
            "several key slots have the name '\(Printable(name))': \(candidates.joined(separator: ", "))"
        case .slotNeeded(let reason, _): "the key slot was not removed: \(reason)"
        case .slotNotPresented(let slot): "the secret of key slot \(slot) is missing"
        case .slotExists(let kind): "the vault already has a key slot of kind \(kind)"
        case .loginIsConfigured(let name):
            "login '\(Printable(name))' was configured by the administrator of this machine"
        case .configuredLoginLost(let name, let reason): "the file of login '\(Printable(name))': \(reason)"
        case .passwordCommandFailed(let name, let failure, let isEarlier):
            "the password command of login '\(Printable(name))' \(failure.text)"
                + (isEarlier ? "; it was not run again, because that was less than 5 seconds ago" : "")
        case .commandNotAgreed(let name):
            "the password command of login '\(Printable(name))' is not agreed to on this machine"
        case .pinMismatch(let endpoint): "endpoint \(endpoint) has another identity than its logins are bound to"
        case .notPinned(let endpoint): "endpoint \(endpoint) is not pinned"
        case .loginsBound(let endpoint, let names):
            "logins are bound to endpoint \(endpoint): \(names.map { "\(Printable($0))" }.joined(separator: ", "))"
        case .pinUnverified(let endpoint): "endpoint \(endpoint) has an imported identity that is not verified"
        case .invalid(let field, let reason): "\(field) \(reason)"
        case .attemptInProgress: "another unlock is in progress"
        case .storage(let error): error.description
        case .auditUnavailable(let error): "the audit log cannot be written, and nothing was done: \(error)"
        }
    }
}

extension ProviderFault {
    /// The fault of a provider that threw this error.
    init(of error: CredentialError) {
        if case .providerUnavailable(_, let fault) = error {
            self = fault
        } else {
            self.init(code: .error, detail: "\(error)")
        }
    }
}

/// A kind of content of which a vault holds a limited amount.
package enum VaultContent: Sendable, Hashable, CustomStringConvertible {
    case logins
    case pins
    case slots
    case bytes

    /// The content as a plural noun.
    package var description: String {
        switch self {
        case .logins: "logins"
        case .pins: "pinned endpoints"
        case .slots: "key slots"
        case .bytes: "bytes"
        }
    }
}

/// Makes a call into `Platform`, and converts its error to `CredentialError`.
func translated<R: ~Copyable>(_ call: @autoclosure () throws(PlatformError) -> R) throws(CredentialError) -> R {
    try translating(call)
}

/// Makes several calls into `Platform`, and converts their errors to `CredentialError`.
func translating<R: ~Copyable>(_ body: () throws(PlatformError) -> R) throws(CredentialError) -> R {
    do throws(PlatformError) {
        return try body()
    } catch {
        throw CredentialError(error)
    }
}
