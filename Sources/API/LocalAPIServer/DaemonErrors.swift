// SPDX-License-Identifier: Apache-2.0

import Broker
package import Credentials
import Endpoints
import Glibc
import JSON
package import LocalAPI
import Platform
import Registry
import Varlink

extension DaemonError {
    /// Runs the body of a method. Converts errors of the modules below to errors of the API.
    static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as UnansweredPrompt {
            guard let known = DaemonError(known: error.failure) else { throw error.failure }
            var parameters = known.parameters
            parameters["message"] = .string("\(known.message), and \(error.reason)")
            throw VarlinkError(known.code.rawValue, parameters)
        } catch {
            throw DaemonError(known: error) ?? error
        }
    }

    /// Converts an error.
    ///
    /// - Returns: nil for an error that no module below throws.
    private init?(known error: any Error) {
        switch error {
        case let error as RegistryError: self.init(error)
        case let error as ServerURLError: self.init(error)
        case let error as CredentialError: self.init(error)
        case let error as BrokerError: self.init(error)
        case let error as DaemonError: self = error
        default: return nil
        }
    }

    /// Runs work for one endpoint, and names the endpoint in its errors.
    ///
    /// - Parameter endpoint: called only after a failure.
    static func naming<Value>(
        _ endpoint: @autoclosure () async -> EndpointID?,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as BrokerError {
            throw DaemonError(error, at: await endpoint())
        }
    }
}

extension DaemonError {
    init(_ error: RegistryError) {
        let text = "\(error)"
        self =
            switch error {
            case .notFound(let reference, _): .endpointNotFound(message: text, endpoint: reference)
            case .ambiguous(let reference, let candidates):
                .endpointAmbiguous(message: text, endpoint: reference, candidates: candidates.map(\.text))
            case .nameTaken(let name), .alreadyAdded(let name): .endpointExists(message: text, name: name)
            case .invalidName: .invalidEndpoint(message: text)
            case .notManual(let name), .namedByServer(let name), .configured(let name):
                .endpointNotManual(message: text, name: name)
            case .full(let limit): .listFull(message: text, limit: Int64(limit))
            case .listTooNew: .listTooNew(message: text)
            case .notSaved: .notSaved(message: text)
            case .tooManyWatchers(let limit): .tooManyWatchers(message: text, limit: Int64(limit))
            case .watcherTooSlow: .watcherTooSlow(message: text, stream: .endpoints)
            }
    }

    init(_ error: ServerURLError) { self = .invalidEndpoint(message: "\(error)") }
}

extension DaemonError {
    /// The error of the API for an error of the vault.
    package init(_ error: CredentialError) {
        let text = "\(error)"
        self =
            switch error {
            case .noVault(let path), .fileMissing(let path, copy: nil): .vaultAbsent(message: text, path: path)
            case .vaultExists(let path): .vaultExists(message: text, path: path)
            case .locked: .vaultLocked(message: text)
            case .notAVault, .damaged, .fileMissing: .vaultDamaged(message: text)
            case .versionTooNew: .formatTooNew(message: text)
            case .tooCostly: .copyTooCostly(message: text)
            case .wrongKey: .wrongKey(message: text)
            case .rollbackSuspected(let found, let known):
                .rollbackSuspected(message: text, found: Int64(clamping: found), known: Int64(clamping: known))
            case .forkSuspected(let generation):
                .forkSuspected(message: text, found: Int64(clamping: generation))
            case .wrongGeneration(let asked, let found):
                .wrongGeneration(message: text, asked: Int64(clamping: asked), found: Int64(clamping: found))
            case .providerUnavailable(let kind, _):
                .providerUnavailable(message: text, provider: "\(kind)")
            case .storeBusy: .storeBusy(message: text)
            case .conflict: .vaultChanged(message: text)
            case .attemptInProgress: .attemptInProgress(message: text)
            case .unsafePermissions(let path, let reason, let fix):
                .unsafeStore(message: "\(ShellWord.quote(path)) \(reason)", path: path, repair: fix)
            case .storage(.system(_, let path, ENOSPC)), .storage(.system(_, let path, EDQUOT)):
                .diskFull(message: text, path: path)
            case .storage: .storageFailed(message: text)
            case .full(let content, let limit):
                .vaultFull(message: text, content: .init(content), limit: Int64(limit))
            case .auditUnavailable: .logUnavailable(message: text)
            case .nameTaken(let name): .loginExists(message: text, login: name)
            case .noSuchLogin(let name): .loginNotFound(message: text, login: name)
            case .loginNameAmbiguous(let login, let candidates):
                .loginNameAmbiguous(message: text, login: login, candidates: candidates)
            case .noSuchSlot(let slot): .slotNotFound(message: text, slot: slot)
            case .slotAmbiguous(let slot, let candidates):
                .slotAmbiguous(message: text, slot: slot, candidates: candidates)
            case .slotNeeded(_, let canBeForced): .slotNeeded(message: text, forceable: canBeForced)
            case .slotExists(let kind): .slotExists(message: text, provider: "\(kind)")
            case .slotNotPresented(let slot): .slotNotPresented(message: text, slot: slot)
            case .loginIsConfigured(let name): .loginReadOnly(message: text, login: name)
            case .configuredLoginLost(let name, _): .loginFileChanged(message: text, login: name)
            case .passwordCommandFailed(let name, let failure, _):
                .passwordCommandFailed(
                    message: text,
                    login: name,
                    reason: .init(failure),
                    status: failure.status.map { Int64($0) }
                )
            case .commandNotAgreed(let name): .passwordCommandNotAgreed(message: text, login: name)
            case .pinMismatch(let endpoint): .identityConflict(message: text, endpoint: endpoint.text)
            case .pinUnverified(let endpoint): .identityUnverified(message: text, endpoint: endpoint.text)
            case .notPinned(let endpoint): .pinNotFound(message: text, endpoint: endpoint.text)
            case .loginsBound(let endpoint, let names):
                .loginsBound(message: text, endpoint: endpoint.text, logins: names)
            case .invalid: .invalidLogin(message: text)
            }
    }
}

