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

    init(_ code: APIErrorCode) {
        switch code {
        case .vaultAbsent, .vaultLocked: self = .vaultLocked
        case .rollbackSuspected, .forkSuspected: self = .vaultDegraded
        case .identityConflict: self = .identityConflict
        case .providerUnavailable: self = .providerUnavailable
        case .wrongKey: self = .wrongKey
        case .vaultDamaged: self = .damaged
        case .storeBusy: self = .storeBusy
        case .formatTooNew: self = .formatTooNew
        case .endpointNotFound, .loginNotFound, .slotNotFound, .loginNeeded, .adapterNotFound, .pinNotFound,
            .grantNotFound:
            self = .notFound
        case .endpointUnreachable: self = .unreachable
        case .loginRejected: self = .loginRefused
        case .serverException: self = .serverException
        case .endpointAmbiguous, .invalidEndpoint, .invalidLogin, .loginAmbiguous, .plaintextNotAllowed, .slotAmbiguous,
            .slotNotPresented, .wrongGeneration, .invalidGrant:
            self = .usage
        case .failed, .notPermitted, .endpointExists, .endpointNotManual, .notSaved, .watcherTooSlow, .vaultExists,
            .unsafeStore, .loginExists, .loginReadOnly, .loginsBound, .protocolFailure, .tooManyAdapters, .slotNeeded,
            .slotExists:
            self = .failed
        }
    }
}
