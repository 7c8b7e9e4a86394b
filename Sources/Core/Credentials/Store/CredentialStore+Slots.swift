// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Key slots of the open vault. Every change is one save. A failed change has no effect.
extension CredentialStore {
    /// Checks for each key provider whether a vault could be made with it, without a prompt to the user.
    ///
    /// - Throws: `CredentialError.attemptInProgress` if the providers are being checked already.
    package func checkProviders() async throws -> [ProviderCheck] {
        try await askProviders { try $0.checkProviders() }
    }

    /// Checks that the calls below can work, before the user is asked for a secret.
    ///
    /// - Throws: `CredentialError.locked`, `.noVault`, or the fault of the file.
    package func checkUnlocked() throws(CredentialError) {
        _ = try open()
        try checkTrust()
    }

    /// Adds a slot.
    ///
    /// - Throws: `CredentialError.full`, `.slotExists`, `.invalid`, `.providerUnavailable`, `.locked`, `.conflict`, or
    ///   the error of the save.
    package func addSlot(_ input: UnlockInput, label: String = "") async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: false) { disk in try disk.addSlot(input, label: label, to: vault)
        }
    }

    /// Removes a slot, the file of the save before, and the key that a provider stores for the slot.
    ///
    /// - Parameters:
    ///   - name: its label, or the first digits of its ID.
    ///   - isForced: permits to remove the last slot that opens the vault on another machine.
    /// - Returns: the error if the provider's key could not be removed. The slot is removed anyway.
    /// - Throws: `CredentialError.noSuchSlot`, `.slotAmbiguous`, `.slotNeeded`; any error of `addSlot`.
    package func removeSlot(_ name: String, isForced: Bool = false) async throws -> CredentialError? {
        let vault = try open()
        return try await change(.slotChanged, checkingSecret: false) { disk in
            try disk.removeSlot(named: name, isForced: isForced, from: vault)
        }
    }

    /// Wraps the data key again for the secret of a slot, with a fresh salt and the current scrypt cost.
    ///
    /// - Parameter secret: its passphrase or recovery code; nil if its key is stored outside.
    /// - Throws: `CredentialError.wrongKey`, `.slotNotPresented`; any error of `removeSlot`.
    package func rewrapSlot(_ name: String, presenting secret: SharedSecret?) async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: secret != nil) { disk in
            try disk.rewrapSlot(named: name, secret, in: vault)
        }
    }

    /// Changes the label of a slot.
    ///
    /// - Throws: `CredentialError.invalid`; any error of `removeSlot`.
    package func labelSlot(_ name: String, _ label: String) async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: false) { disk in
            try disk.labelSlot(named: name, label, in: vault)
        }
    }

    /// Replaces the passphrase that `old` opens with `new`. Older copies of the file still open with `old`.
    ///
    /// - Throws: `CredentialError.wrongKey`, `.invalid`, `.providerUnavailable` if the vault has no passphrase.
    package func changePassphrase(from old: SharedSecret, to new: SharedSecret) async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: true) { disk in
            try disk.changePassphrase(from: old, to: new, in: vault)
        }
    }

    /// Replaces the data key. A key that was taken from an older copy of the file does not open the new file.
    ///
    /// Other processes that have the vault open get `CredentialError.conflict` at their next save.
    ///
    /// - Parameters:
    ///   - secrets: the secret of every slot with a passphrase or recovery code, by the slot's name.
    ///   - dropped: the names of slots that are removed.
    ///   - isForced: as in `removeSlot`.
    /// - Returns: as `removeSlot`.
    /// - Throws: `CredentialError.slotNotPresented` for a slot that is in neither list; `.wrongKey`; any error of
    ///   `removeSlot`.
    package func rotateKey(
        presenting secrets: [(slot: String, secret: SharedSecret)],
        dropping dropped: [String] = [],
        isForced: Bool = false
    ) async throws -> CredentialError? {
        let vault = try open()
        return try await change(.keyRotated, checkingSecret: !secrets.isEmpty) { disk in
            try disk.rotateKey(of: vault, presenting: secrets, dropping: dropped, isForced: isForced)
        }
    }

    private func change(
        _ event: AuditEvent,
        checkingSecret: Bool,
        _ work: @escaping @Sendable (VaultDisk) throws -> OpenVault
    ) async throws {
        _ = try await change(event, checkingSecret: checkingSecret) { disk in (vault: try work(disk), leftover: nil) }
    }

    private func change(
        _ event: AuditEvent,
        checkingSecret: Bool,
        _ work: @escaping @Sendable (VaultDisk) throws -> (vault: OpenVault, leftover: CredentialError?)
    ) async throws -> CredentialError? {
        let before = locks
        // A change that was saved stays saved, even if the vault was locked meanwhile.
        let (saved, leftover) = try await checkingTrust {
            touch()
            return try await audited(AuditEntry(event)) {
                try await derive(slowedDown: checkingSecret, since: before, work)
            }
        }
        await adopt(saved)
        return leftover
    }
}
