// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Platform

/// A command that can be pasted into a shell as the next step.
///
/// An interpolated string becomes one quoted word: `"relctl login test \(name)"`.
struct Hint: Hashable {
    let command: String

    init(command: String) {
        self.command = command
    }
}

extension Hint: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var command = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) { command += literal }

        mutating func appendInterpolation(_ word: String) {
            // An argument that begins with a hyphen would be parsed as an option.
            if word.hasPrefix("-"), command.hasSuffix(" ") { command += "-- " }
            command += ShellWord.quote(word)
        }

        mutating func appendInterpolation(_ number: some BinaryInteger) { command += "\(number)" }
    }

    init(stringLiteral command: String) { self.init(command: command) }

    init(stringInterpolation: StringInterpolation) { self.init(command: stringInterpolation.command) }
}

extension DaemonError {
    /// The next step; nil if there is no command for it. For wrong usage, nil leads to the help of the command.
    var hint: Hint? {
        switch self {
        case .failed: "relctl journal"
        case .endpointNotFound, .endpointAmbiguous, .listFull: "relctl list"
        case .endpointExists(let error): "relctl show \(error.name)"
        case .endpointNotManual(let error): "relctl hide \(error.name)"
        case .listTooNew: "relctl status"
        case .notSaved, .storageFailed, .socketFailed, .vaultDamaged: "relctl doctor"
        case .watcherTooSlow(let error): error.stream == .adapters ? "relctl adapter watch" : "relctl watch"

        case .vaultAbsent: "relctl vault init"
        case .vaultLocked: "relctl vault unlock"
        case .vaultExists, .vaultChanged, .wrongKey, .wrongGeneration: "relctl vault status"
        case .formatTooNew: "relctl version"
        case .rollbackSuspected(let error): "relctl vault accept --generation \(error.found)"
        case .forkSuspected(let error): "relctl vault accept --generation \(error.found)"
        case .providerUnavailable: "relctl vault providers"
        case .unsafeStore(let error): Hint(command: error.repair)
        case .diskFull(let error): Hint(command: Repair.showFreeSpace(at: error.path))
        case .vaultFull(let error): Self.list(of: error.content)
        case .copyTooCostly: "relctl vault export --help"
        case .slotNotFound, .slotAmbiguous, .slotExists: "relctl vault slot list"
        case .slotNeeded: "relctl vault slot add --provider passphrase"
        case .loginNotFound, .loginNameAmbiguous, .loginExists: "relctl login list"
        case .loginReadOnly, .passwordCommandFailed: "man relativityd"
        case .loginFileChanged: "systemctl --user restart relativityd.service"
        case .pinNotFound(let error): "relctl endpoint pin \(error.endpoint)"
        case .loginsBound(let error): "relctl endpoint forget --logins \(error.endpoint)"
        case .plaintextNotAllowed(let error): Self.permission(error)

        case .loginNeeded(let error): error.name.map { "relctl login add \($0)" } ?? "relctl list"
        case .loginElsewhere: "relctl login list"
        case .loginRejected(let error): "relctl login test \(error.login)"
        case .newLoginRejected(let error): "relctl login add \(error.name)"
        case .endpointUnreachable(let error): Self.doctor(error.endpoint)
        case .protocolFailure(let error): Self.doctor(error.endpoint)
        case .identityConflict(let error): Self.repin(error.endpoint)
        case .identityUnverified(let error): Self.repin(error.endpoint)
        case .identityChanged(let error): "relctl show \(error.endpoint)"
        case .ownerUnknown(let error): error.endpoint.map { "relctl endpoint set \($0) --accept-unknown-owner on" }
        case .noAuthority(let error): error.endpoint.map { "relctl show \($0) --trust key" }
        case .adapterNotFound, .tooManyAdapters: "relctl adapter list"
        case .adapterClosed(let error): error.endpoint.map { "relctl adapter open \($0)" } ?? "relctl adapter list"
        case .grantNotFound: "relctl grant list"
        case .grantsOnly: "relctl grant add --help"
        case .sessionExportOff(let error): error.endpoint.map { "relctl adapter open \($0) --loopback" }
        case .logUnavailable: "relctl audit verify"

        // The user can only try again later.
        case .storeBusy, .attemptInProgress, .reloginBlocked, .tooManyWatchers: nil
        // The server or the user has refused.
        case .serverException, .notPermitted: nil
        case .invalidEndpoint, .invalidLogin, .invalidGrant, .slotNotPresented, .loginAmbiguous, .loginUnclear: nil
        }
    }

    private static func doctor(_ endpoint: String?) -> Hint {
        if let endpoint { "relctl doctor \(endpoint)" } else { "relctl doctor" }
    }

    private static func repin(_ endpoint: String?) -> Hint? { endpoint.map { "relctl endpoint repin \($0)" } }

    private static func permission(_ error: CredentialsAPI.PlaintextNotAllowedError) -> Hint? {
        error.endpoint.map { endpoint in
            error.pinned
                ? "relctl endpoint repin \(endpoint) --allow-plaintext"
                : "relctl endpoint pin \(endpoint) --allow-plaintext"
        }
    }

    /// The command that lists entries which could be removed to free space.
    private static func list(of content: CredentialsAPI.VaultFullError.Content) -> Hint {
        switch content {
        case .slots: "relctl vault slot list"
        case .grants: "relctl grant list"
        case .logins, .pins, .settings, .bytes: "relctl login list"
        }
    }
}

extension PlatformError {
    /// The next step, if the message contains none. For wrong usage, nil leads to the help of the command.
    var hint: Hint? {
        switch self {
        case .arenaExhausted: "ulimit -l"
        case .crypto: "relctl version"
        case .noTerminal: .helpOfVerb
        case .secretTooLong, .secretHasNUL, .secretMissing, .notARecoveryCode, .notRegular: nil
        case .noHome, .system, .tooLarge, .unsafePermissions, .noRuntimeDirectory, .runtimeDirectoryTooLong:
            nil
        }
    }
}