extension DaemonError.Reason {
    fileprivate init(_ failure: SecretCommand.Failure) {
        self =
            switch failure {
            case .notFound, .notStarted, .local: .notStarted
            case .exited: .exited
            case .killed, .stopped: .killed
            case .late: .timeout
            case .tooLong, .empty, .hasNUL: .invalid
            }
    }
}

extension SecretCommand.Failure {
    fileprivate var status: Int32? { if case .exited(let status, _) = self { status } else { nil } }
}

extension DaemonError.Content {
    fileprivate init(_ content: VaultContent) {
        self =
            switch content {
            case .logins: .logins
            case .pins: .pins
            case .slots: .slots
            case .bytes: .bytes
            }
    }
}

extension DaemonError {
    /// Converts an error of the broker.
    ///
    /// - Parameter endpoint: the endpoint of the call, if it is known.
    init(_ error: BrokerError, at endpoint: EndpointID? = nil) {
        let (text, id) = ("\(error)", endpoint?.text)
        self =
            switch error {
            case .loginNeeded(let name): .loginNeeded(message: text, name: name)
            case .loginAmbiguous(let name, let candidates):
                .loginAmbiguous(message: text, name: name, candidates: candidates)
            case .loginMissing(let name, _): .loginNotFound(message: text, login: name)
            case .loginUnclear(let words, let readings):
                .loginUnclear(message: text, words: words, readings: readings)
            case .loginUnwanted(let words): .loginUnclear(message: text, words: words, readings: [])
            case .loginElsewhere(let login, let endpoint):
                .loginElsewhere(message: text, login: login, endpoint: endpoint.text)
            case .loginRejected(let login, _): .loginRejected(message: text, login: login)
            case .newLoginRejected(let name, _): .newLoginRejected(message: text, name: name)
            case .reloginBlocked: .reloginBlocked(message: text)
            case .unreachable: .endpointUnreachable(message: text, endpoint: id)
            // The endpoint would lead to a new pin, which does not change whose process answers.
            case .identityConflict(let reason) where reason.code == .otherUser: .identityConflict(message: text)
            case .identityConflict: .identityConflict(message: text, endpoint: id)
            case .identityUnverified: .identityUnverified(message: text, endpoint: id)
            case .ownerUnknown(let port): .ownerUnknown(message: text, endpoint: id, port: Int64(port))
            case .noAuthority: .noAuthority(message: text, endpoint: id)
            case .plaintextNotAllowed: .plaintextNotAllowed(message: text, endpoint: id, pinned: true)
            case .noPassword(let error): DaemonError(error)
            case .invalidLogin, .otherLogin, .otherExtra, .noLogin: .invalidLogin(message: text)
            case .refused(.grantsOnly): .grantsOnly(message: text, endpoint: id)
            case .refused, .changedSinceAgreed: .notPermitted(message: text)
            case .invalidGrant: .invalidGrant(message: text)
            case .grantNotFound(let grant): .grantNotFound(message: text, grant: grant)
            case .server(let className, let foreign):
                .serverException(message: text, class: className, text: foreign)
            case .protocolFailure: .protocolFailure(message: text, endpoint: id)
            case .overloaded: .failed(message: text)
            case .adapterNotFound(let adapter): .adapterNotFound(message: text, adapter: adapter)
            case .tooManyAdapters(let limit): .tooManyAdapters(message: text, limit: Int64(limit))
            case .tooManyWatchers(let limit): .tooManyWatchers(message: text, limit: Int64(limit))
            case .adapterSocket: .socketFailed(message: text)
            case .closed: .adapterClosed(message: text, endpoint: id)
            }
    }
}
