// SPDX-License-Identifier: Apache-2.0

import JSON

extension DaemonError.Code {
    /// The HTTP status code for the error in the local API. Adapters have other statuses for some of these errors, on
    /// purpose: see `AdapterReply` in Broker, and the table of adapters in docs/local-api.md.
    public var httpStatus: Int {
        switch self {
        case .invalidEndpoint, .invalidLogin, .invalidGrant, .slotNotPresented, .wrongGeneration, .noAuthority,
            .copyTooCostly:
            400
        case .notPermitted, .loginRejected, .newLoginRejected, .loginReadOnly, .plaintextNotAllowed, .wrongKey,
            .grantsOnly, .sessionExportOff:
            403
        case .endpointNotFound, .adapterNotFound, .grantNotFound, .loginNotFound, .slotNotFound, .pinNotFound: 404
        case .endpointAmbiguous, .loginAmbiguous, .loginUnclear, .loginNameAmbiguous, .slotAmbiguous, .loginNeeded,
            .loginElsewhere,
            .endpointExists, .endpointNotManual, .vaultExists, .loginExists, .slotExists, .slotNeeded, .loginsBound,
            .identityConflict, .identityUnverified, .identityChanged, .ownerUnknown, .rollbackSuspected, .forkSuspected,
            .vaultChanged:
            409
        case .adapterClosed: 410
        case .vaultAbsent, .vaultLocked: 423
        case .watcherTooSlow, .tooManyWatchers, .tooManyAdapters, .reloginBlocked: 429
        case .failed, .notSaved, .listTooNew, .unsafeStore, .storageFailed, .vaultDamaged, .formatTooNew,
            .loginFileChanged, .passwordCommandFailed, .logUnavailable, .socketFailed:
            500
        case .serverException, .protocolFailure, .endpointUnreachable: 502
        case .storeBusy, .attemptInProgress, .providerUnavailable: 503
        case .diskFull, .listFull, .vaultFull: 507
        }
    }
}

extension DaemonError {
    /// The message, as a fragment of a sentence without a secret. Untrusted text in it is already escaped.
    public var message: String { record.json["message"]?.stringValue ?? code.rawValue }
}

extension DaemonError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
