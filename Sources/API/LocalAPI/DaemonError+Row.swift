// SPDX-License-Identifier: Apache-2.0

extension DaemonError {
    /// The row of an error in the table of all errors.
    public struct Row: Sendable, Hashable {
        /// The HTTP status code in the local API. Adapters have other statuses for some of these errors, on purpose: see
        /// `AdapterReply` in Broker, and the table of adapters in docs/local-api.md.
        public let httpStatus: Int

        /// The exit status of relctl.
        public let exitStatus: Int32

        /// The next step in relctl; nil if there is none. Parameters of the error stand in braces; after a bar follows the
        /// command for an error without them.
        public let nextStep: String?

        init(_ httpStatus: Int, _ exitStatus: Int32, _ nextStep: String? = nil) {
            self.httpStatus = httpStatus
            self.exitStatus = exitStatus
            self.nextStep = nextStep
        }
    }
}

extension DaemonError.Code {
    /// The HTTP status, the exit status and the next step. Where the next step depends on more than the presence of a
    /// parameter, relctl decides (`DaemonError.hint`).
    public var row: DaemonError.Row {
        switch self {
        case .failed: .init(500, 1, "relctl journal")
        case .notPermitted: .init(403, 1)
        case .endpointNotFound: .init(404, 11, "relctl list")
        case .endpointAmbiguous: .init(409, 64, "relctl list")
        case .invalidEndpoint: .init(400, 64)
        case .endpointExists: .init(409, 1, "relctl show {name}")
        case .endpointNotManual: .init(409, 1, "relctl hide {name}")
        case .listFull: .init(507, 1, "relctl list")
        case .listTooNew: .init(500, 10, "relctl status")
        case .notSaved: .init(500, 1, "relctl doctor")
        case .watcherTooSlow: .init(429, 1)
        case .tooManyWatchers: .init(429, 1)
        case .vaultAbsent: .init(423, 3, "relctl vault init")
        case .vaultLocked: .init(423, 3, "relctl vault unlock")
        case .vaultExists: .init(409, 1, "relctl vault status")
        case .wrongKey: .init(403, 7, "relctl vault status")
        case .vaultDamaged: .init(500, 8, "relctl doctor")
        case .formatTooNew: .init(500, 10, "relctl version")
        case .rollbackSuspected: .init(409, 4, "relctl vault accept --generation {found}")
        case .forkSuspected: .init(409, 4, "relctl vault accept --generation {found}")
        case .wrongGeneration: .init(400, 64, "relctl vault status")
        case .providerUnavailable: .init(503, 6, "relctl vault providers")
        case .storeBusy: .init(503, 9)
        case .vaultChanged: .init(409, 9, "relctl vault status")
        case .attemptInProgress: .init(503, 9)
        case .unsafeStore: .init(500, 1)
        case .storageFailed: .init(500, 1, "relctl doctor")
        case .diskFull: .init(507, 1)
        case .vaultFull: .init(507, 1)
        case .copyTooCostly: .init(400, 1, "relctl vault export --help")
        case .slotNotFound: .init(404, 11, "relctl vault slot list")
        case .slotAmbiguous: .init(409, 64, "relctl vault slot list")
        case .slotNeeded: .init(409, 1, "relctl vault slot add --provider passphrase")
        case .slotExists: .init(409, 1, "relctl vault slot list")
        case .slotNotPresented: .init(400, 64)
        case .loginNotFound: .init(404, 11, "relctl login list")
        case .loginNameAmbiguous: .init(409, 64, "relctl login list")
        case .loginExists: .init(409, 1, "relctl login list")
        case .loginReadOnly: .init(403, 1, "man relativityd")
        case .loginFileChanged: .init(500, 1, "systemctl --user restart relativityd.service")
        case .passwordCommandFailed: .init(500, 6, "relctl login show {login}")
        case .passwordCommandNotAgreed: .init(403, 1, "relctl login edit {login} --agree-command")
        case .invalidLogin: .init(400, 64)
        case .pinNotFound: .init(404, 11, "relctl endpoint pin {endpoint}")
        case .loginsBound: .init(409, 1, "relctl endpoint forget --logins {endpoint}")
        case .plaintextNotAllowed: .init(403, 64, "relctl endpoint repin {endpoint} --allow-plaintext")
        case .loginNeeded: .init(409, 11, "relctl login add {name} | relctl list")
        case .loginAmbiguous: .init(409, 64)
        case .loginUnclear: .init(409, 64)
        case .loginElsewhere: .init(409, 64, "relctl login list")
        case .loginRejected: .init(403, 13, "relctl login test {login}")
        case .newLoginRejected: .init(403, 13, "relctl login add {name}")
        case .reloginBlocked: .init(429, 13)
        case .endpointUnreachable: .init(502, 12, "relctl doctor {endpoint} | relctl doctor")
        case .identityConflict: .init(409, 5, "relctl endpoint repin {endpoint} | relctl doctor")
        case .identityUnverified: .init(409, 5, "relctl endpoint repin {endpoint}")
        case .identityChanged: .init(409, 5, "relctl show {endpoint}")
        case .ownerUnknown: .init(409, 5, "relctl endpoint set {endpoint} --accept-unknown-owner on")
        case .noAuthority: .init(400, 64, "relctl show {endpoint} --trust key")
        case .serverException: .init(502, 14)
        case .protocolFailure: .init(502, 1, "relctl doctor {endpoint} | relctl doctor")
        case .adapterNotFound: .init(404, 11, "relctl adapter list")
        case .adapterClosed: .init(410, 11, "relctl adapter open {endpoint} | relctl adapter list")
        case .tooManyAdapters: .init(429, 1, "relctl adapter list")
        case .socketFailed: .init(500, 1, "relctl doctor")
        case .grantNotFound: .init(404, 11, "relctl grant list")
        case .invalidGrant: .init(400, 64)
        case .grantsOnly: .init(403, 1, "relctl grant add --help")
        case .sessionExportOff: .init(403, 1, "relctl adapter open {endpoint} --loopback")
        case .logUnavailable: .init(500, 1, "relctl doctor")
        }
    }
}
