// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.
// org.relativityd.Manager
// org.relativityd.Registry
// org.relativityd.Credentials
// org.relativityd.Broker
// org.relativityd.Audit

public import Varlink

/// An error of one of the interfaces.
public enum DaemonError: Error, Hashable {
    /// The daemon failed, for a reason other than the call. Its log has the details.
    case failed(ManagerAPI.FailedError)
    /// The caller is not permitted to do this, or the user has not approved it.
    case notPermitted(ManagerAPI.NotPermittedError)
    /// No endpoint has this ID or name. endpoint is the ID or name.
    case endpointNotFound(RegistryAPI.EndpointNotFoundError)
    /// Several endpoints have this name, or a name or ID that begins with it. endpoint is the text of the call, and
    /// candidates are their IDs.
    case endpointAmbiguous(RegistryAPI.EndpointAmbiguousError)
    /// The name, the address or the setting is invalid.
    case invalidEndpoint(RegistryAPI.InvalidEndpointError)
    /// The name is taken, or the server was added already. name is that of the endpoint in the list.
    case endpointExists(RegistryAPI.EndpointExistsError)
    /// The server cannot be removed or renamed: it is only announced, or the administrator configured it. name is that of the
    /// endpoint.
    case endpointNotManual(RegistryAPI.EndpointNotManualError)
    /// The number of endpoints or settings has reached limit.
    case listFull(RegistryAPI.ListFullError)
    /// The file of the list was written by a later version, and is not replaced.
    case listTooNew(RegistryAPI.ListTooNewError)
    /// The list could not be saved.
    case notSaved(RegistryAPI.NotSavedError)
    /// The client read the replies of Registry.Watch or Broker.Watch too slowly. It can call again immediately.
    case watcherTooSlow(RegistryAPI.WatcherTooSlowError)
    /// The number of watching clients has reached limit.
    case tooManyWatchers(RegistryAPI.TooManyWatchersError)
    /// There is no vault. path is the location that it would have.
    case vaultAbsent(CredentialsAPI.VaultAbsentError)
    /// The vault is locked.
    case vaultLocked(CredentialsAPI.VaultLockedError)
    /// There is a vault already. path is its location.
    case vaultExists(CredentialsAPI.VaultExistsError)
    /// The passphrase or key does not open the vault, or the file that came with the call.
    case wrongKey(CredentialsAPI.WrongKeyError)
    /// The vault's file, or the file that came with the call, is damaged or not a vault.
    case vaultDamaged(CredentialsAPI.VaultDamagedError)
    /// The vault's file, or the file that came with the call, is of a newer format.
    case formatTooNew(CredentialsAPI.FormatTooNewError)
    /// The vault's file is older than the recorded one. It is read-only until it is accepted or replaced by the right file.
    /// found is its generation, and known the recorded one.
    case rollbackSuspected(CredentialsAPI.RollbackSuspectedError)
    /// The vault's file does not descend from the recorded one. It is read-only until it is accepted or replaced by the right
    /// file. found is its generation.
    case forkSuspected(CredentialsAPI.ForkSuspectedError)
    /// The vault's file has the generation found, not the generation asked that was to be accepted.
    case wrongGeneration(CredentialsAPI.WrongGenerationError)
    /// A key provider does not work. No other provider is tried. provider is its name.
    case providerUnavailable(CredentialsAPI.ProviderUnavailableError)
    /// Another process has locked the vault's file.
    case storeBusy(CredentialsAPI.StoreBusyError)
    /// Another process changed the vault's file, so this change cannot be made.
    case vaultChanged(CredentialsAPI.VaultChangedError)
    /// Another call opens the vault, tries the key providers or sends a file. Only one such call runs at a time.
    case attemptInProgress(CredentialsAPI.AttemptInProgressError)
    /// A file or directory is not safe to use. path is its path, and repair a shell command that makes it safe.
    case unsafeStore(CredentialsAPI.UnsafeStoreError)
    /// A file could not be read or written.
    case storageFailed(CredentialsAPI.StorageFailedError)
    /// The disk is full. path is the file that could not be written.
    case diskFull(CredentialsAPI.DiskFullError)
    /// The vault has reached a limit.
    case vaultFull(CredentialsAPI.VaultFullError)
    /// The passphrase of the file that came with the call has a higher cost than this machine accepts for an imported file.
    case copyTooCostly(CredentialsAPI.CopyTooCostlyError)
    /// No key slot has this ID or label. slot is the ID or label.
    case slotNotFound(CredentialsAPI.SlotNotFoundError)
    /// Several key slots have this label. slot is the label, and candidates are their IDs.
    case slotAmbiguous(CredentialsAPI.SlotAmbiguousError)
    /// The last slot is never removed, and the last one that opens the vault on another machine only with force.
    case slotNeeded(CredentialsAPI.SlotNeededError)
    /// The vault has a slot of this kind already, and a second one is not possible. provider is the kind.
    case slotExists(CredentialsAPI.SlotExistsError)
    /// The secret of a slot is missing. For RotateKey, the slot is neither in present nor in drop. slot is its ID.
    case slotNotPresented(CredentialsAPI.SlotNotPresentedError)
    /// No login has this name. login is the name.
    case loginNotFound(CredentialsAPI.LoginNotFoundError)
    /// Several logins have a name that begins with login. candidates are their names.
    case loginNameAmbiguous(CredentialsAPI.LoginNameAmbiguousError)
    /// A login has this name already. login is the name.
    case loginExists(CredentialsAPI.LoginExistsError)
    /// The administrator configured the login, so it cannot be changed. login is its name.
    case loginReadOnly(CredentialsAPI.LoginReadOnlyError)
    /// The file of a configured login has changed since the daemon started. login is its name.
    case loginFileChanged(CredentialsAPI.LoginFileChangedError)
    /// The command for the password of a configured login has not printed one. login is its name. reason: notStarted: it could
    /// not be started. exited: its exit status, which is in status, is not 0. killed: a signal ended it. timeout: it did not
    /// end within 30 seconds. invalid: it printed no password, or more than 4096 bytes.
    case passwordCommandFailed(CredentialsAPI.PasswordCommandFailedError)
    /// A user, domain, schema, name, label, pin or secret is invalid.
    case invalidLogin(CredentialsAPI.InvalidLoginError)
    /// The endpoint has no pin.
    case pinNotFound(CredentialsAPI.PinNotFoundError)
    /// Logins are bound to the pin. logins are their names.
    case loginsBound(CredentialsAPI.LoginsBoundError)
    /// The password would be sent unencrypted, which the user has not permitted.
    case plaintextNotAllowed(CredentialsAPI.PlaintextNotAllowedError)
    /// The endpoint has no login. name is that of the endpoint, absent if none was named.
    case loginNeeded(BrokerAPI.LoginNeededError)
    /// The endpoint has several logins, and nothing chose one. name is that of the endpoint, absent if none was named, and
    /// candidates are those of the logins.
    case loginAmbiguous(BrokerAPI.LoginAmbiguousError)
    /// The text that names the endpoint has several meanings, or it names another login than login does, or a login although
    /// anonymous is true. words is the text, and readings are the meanings, as noun phrases; empty for an anonymous call.
    case loginUnclear(BrokerAPI.LoginUnclearError)
    /// The login is for another endpoint than the named one. login is its name, and endpoint the one that it is for.
    case loginElsewhere(BrokerAPI.LoginElsewhereError)
    /// The server refused the login. It is not sent again until the user tests or changes it. login is its name.
    case loginRejected(BrokerAPI.LoginRejectedError)
    /// The server refused a login that was to be stored. Nothing was stored. name is that of the endpoint.
    case newLoginRejected(BrokerAPI.NewLoginRejectedError)
    /// The server required a new login too often within a short time. The login was not sent again.
    case reloginBlocked(BrokerAPI.ReloginBlockedError)
    /// The server cannot be reached. The message has the reason.
    case endpointUnreachable(BrokerAPI.EndpointUnreachableError)
    /// The server is not the one that the login or the endpoint is bound to. Nothing was sent.
    case identityConflict(BrokerAPI.IdentityConflictError)
    /// The pin was imported, and the user has not verified it yet. Nothing was sent.
    case identityUnverified(BrokerAPI.IdentityUnverifiedError)
    /// The server shows another fingerprint than the one that the user verified. fingerprint is the one that it shows.
    /// Nothing was sent.
    case identityChanged(BrokerAPI.IdentityChangedError)
    /// The kernel does not report which user's process listens on a port of this machine. Nothing was sent. port is its
    /// number.
    case ownerUnknown(BrokerAPI.OwnerUnknownError)
    /// The endpoint cannot have a certificate: it speaks plain HTTP, or has no host name.
    case noAuthority(BrokerAPI.NoAuthorityError)
    /// The server replied with an exception. class is its class and text its text; both are untrusted.
    case serverException(BrokerAPI.ServerExceptionError)
    /// The server does not speak the protocol, or speaks a form of it that is not supported.
    case protocolFailure(BrokerAPI.ProtocolFailureError)
    /// No adapter has this ID. adapter is the ID.
    case adapterNotFound(BrokerAPI.AdapterNotFoundError)
    /// The adapter or grant is closed, or the daemon is stopping.
    case adapterClosed(BrokerAPI.AdapterClosedError)
    /// The number of open adapters has reached its limit.
    case tooManyAdapters(BrokerAPI.TooManyAdaptersError)
    /// The socket of an adapter or a grant could not be made.
    case socketFailed(BrokerAPI.SocketFailedError)
    /// No grant has this ID. grant is the ID.
    case grantNotFound(BrokerAPI.GrantNotFoundError)
    /// The services or methods of the grant are invalid.
    case invalidGrant(BrokerAPI.InvalidGrantError)
    /// Registry.Set has set grantsOnly for the endpoint: only grants reach it.
    case grantsOnly(BrokerAPI.GrantsOnlyError)
    /// Sessions are not exported. Open an adapter with form loopback instead.
    case sessionExportOff(BrokerAPI.SessionExportOffError)
    /// The audit log cannot be read or written. A change that it must record was not made, except RevokeGrant, which was.
    case logUnavailable(AuditAPI.LogUnavailableError)

