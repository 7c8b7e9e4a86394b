// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Glibc
import LocalAPI
import Platform

extension DaemonError {
    init(_ error: CredentialError) {
        let text = "\(error)"
        self =
            switch error {
            case .noVault(let path): .vaultAbsent(.init(message: text, path: path))
            case .vaultExists(let path): .vaultExists(.init(message: text, path: path))
            case .locked: .vaultLocked(.init(message: text))
            case .notAVault, .damaged: .vaultDamaged(.init(message: text))
            case .versionTooNew: .formatTooNew(.init(message: text))
            case .tooCostly: .copyTooCostly(.init(message: text))
            case .wrongKey: .wrongKey(.init(message: text))
            case .rollbackSuspected(let found, let known):
                .rollbackSuspected(
                    .init(message: text, found: Int64(clamping: found), known: Int64(clamping: known))
                )
            case .forkSuspected(let generation):
                .forkSuspected(.init(message: text, found: Int64(clamping: generation)))
            case .wrongGeneration(let asked, let found):
                .wrongGeneration(.init(message: text, asked: Int64(clamping: asked), found: Int64(clamping: found)))
            case .providerUnavailable(let kind, _):
                .providerUnavailable(.init(message: text, provider: "\(kind)"))
            case .storeBusy: .storeBusy(.init(message: text))
            case .conflict: .vaultChanged(.init(message: text))
            case .attemptInProgress: .attemptInProgress(.init(message: text))
            case .unsafePermissions(let path, let reason, let fix):
                .unsafeStore(.init(message: "\(ShellWord.quote(path)) \(reason)", path: path, repair: fix))
            case .storage(.system(_, let path, ENOSPC)), .storage(.system(_, let path, EDQUOT)):
                .diskFull(.init(message: text, path: path))
            case .storage: .storageFailed(.init(message: text))
            case .full(let content, let limit):
                .vaultFull(.init(message: text, content: .init(content), limit: Int64(limit)))
            case .auditUnavailable: .logUnavailable(.init(message: text))
            case .nameTaken(let name): .loginExists(.init(message: text, login: name))
            case .noSuchLogin(let name): .loginNotFound(.init(message: text, login: name))
            case .noSuchSlot(let slot): .slotNotFound(.init(message: text, slot: slot))
            case .slotAmbiguous(let slot, let candidates):
                .slotAmbiguous(.init(message: text, slot: slot, candidates: candidates))
            case .slotNeeded(_, let canBeForced): .slotNeeded(.init(message: text, forceable: canBeForced))
            case .slotExists(let kind): .slotExists(.init(message: text, provider: "\(kind)"))
            case .slotNotPresented(let slot): .slotNotPresented(.init(message: text, slot: slot))
            case .loginIsConfigured(let name): .loginReadOnly(.init(message: text, login: name))
            case .configuredLoginLost(let name, _): .loginFileChanged(.init(message: text, login: name))
            case .pinMismatch(let endpoint): .identityConflict(.init(message: text, endpoint: endpoint.text))
            case .pinUnverified(let endpoint): .identityUnverified(.init(message: text, endpoint: endpoint.text))
            case .notPinned(let endpoint): .pinNotFound(.init(message: text, endpoint: endpoint.text))
            case .loginsBound(let endpoint, let names):
                .loginsBound(.init(message: text, endpoint: endpoint.text, logins: names))
            case .invalid: .invalidLogin(.init(message: text))
            }
    }
}

extension CredentialsAPI.VaultFullError.Content {
    fileprivate init(_ content: VaultContent) {
        self =
            switch content {
            case .logins: .logins
            case .pins: .pins
            case .slots: .slots
            case .settings: .settings
            case .grants: .grants
            case .bytes: .bytes
            }
    }
}
