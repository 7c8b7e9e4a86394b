// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.relativityd.Manager
// org.relativityd.Registry
// org.relativityd.Credentials
// org.relativityd.Broker
// org.relativityd.Audit

public import JSON
public import Varlink

/// An error of one of the interfaces. Their definitions describe them.
public struct DaemonError: VarlinkFault {
    public enum Code: String, Sendable, CaseIterable {
        case failed = "org.relativityd.Manager.Failed"
        case notPermitted = "org.relativityd.Manager.NotPermitted"
        case endpointNotFound = "org.relativityd.Registry.EndpointNotFound"
        case endpointAmbiguous = "org.relativityd.Registry.EndpointAmbiguous"
        case invalidEndpoint = "org.relativityd.Registry.InvalidEndpoint"
        case endpointExists = "org.relativityd.Registry.EndpointExists"
        case endpointNotManual = "org.relativityd.Registry.EndpointNotManual"
        case listFull = "org.relativityd.Registry.ListFull"
        case listTooNew = "org.relativityd.Registry.ListTooNew"
        case notSaved = "org.relativityd.Registry.NotSaved"
        case watcherTooSlow = "org.relativityd.Registry.WatcherTooSlow"
        case tooManyWatchers = "org.relativityd.Registry.TooManyWatchers"
        case vaultAbsent = "org.relativityd.Credentials.VaultAbsent"
        case vaultLocked = "org.relativityd.Credentials.VaultLocked"
        case vaultExists = "org.relativityd.Credentials.VaultExists"
        case wrongKey = "org.relativityd.Credentials.WrongKey"
        case vaultDamaged = "org.relativityd.Credentials.VaultDamaged"
        case formatTooNew = "org.relativityd.Credentials.FormatTooNew"
        case rollbackSuspected = "org.relativityd.Credentials.RollbackSuspected"
        case forkSuspected = "org.relativityd.Credentials.ForkSuspected"
        case wrongGeneration = "org.relativityd.Credentials.WrongGeneration"
        case providerUnavailable = "org.relativityd.Credentials.ProviderUnavailable"
        case storeBusy = "org.relativityd.Credentials.StoreBusy"
        case vaultChanged = "org.relativityd.Credentials.VaultChanged"
        case attemptInProgress = "org.relativityd.Credentials.AttemptInProgress"
        case unsafeStore = "org.relativityd.Credentials.UnsafeStore"
        case storageFailed = "org.relativityd.Credentials.StorageFailed"
        case diskFull = "org.relativityd.Credentials.DiskFull"
        case vaultFull = "org.relativityd.Credentials.VaultFull"
        case copyTooCostly = "org.relativityd.Credentials.CopyTooCostly"
        case slotNotFound = "org.relativityd.Credentials.SlotNotFound"
        case slotAmbiguous = "org.relativityd.Credentials.SlotAmbiguous"
        case slotNeeded = "org.relativityd.Credentials.SlotNeeded"
        case slotExists = "org.relativityd.Credentials.SlotExists"
        case slotNotPresented = "org.relativityd.Credentials.SlotNotPresented"
        case loginNotFound = "org.relativityd.Credentials.LoginNotFound"
        case loginNameAmbiguous = "org.relativityd.Credentials.LoginNameAmbiguous"
        case loginExists = "org.relativityd.Credentials.LoginExists"
        case loginReadOnly = "org.relativityd.Credentials.LoginReadOnly"
        case loginFileChanged = "org.relativityd.Credentials.LoginFileChanged"
        case passwordCommandFailed = "org.relativityd.Credentials.PasswordCommandFailed"
        case passwordCommandNotAgreed = "org.relativityd.Credentials.PasswordCommandNotAgreed"
        case invalidLogin = "org.relativityd.Credentials.InvalidLogin"
        case pinNotFound = "org.relativityd.Credentials.PinNotFound"
        case loginsBound = "org.relativityd.Credentials.LoginsBound"
        case plaintextNotAllowed = "org.relativityd.Credentials.PlaintextNotAllowed"
        case loginNeeded = "org.relativityd.Broker.LoginNeeded"
        case loginAmbiguous = "org.relativityd.Broker.LoginAmbiguous"
        case loginUnclear = "org.relativityd.Broker.LoginUnclear"
        case loginElsewhere = "org.relativityd.Broker.LoginElsewhere"
        case loginRejected = "org.relativityd.Broker.LoginRejected"
        case newLoginRejected = "org.relativityd.Broker.NewLoginRejected"
        case reloginBlocked = "org.relativityd.Broker.ReloginBlocked"
        case endpointUnreachable = "org.relativityd.Broker.EndpointUnreachable"
        case identityConflict = "org.relativityd.Broker.IdentityConflict"
        case identityUnverified = "org.relativityd.Broker.IdentityUnverified"
        case identityChanged = "org.relativityd.Broker.IdentityChanged"
        case ownerUnknown = "org.relativityd.Broker.OwnerUnknown"
        case noAuthority = "org.relativityd.Broker.NoAuthority"
        case serverException = "org.relativityd.Broker.ServerException"
        case protocolFailure = "org.relativityd.Broker.ProtocolFailure"
        case adapterNotFound = "org.relativityd.Broker.AdapterNotFound"
        case adapterClosed = "org.relativityd.Broker.AdapterClosed"
        case tooManyAdapters = "org.relativityd.Broker.TooManyAdapters"
        case socketFailed = "org.relativityd.Broker.SocketFailed"
        case grantNotFound = "org.relativityd.Broker.GrantNotFound"
        case invalidGrant = "org.relativityd.Broker.InvalidGrant"
        case grantsOnly = "org.relativityd.Broker.GrantsOnly"
        case sessionExportOff = "org.relativityd.Broker.SessionExportOff"
        case logUnavailable = "org.relativityd.Audit.LogUnavailable"
    }

