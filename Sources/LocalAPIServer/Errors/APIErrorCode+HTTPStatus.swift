// SPDX-License-Identifier: Apache-2.0

import LocalAPI

extension APIErrorCode {
    /// The status code that an HTTP client gets beside the error, whose name tells more.
    var httpStatus: Int {
        switch self {
        case .failed: 500
        case .notPermitted, .loginRejected, .loginReadOnly, .plaintextNotAllowed, .wrongKey: 403
        case .endpointNotFound, .adapterNotFound, .grantNotFound, .loginNotFound, .slotNotFound, .pinNotFound: 404
        case .invalidEndpoint, .invalidLogin, .invalidGrant, .slotNotPresented, .wrongGeneration: 400
        case .endpointAmbiguous, .loginAmbiguous, .slotAmbiguous, .loginNeeded: 409
        case .endpointExists, .endpointNotManual, .vaultExists, .loginExists, .slotExists, .slotNeeded, .loginsBound:
            409
        case .identityConflict, .rollbackSuspected, .forkSuspected: 409
        case .vaultAbsent, .vaultLocked: 423
        case .watcherTooSlow, .tooManyAdapters: 429
        case .serverException, .protocolFailure, .endpointUnreachable: 502
        case .storeBusy, .providerUnavailable: 503
        case .notSaved, .unsafeStore, .vaultDamaged, .formatTooNew: 500
        }
    }
}