    /// The name of an error, with its interface.
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

    /// - Returns: nil for an error of another interface, and for one that lacks a parameter.
    public init?(_ error: VarlinkError) {
        switch Code(rawValue: error.name) {
        case .failed?:
            guard let record = ManagerAPI.FailedError(error) else { return nil }
            self = .failed(record)
        case .notPermitted?:
            guard let record = ManagerAPI.NotPermittedError(error) else { return nil }
            self = .notPermitted(record)
        case .endpointNotFound?:
            guard let record = RegistryAPI.EndpointNotFoundError(error) else { return nil }
            self = .endpointNotFound(record)
        case .endpointAmbiguous?:
            guard let record = RegistryAPI.EndpointAmbiguousError(error) else { return nil }
            self = .endpointAmbiguous(record)
        case .invalidEndpoint?:
            guard let record = RegistryAPI.InvalidEndpointError(error) else { return nil }
            self = .invalidEndpoint(record)
        case .endpointExists?:
            guard let record = RegistryAPI.EndpointExistsError(error) else { return nil }
            self = .endpointExists(record)
        case .endpointNotManual?:
            guard let record = RegistryAPI.EndpointNotManualError(error) else { return nil }
            self = .endpointNotManual(record)
        case .listFull?:
            guard let record = RegistryAPI.ListFullError(error) else { return nil }
            self = .listFull(record)
        case .listTooNew?:
            guard let record = RegistryAPI.ListTooNewError(error) else { return nil }
            self = .listTooNew(record)
        case .notSaved?:
            guard let record = RegistryAPI.NotSavedError(error) else { return nil }
            self = .notSaved(record)
        case .watcherTooSlow?:
            guard let record = RegistryAPI.WatcherTooSlowError(error) else { return nil }
            self = .watcherTooSlow(record)
        case .tooManyWatchers?:
            guard let record = RegistryAPI.TooManyWatchersError(error) else { return nil }
            self = .tooManyWatchers(record)
        case .vaultAbsent?:
            guard let record = CredentialsAPI.VaultAbsentError(error) else { return nil }
            self = .vaultAbsent(record)
        case .vaultLocked?:
            guard let record = CredentialsAPI.VaultLockedError(error) else { return nil }
            self = .vaultLocked(record)
        case .vaultExists?:
            guard let record = CredentialsAPI.VaultExistsError(error) else { return nil }
            self = .vaultExists(record)
        case .wrongKey?:
            guard let record = CredentialsAPI.WrongKeyError(error) else { return nil }
            self = .wrongKey(record)
        case .vaultDamaged?:
            guard let record = CredentialsAPI.VaultDamagedError(error) else { return nil }
            self = .vaultDamaged(record)
        case .formatTooNew?:
            guard let record = CredentialsAPI.FormatTooNewError(error) else { return nil }
            self = .formatTooNew(record)
        case .rollbackSuspected?:
            guard let record = CredentialsAPI.RollbackSuspectedError(error) else { return nil }
            self = .rollbackSuspected(record)
        case .forkSuspected?:
            guard let record = CredentialsAPI.ForkSuspectedError(error) else { return nil }
            self = .forkSuspected(record)
        case .wrongGeneration?:
            guard let record = CredentialsAPI.WrongGenerationError(error) else { return nil }
            self = .wrongGeneration(record)
        case .providerUnavailable?:
            guard let record = CredentialsAPI.ProviderUnavailableError(error) else { return nil }
            self = .providerUnavailable(record)
        case .storeBusy?:
            guard let record = CredentialsAPI.StoreBusyError(error) else { return nil }
            self = .storeBusy(record)
        case .vaultChanged?:
            guard let record = CredentialsAPI.VaultChangedError(error) else { return nil }
            self = .vaultChanged(record)
        case .attemptInProgress?:
            guard let record = CredentialsAPI.AttemptInProgressError(error) else { return nil }
            self = .attemptInProgress(record)
        case .unsafeStore?:
            guard let record = CredentialsAPI.UnsafeStoreError(error) else { return nil }
            self = .unsafeStore(record)
        case .storageFailed?:
            guard let record = CredentialsAPI.StorageFailedError(error) else { return nil }
            self = .storageFailed(record)
        case .diskFull?:
            guard let record = CredentialsAPI.DiskFullError(error) else { return nil }
            self = .diskFull(record)
        case .vaultFull?:
            guard let record = CredentialsAPI.VaultFullError(error) else { return nil }
            self = .vaultFull(record)
        case .copyTooCostly?:
            guard let record = CredentialsAPI.CopyTooCostlyError(error) else { return nil }
            self = .copyTooCostly(record)
        case .slotNotFound?:
            guard let record = CredentialsAPI.SlotNotFoundError(error) else { return nil }
            self = .slotNotFound(record)
        case .slotAmbiguous?:
            guard let record = CredentialsAPI.SlotAmbiguousError(error) else { return nil }
            self = .slotAmbiguous(record)
        case .slotNeeded?:
            guard let record = CredentialsAPI.SlotNeededError(error) else { return nil }
            self = .slotNeeded(record)
        case .slotExists?:
            guard let record = CredentialsAPI.SlotExistsError(error) else { return nil }
            self = .slotExists(record)
        case .slotNotPresented?:
            guard let record = CredentialsAPI.SlotNotPresentedError(error) else { return nil }
            self = .slotNotPresented(record)
        case .loginNotFound?:
            guard let record = CredentialsAPI.LoginNotFoundError(error) else { return nil }
            self = .loginNotFound(record)
        case .loginNameAmbiguous?:
            guard let record = CredentialsAPI.LoginNameAmbiguousError(error) else { return nil }
            self = .loginNameAmbiguous(record)
        case .loginExists?:
            guard let record = CredentialsAPI.LoginExistsError(error) else { return nil }
            self = .loginExists(record)
        case .loginReadOnly?:
            guard let record = CredentialsAPI.LoginReadOnlyError(error) else { return nil }
            self = .loginReadOnly(record)
        case .loginFileChanged?:
            guard let record = CredentialsAPI.LoginFileChangedError(error) else { return nil }
            self = .loginFileChanged(record)
        case .passwordCommandFailed?:
            guard let record = CredentialsAPI.PasswordCommandFailedError(error) else { return nil }
            self = .passwordCommandFailed(record)
        case .invalidLogin?:
            guard let record = CredentialsAPI.InvalidLoginError(error) else { return nil }
            self = .invalidLogin(record)
        case .pinNotFound?:
            guard let record = CredentialsAPI.PinNotFoundError(error) else { return nil }
            self = .pinNotFound(record)
        case .loginsBound?:
            guard let record = CredentialsAPI.LoginsBoundError(error) else { return nil }
            self = .loginsBound(record)
        case .plaintextNotAllowed?:
            guard let record = CredentialsAPI.PlaintextNotAllowedError(error) else { return nil }
            self = .plaintextNotAllowed(record)
        case .loginNeeded?:
            guard let record = BrokerAPI.LoginNeededError(error) else { return nil }
            self = .loginNeeded(record)
        case .loginAmbiguous?:
            guard let record = BrokerAPI.LoginAmbiguousError(error) else { return nil }
            self = .loginAmbiguous(record)
        case .loginUnclear?:
            guard let record = BrokerAPI.LoginUnclearError(error) else { return nil }
            self = .loginUnclear(record)
        case .loginElsewhere?:
            guard let record = BrokerAPI.LoginElsewhereError(error) else { return nil }
            self = .loginElsewhere(record)
        case .loginRejected?:
            guard let record = BrokerAPI.LoginRejectedError(error) else { return nil }
            self = .loginRejected(record)
        case .newLoginRejected?:
            guard let record = BrokerAPI.NewLoginRejectedError(error) else { return nil }
            self = .newLoginRejected(record)
        case .reloginBlocked?:
            guard let record = BrokerAPI.ReloginBlockedError(error) else { return nil }
            self = .reloginBlocked(record)
        case .endpointUnreachable?:
            guard let record = BrokerAPI.EndpointUnreachableError(error) else { return nil }
            self = .endpointUnreachable(record)
        case .identityConflict?:
            guard let record = BrokerAPI.IdentityConflictError(error) else { return nil }
            self = .identityConflict(record)
        case .identityUnverified?:
            guard let record = BrokerAPI.IdentityUnverifiedError(error) else { return nil }
            self = .identityUnverified(record)
        case .identityChanged?:
            guard let record = BrokerAPI.IdentityChangedError(error) else { return nil }
            self = .identityChanged(record)
        case .ownerUnknown?:
            guard let record = BrokerAPI.OwnerUnknownError(error) else { return nil }
            self = .ownerUnknown(record)
        case .noAuthority?:
            guard let record = BrokerAPI.NoAuthorityError(error) else { return nil }
            self = .noAuthority(record)
        case .serverException?:
            guard let record = BrokerAPI.ServerExceptionError(error) else { return nil }
            self = .serverException(record)
        case .protocolFailure?:
            guard let record = BrokerAPI.ProtocolFailureError(error) else { return nil }
            self = .protocolFailure(record)
        case .adapterNotFound?:
            guard let record = BrokerAPI.AdapterNotFoundError(error) else { return nil }
            self = .adapterNotFound(record)
        case .adapterClosed?:
            guard let record = BrokerAPI.AdapterClosedError(error) else { return nil }
            self = .adapterClosed(record)
        case .tooManyAdapters?:
            guard let record = BrokerAPI.TooManyAdaptersError(error) else { return nil }
            self = .tooManyAdapters(record)
        case .socketFailed?:
            guard let record = BrokerAPI.SocketFailedError(error) else { return nil }
            self = .socketFailed(record)
        case .grantNotFound?:
            guard let record = BrokerAPI.GrantNotFoundError(error) else { return nil }
            self = .grantNotFound(record)
        case .invalidGrant?:
            guard let record = BrokerAPI.InvalidGrantError(error) else { return nil }
            self = .invalidGrant(record)
        case .grantsOnly?:
            guard let record = BrokerAPI.GrantsOnlyError(error) else { return nil }
            self = .grantsOnly(record)
        case .sessionExportOff?:
            guard let record = BrokerAPI.SessionExportOffError(error) else { return nil }
            self = .sessionExportOff(record)
        case .logUnavailable?:
            guard let record = AuditAPI.LogUnavailableError(error) else { return nil }
            self = .logUnavailable(record)
        case nil: return nil
        }
    }

