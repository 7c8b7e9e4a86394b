// SPDX-License-Identifier: Apache-2.0

import Credentials
import JSON
import LocalAPI

extension APIError {
    init(_ error: CredentialError) {
        let code: APIErrorCode =
            switch error {
            case .noVault: .vaultAbsent
            case .vaultExists: .vaultExists
            case .locked: .vaultLocked
            case .notAVault, .damaged: .vaultDamaged
            case .versionTooNew: .formatTooNew
            case .wrongKey: .wrongKey
            case .rollbackSuspected: .rollbackSuspected
            case .forkSuspected: .forkSuspected
            case .wrongGeneration: .wrongGeneration
            case .providerUnavailable: .providerUnavailable
            case .storeBusy, .conflict, .attemptInProgress: .storeBusy
            case .unsafePermissions, .storage, .full, .tooCostly, .auditUnavailable: .unsafeStore
            case .nameTaken: .loginExists
            case .noSuchLogin: .loginNotFound
            case .noSuchSlot: .slotNotFound
            case .slotAmbiguous: .slotAmbiguous
            case .slotNeeded: .slotNeeded
            case .slotExists: .slotExists
            case .slotNotPresented: .slotNotPresented
            case .loginIsConfigured: .loginReadOnly
            case .pinMismatch, .pinUnverified: .identityConflict
            case .notPinned: .pinNotFound
            case .loginsBound: .loginsBound
            case .invalid, .configuredLoginLost: .invalidLogin
            }
        var details = JSONObject()
        if case .slotAmbiguous(_, let candidates) = error {
            details["candidates"] = .array(candidates.map { .string($0) })
        }
        self.init(code, error.reason, hint: error.nextStep, details: details)
    }
}
