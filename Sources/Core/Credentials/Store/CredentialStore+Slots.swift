// SPDX-License-Identifier: Apache-2.0

import Platform

/// Key slots of the open vault.
extension CredentialStore {
    /// Checks for each key provider whether a vault could be made with it, without a prompt to the user.
    ///
    /// - Throws: `CredentialError.attemptInProgress` if the providers are being checked already.
    package func checkProviders() async throws -> [ProviderCheck] {
        guard !isAskingProviders else { throw CredentialError.attemptInProgress }
        isAskingProviders = true
        defer { isAskingProviders = false }
        return try await onDisk { try $0.checkProviders() }
    }

    /// Checks that the call below can work, before the user is asked for a secret.
    ///
    /// - Throws: `CredentialError.locked`, `.noVault`, or the fault of the file.
    package func checkUnlocked() throws(CredentialError) {
        _ = try open()
        try checkTrust()
    }

    /// Makes a change of the slots. If it fails, it has no effect.
    ///
    /// - Returns: the error if the provider's key of a removed slot could not be removed.
    /// - Throws: `CredentialError.noSuchSlot`, `.slotAmbiguous`, `.slotNeeded`, `.slotNotPresented`, `.slotExists`,
    ///   `.full`, `.wrongKey`, `.invalid`, `.providerUnavailable`, `.locked`, `.conflict`, or the error of the save.
    @discardableResult
    package func change(_ change: SlotChange) async throws -> CredentialError? {
        let vault = try open()
        let before = locks
        // A change that was saved stays saved, even if the vault was locked meanwhile.
        let (saved, leftover) = try await checkingTrust {
            touch()
            return try await audited(AuditEntry(change.event)) {
                try await derive(slowedDown: change.presentsSecret, since: before) { try $0.apply(change, to: vault) }
            }
        }
        await adopt(saved)
        return leftover
    }
}