    /// The name.
    public var code: Code {
        switch self {
        case .failed: .failed
        case .notPermitted: .notPermitted
        case .endpointNotFound: .endpointNotFound
        case .endpointAmbiguous: .endpointAmbiguous
        case .invalidEndpoint: .invalidEndpoint
        case .endpointExists: .endpointExists
        case .endpointNotManual: .endpointNotManual
        case .listFull: .listFull
        case .listTooNew: .listTooNew
        case .notSaved: .notSaved
        case .watcherTooSlow: .watcherTooSlow
        case .tooManyWatchers: .tooManyWatchers
        case .vaultAbsent: .vaultAbsent
        case .vaultLocked: .vaultLocked
        case .vaultExists: .vaultExists
        case .wrongKey: .wrongKey
        case .vaultDamaged: .vaultDamaged
        case .formatTooNew: .formatTooNew
        case .rollbackSuspected: .rollbackSuspected
        case .forkSuspected: .forkSuspected
        case .wrongGeneration: .wrongGeneration
        case .providerUnavailable: .providerUnavailable
        case .storeBusy: .storeBusy
        case .vaultChanged: .vaultChanged
        case .attemptInProgress: .attemptInProgress
        case .unsafeStore: .unsafeStore
        case .storageFailed: .storageFailed
        case .diskFull: .diskFull
        case .vaultFull: .vaultFull
        case .copyTooCostly: .copyTooCostly
        case .slotNotFound: .slotNotFound
        case .slotAmbiguous: .slotAmbiguous
        case .slotNeeded: .slotNeeded
        case .slotExists: .slotExists
        case .slotNotPresented: .slotNotPresented
        case .loginNotFound: .loginNotFound
        case .loginNameAmbiguous: .loginNameAmbiguous
        case .loginExists: .loginExists
        case .loginReadOnly: .loginReadOnly
        case .loginFileChanged: .loginFileChanged
        case .passwordCommandFailed: .passwordCommandFailed
        case .invalidLogin: .invalidLogin
        case .pinNotFound: .pinNotFound
        case .loginsBound: .loginsBound
        case .plaintextNotAllowed: .plaintextNotAllowed
        case .loginNeeded: .loginNeeded
        case .loginAmbiguous: .loginAmbiguous
        case .loginUnclear: .loginUnclear
        case .loginElsewhere: .loginElsewhere
        case .loginRejected: .loginRejected
        case .newLoginRejected: .newLoginRejected
        case .reloginBlocked: .reloginBlocked
        case .endpointUnreachable: .endpointUnreachable
        case .identityConflict: .identityConflict
        case .identityUnverified: .identityUnverified
        case .identityChanged: .identityChanged
        case .ownerUnknown: .ownerUnknown
        case .noAuthority: .noAuthority
        case .serverException: .serverException
        case .protocolFailure: .protocolFailure
        case .adapterNotFound: .adapterNotFound
        case .adapterClosed: .adapterClosed
        case .tooManyAdapters: .tooManyAdapters
        case .socketFailed: .socketFailed
        case .grantNotFound: .grantNotFound
        case .invalidGrant: .invalidGrant
        case .grantsOnly: .grantsOnly
        case .sessionExportOff: .sessionExportOff
        case .logUnavailable: .logUnavailable
        }
    }

