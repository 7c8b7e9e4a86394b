// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// What relctl exits with; the same table stands in relctl(1).
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case vaultLocked = 3
    case vaultDegraded = 4
    case identityConflict = 5
    case providerUnavailable = 6
    case wrongKey = 7
    case damaged = 8
    case storeBusy = 9
    case formatTooNew = 10
    case notFound = 11
    case unreachable = 12
    case loginRefused = 13
    case serverException = 14
    case someFailed = 15
    case usage = 64
    case noDaemon = 69
    case deadlinePassed = 75

    init(_ code: DaemonError.Code) {
        switch code {
        case .vaultAbsent, .vaultLocked: self = .vaultLocked
        case .rollbackSuspected, .forkSuspected: self = .vaultDegraded
        case .identityConflict, .identityUnverified, .identityChanged, .ownerUnknown: self = .identityConflict
        case .providerUnavailable: self = .providerUnavailable
        case .wrongKey: self = .wrongKey
        case .vaultDamaged: self = .damaged
        case .storeBusy, .vaultChanged, .attemptInProgress: self = .storeBusy
        case .formatTooNew, .listTooNew: self = .formatTooNew
        case .endpointNotFound, .loginNotFound, .slotNotFound, .loginNeeded, .loginElsewhere, .adapterNotFound,
            .adapterClosed, .pinNotFound, .grantNotFound:
            self = .notFound
        case .endpointUnreachable: self = .unreachable
        case .loginRejected, .newLoginRejected, .reloginBlocked: self = .loginRefused
        case .serverException: self = .serverException
        case .endpointAmbiguous, .invalidEndpoint, .noAuthority, .invalidLogin, .loginAmbiguous, .plaintextNotAllowed,
            .slotAmbiguous, .slotNotPresented, .wrongGeneration, .invalidGrant:
            self = .usage
        case .failed, .notPermitted, .grantsOnly, .sessionExportOff, .endpointExists, .endpointNotManual, .listFull,
            .notSaved, .watcherTooSlow, .tooManyWatchers, .vaultExists, .unsafeStore, .storageFailed, .diskFull,
            .vaultFull, .copyTooCostly, .loginExists, .loginReadOnly, .loginFileChanged, .loginsBound,
            .protocolFailure, .tooManyAdapters, .socketFailed, .slotNeeded, .slotExists, .logUnavailable:
            self = .failed
        }
    }
}
