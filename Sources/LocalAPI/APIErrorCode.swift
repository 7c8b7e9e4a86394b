// SPDX-License-Identifier: Apache-2.0

/// Every error of the API, by its qualified name. Names are stable and never reused.
public enum APIErrorCode: String, Sendable, Hashable, CaseIterable {
    case failed = "org.relativityd.Manager.Failed"
    case notPermitted = "org.relativityd.Manager.NotPermitted"

    case endpointNotFound = "org.relativityd.Registry.EndpointNotFound"
    case endpointAmbiguous = "org.relativityd.Registry.EndpointAmbiguous"
    case invalidEndpoint = "org.relativityd.Registry.InvalidEndpoint"
    case endpointExists = "org.relativityd.Registry.EndpointExists"
    case endpointNotManual = "org.relativityd.Registry.EndpointNotManual"
    case notSaved = "org.relativityd.Registry.NotSaved"
    case watcherTooSlow = "org.relativityd.Registry.WatcherTooSlow"

    case vaultAbsent = "org.relativityd.Credentials.VaultAbsent"
    case vaultLocked = "org.relativityd.Credentials.VaultLocked"
    case vaultExists = "org.relativityd.Credentials.VaultExists"
    case wrongKey = "org.relativityd.Credentials.WrongKey"
    case vaultDamaged = "org.relativityd.Credentials.VaultDamaged"
    case formatTooNew = "org.relativityd.Credentials.FormatTooNew"
    case providerUnavailable = "org.relativityd.Credentials.ProviderUnavailable"
    case storeBusy = "org.relativityd.Credentials.StoreBusy"
    case unsafeStore = "org.relativityd.Credentials.UnsafeStore"
    case loginNotFound = "org.relativityd.Credentials.LoginNotFound"
    case loginExists = "org.relativityd.Credentials.LoginExists"
    case loginReadOnly = "org.relativityd.Credentials.LoginReadOnly"
    case invalidLogin = "org.relativityd.Credentials.InvalidLogin"
    case plaintextNotAllowed = "org.relativityd.Credentials.PlaintextNotAllowed"

    case loginNeeded = "org.relativityd.Broker.LoginNeeded"
    case loginAmbiguous = "org.relativityd.Broker.LoginAmbiguous"
    case loginRejected = "org.relativityd.Broker.LoginRejected"
    case endpointUnreachable = "org.relativityd.Broker.EndpointUnreachable"
    case identityConflict = "org.relativityd.Broker.IdentityConflict"
    case serverException = "org.relativityd.Broker.ServerException"
    case protocolFailure = "org.relativityd.Broker.ProtocolFailure"
    case adapterNotFound = "org.relativityd.Broker.AdapterNotFound"
    case tooManyAdapters = "org.relativityd.Broker.TooManyAdapters"
}