    /// The parameters.
    public var record: any VarlinkErrorRecord {
        switch self {
        case .failed(let record): record
        case .notPermitted(let record): record
        case .endpointNotFound(let record): record
        case .endpointAmbiguous(let record): record
        case .invalidEndpoint(let record): record
        case .endpointExists(let record): record
        case .endpointNotManual(let record): record
        case .listFull(let record): record
        case .listTooNew(let record): record
        case .notSaved(let record): record
        case .watcherTooSlow(let record): record
        case .tooManyWatchers(let record): record
        case .vaultAbsent(let record): record
        case .vaultLocked(let record): record
        case .vaultExists(let record): record
        case .wrongKey(let record): record
        case .vaultDamaged(let record): record
        case .formatTooNew(let record): record
        case .rollbackSuspected(let record): record
        case .forkSuspected(let record): record
        case .wrongGeneration(let record): record
        case .providerUnavailable(let record): record
        case .storeBusy(let record): record
        case .vaultChanged(let record): record
        case .attemptInProgress(let record): record
        case .unsafeStore(let record): record
        case .storageFailed(let record): record
        case .diskFull(let record): record
        case .vaultFull(let record): record
        case .copyTooCostly(let record): record
        case .slotNotFound(let record): record
        case .slotAmbiguous(let record): record
        case .slotNeeded(let record): record
        case .slotExists(let record): record
        case .slotNotPresented(let record): record
        case .loginNotFound(let record): record
        case .loginNameAmbiguous(let record): record
        case .loginExists(let record): record
        case .loginReadOnly(let record): record
        case .loginFileChanged(let record): record
        case .passwordCommandFailed(let record): record
        case .invalidLogin(let record): record
        case .pinNotFound(let record): record
        case .loginsBound(let record): record
        case .plaintextNotAllowed(let record): record
        case .loginNeeded(let record): record
        case .loginAmbiguous(let record): record
        case .loginUnclear(let record): record
        case .loginElsewhere(let record): record
        case .loginRejected(let record): record
        case .newLoginRejected(let record): record
        case .reloginBlocked(let record): record
        case .endpointUnreachable(let record): record
        case .identityConflict(let record): record
        case .identityUnverified(let record): record
        case .identityChanged(let record): record
        case .ownerUnknown(let record): record
        case .noAuthority(let record): record
        case .serverException(let record): record
        case .protocolFailure(let record): record
        case .adapterNotFound(let record): record
        case .adapterClosed(let record): record
        case .tooManyAdapters(let record): record
        case .socketFailed(let record): record
        case .grantNotFound(let record): record
        case .invalidGrant(let record): record
        case .grantsOnly(let record): record
        case .sessionExportOff(let record): record
        case .logUnavailable(let record): record
        }
    }
}