    public enum Stream: String, JSONWord {
        case endpoints, adapters
    }

    public enum Content: String, JSONWord {
        case logins, pins, slots, settings, grants, bytes
    }

    public enum Reason: String, JSONWord {
        case notStarted, exited, killed, timeout, invalid
    }

    public let code: Code
    public let parameters: JSONObject

    public init(_ code: Code, _ parameters: JSONObject) {
        self.code = code
        self.parameters = parameters
    }
}

extension DaemonError {
    public static func failed(message: String) -> DaemonError {
        DaemonError(.failed, ("message", message))
    }
    public static func notPermitted(message: String) -> DaemonError {
        DaemonError(.notPermitted, ("message", message))
    }
    public static func endpointNotFound(message: String, endpoint: String) -> DaemonError {
        DaemonError(.endpointNotFound, ("message", message), ("endpoint", endpoint))
    }
    public static func endpointAmbiguous(message: String, endpoint: String, candidates: [String]) -> DaemonError {
        DaemonError(.endpointAmbiguous, ("message", message), ("endpoint", endpoint), ("candidates", candidates))
    }
    public static func invalidEndpoint(message: String) -> DaemonError {
        DaemonError(.invalidEndpoint, ("message", message))
    }
    public static func endpointExists(message: String, name: String) -> DaemonError {
        DaemonError(.endpointExists, ("message", message), ("name", name))
    }
    public static func endpointNotManual(message: String, name: String) -> DaemonError {
        DaemonError(.endpointNotManual, ("message", message), ("name", name))
    }
    public static func listFull(message: String, limit: Int64) -> DaemonError {
        DaemonError(.listFull, ("message", message), ("limit", limit))
    }
    public static func listTooNew(message: String) -> DaemonError {
        DaemonError(.listTooNew, ("message", message))
    }
    public static func notSaved(message: String) -> DaemonError {
        DaemonError(.notSaved, ("message", message))
    }
    public static func watcherTooSlow(message: String, stream: Stream) -> DaemonError {
        DaemonError(.watcherTooSlow, ("message", message), ("stream", stream))
    }
    public static func tooManyWatchers(message: String, limit: Int64) -> DaemonError {
        DaemonError(.tooManyWatchers, ("message", message), ("limit", limit))
    }
    public static func vaultAbsent(message: String, path: String) -> DaemonError {
        DaemonError(.vaultAbsent, ("message", message), ("path", path))
    }
    public static func vaultLocked(message: String) -> DaemonError {
        DaemonError(.vaultLocked, ("message", message))
    }
    public static func vaultExists(message: String, path: String) -> DaemonError {
        DaemonError(.vaultExists, ("message", message), ("path", path))
    }
    public static func wrongKey(message: String) -> DaemonError {
        DaemonError(.wrongKey, ("message", message))
    }
    public static func vaultDamaged(message: String) -> DaemonError {
        DaemonError(.vaultDamaged, ("message", message))
    }
    public static func formatTooNew(message: String) -> DaemonError {
        DaemonError(.formatTooNew, ("message", message))
    }
    public static func rollbackSuspected(message: String, found: Int64, known: Int64) -> DaemonError {
        DaemonError(.rollbackSuspected, ("message", message), ("found", found), ("known", known))
    }
    public static func forkSuspected(message: String, found: Int64) -> DaemonError {
        DaemonError(.forkSuspected, ("message", message), ("found", found))
    }
    public static func wrongGeneration(message: String, asked: Int64, found: Int64) -> DaemonError {
        DaemonError(.wrongGeneration, ("message", message), ("asked", asked), ("found", found))
    }
    public static func providerUnavailable(message: String, provider: String) -> DaemonError {
        DaemonError(.providerUnavailable, ("message", message), ("provider", provider))
    }
    public static func storeBusy(message: String) -> DaemonError {
        DaemonError(.storeBusy, ("message", message))
    }
    public static func vaultChanged(message: String) -> DaemonError {
        DaemonError(.vaultChanged, ("message", message))
    }
    public static func attemptInProgress(message: String) -> DaemonError {
        DaemonError(.attemptInProgress, ("message", message))
    }
    public static func unsafeStore(message: String, path: String, repair: String) -> DaemonError {
        DaemonError(.unsafeStore, ("message", message), ("path", path), ("repair", repair))
    }
    public static func storageFailed(message: String) -> DaemonError {
        DaemonError(.storageFailed, ("message", message))
    }
    public static func diskFull(message: String, path: String) -> DaemonError {
        DaemonError(.diskFull, ("message", message), ("path", path))
    }
    public static func vaultFull(message: String, content: Content, limit: Int64) -> DaemonError {
        DaemonError(.vaultFull, ("message", message), ("content", content), ("limit", limit))
    }
    public static func copyTooCostly(message: String) -> DaemonError {
        DaemonError(.copyTooCostly, ("message", message))
    }
    public static func slotNotFound(message: String, slot: String) -> DaemonError {
        DaemonError(.slotNotFound, ("message", message), ("slot", slot))
    }
    public static func slotAmbiguous(message: String, slot: String, candidates: [String]) -> DaemonError {
        DaemonError(.slotAmbiguous, ("message", message), ("slot", slot), ("candidates", candidates))
    }
    public static func slotNeeded(message: String, forceable: Bool) -> DaemonError {
        DaemonError(.slotNeeded, ("message", message), ("forceable", forceable))
    }
    public static func slotExists(message: String, provider: String) -> DaemonError {
        DaemonError(.slotExists, ("message", message), ("provider", provider))
    }
    public static func slotNotPresented(message: String, slot: String) -> DaemonError {
        DaemonError(.slotNotPresented, ("message", message), ("slot", slot))
    }
    public static func loginNotFound(message: String, login: String) -> DaemonError {
        DaemonError(.loginNotFound, ("message", message), ("login", login))
    }
    public static func loginNameAmbiguous(message: String, login: String, candidates: [String]) -> DaemonError {
        DaemonError(.loginNameAmbiguous, ("message", message), ("login", login), ("candidates", candidates))
    }
    public static func loginExists(message: String, login: String) -> DaemonError {
        DaemonError(.loginExists, ("message", message), ("login", login))
    }
    public static func loginReadOnly(message: String, login: String) -> DaemonError {
        DaemonError(.loginReadOnly, ("message", message), ("login", login))
    }
    public static func loginFileChanged(message: String, login: String) -> DaemonError {
        DaemonError(.loginFileChanged, ("message", message), ("login", login))
    }
    public static func passwordCommandFailed(
        message: String,
        login: String,
        reason: Reason,
        status: Int64? = nil
    ) -> DaemonError {
        DaemonError(.passwordCommandFailed, ("message", message), ("login", login), ("reason", reason), ("status", status))
    }
    public static func passwordCommandNotAgreed(message: String, login: String) -> DaemonError {
        DaemonError(.passwordCommandNotAgreed, ("message", message), ("login", login))
    }
    public static func invalidLogin(message: String) -> DaemonError {
        DaemonError(.invalidLogin, ("message", message))
    }
    public static func pinNotFound(message: String, endpoint: String) -> DaemonError {
        DaemonError(.pinNotFound, ("message", message), ("endpoint", endpoint))
    }
    public static func loginsBound(message: String, endpoint: String, logins: [String]) -> DaemonError {
        DaemonError(.loginsBound, ("message", message), ("endpoint", endpoint), ("logins", logins))
    }
    public static func plaintextNotAllowed(message: String, endpoint: String? = nil, pinned: Bool) -> DaemonError {
        DaemonError(.plaintextNotAllowed, ("message", message), ("endpoint", endpoint), ("pinned", pinned))
    }
    public static func loginNeeded(message: String, name: String? = nil) -> DaemonError {
        DaemonError(.loginNeeded, ("message", message), ("name", name))
    }
    public static func loginAmbiguous(message: String, name: String? = nil, candidates: [String]) -> DaemonError {
        DaemonError(.loginAmbiguous, ("message", message), ("name", name), ("candidates", candidates))
    }
    public static func loginUnclear(message: String, words: String, readings: [String]) -> DaemonError {
        DaemonError(.loginUnclear, ("message", message), ("words", words), ("readings", readings))
    }
    public static func loginElsewhere(message: String, login: String, endpoint: String) -> DaemonError {
        DaemonError(.loginElsewhere, ("message", message), ("login", login), ("endpoint", endpoint))
    }
    public static func loginRejected(message: String, login: String) -> DaemonError {
        DaemonError(.loginRejected, ("message", message), ("login", login))
    }
    public static func newLoginRejected(message: String, name: String) -> DaemonError {
        DaemonError(.newLoginRejected, ("message", message), ("name", name))
    }
    public static func reloginBlocked(message: String) -> DaemonError {
        DaemonError(.reloginBlocked, ("message", message))
    }
    public static func endpointUnreachable(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.endpointUnreachable, ("message", message), ("endpoint", endpoint))
    }
    public static func identityConflict(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.identityConflict, ("message", message), ("endpoint", endpoint))
    }
    public static func identityUnverified(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.identityUnverified, ("message", message), ("endpoint", endpoint))
    }
    public static func identityChanged(message: String, endpoint: String, fingerprint: String) -> DaemonError {
        DaemonError(.identityChanged, ("message", message), ("endpoint", endpoint), ("fingerprint", fingerprint))
    }
    public static func ownerUnknown(message: String, endpoint: String? = nil, port: Int64) -> DaemonError {
        DaemonError(.ownerUnknown, ("message", message), ("endpoint", endpoint), ("port", port))
    }
    public static func noAuthority(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.noAuthority, ("message", message), ("endpoint", endpoint))
    }
    public static func serverException(message: String, `class`: String, text: String) -> DaemonError {
        DaemonError(.serverException, ("message", message), ("class", `class`), ("text", text))
    }
    public static func protocolFailure(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.protocolFailure, ("message", message), ("endpoint", endpoint))
    }
    public static func adapterNotFound(message: String, adapter: String) -> DaemonError {
        DaemonError(.adapterNotFound, ("message", message), ("adapter", adapter))
    }
    public static func adapterClosed(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.adapterClosed, ("message", message), ("endpoint", endpoint))
    }
    public static func tooManyAdapters(message: String, limit: Int64) -> DaemonError {
        DaemonError(.tooManyAdapters, ("message", message), ("limit", limit))
    }
    public static func socketFailed(message: String) -> DaemonError {
        DaemonError(.socketFailed, ("message", message))
    }
    public static func grantNotFound(message: String, grant: String) -> DaemonError {
        DaemonError(.grantNotFound, ("message", message), ("grant", grant))
    }
    public static func invalidGrant(message: String) -> DaemonError {
        DaemonError(.invalidGrant, ("message", message))
    }
    public static func grantsOnly(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.grantsOnly, ("message", message), ("endpoint", endpoint))
    }
    public static func sessionExportOff(message: String, endpoint: String? = nil) -> DaemonError {
        DaemonError(.sessionExportOff, ("message", message), ("endpoint", endpoint))
    }
    public static func logUnavailable(message: String) -> DaemonError {
        DaemonError(.logUnavailable, ("message", message))
    }
}

/// The parameters; nil for an error without the parameter.
extension DaemonError {
    public var message: String { description }
    public var adapter: String? { read("adapter") }
    public var asked: Int64? { read("asked") }
    public var candidates: [String]? { read("candidates") }
    public var `class`: String? { read("class") }
    public var content: Content? { read("content") }
    public var endpoint: String? { read("endpoint") }
    public var fingerprint: String? { read("fingerprint") }
    public var forceable: Bool? { read("forceable") }
    public var found: Int64? { read("found") }
    public var grant: String? { read("grant") }
    public var known: Int64? { read("known") }
    public var limit: Int64? { read("limit") }
    public var login: String? { read("login") }
    public var logins: [String]? { read("logins") }
    public var name: String? { read("name") }
    public var path: String? { read("path") }
    public var pinned: Bool? { read("pinned") }
    public var port: Int64? { read("port") }
    public var provider: String? { read("provider") }
    public var readings: [String]? { read("readings") }
    public var reason: Reason? { read("reason") }
    public var repair: String? { read("repair") }
    public var slot: String? { read("slot") }
    public var status: Int64? { read("status") }
    public var stream: Stream? { read("stream") }
    public var text: String? { read("text") }
    public var words: String? { read("words") }
}
