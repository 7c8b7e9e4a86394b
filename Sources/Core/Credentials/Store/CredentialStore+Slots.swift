// SPDX-License-Identifier: Apache-2.0

package import Platform

/// Key slots of the open vault. Every change is one save; what fails has changed nothing.
extension CredentialStore {
    /// Which providers a vault could be made with here, and why not the others. Asks each of them, and no person.
    ///
    /// - Throws: `CredentialError.attemptInProgress` while they are being asked already.
    package func proposals() async throws -> [KeyProposal] {
        try await askProviders { try $0.proposals() }
    }

    /// Tells whether the calls below can do anything, before a person is asked for a secret.
    ///
    /// - Throws: `CredentialError.locked`, `.noVault`, or what is wrong with the file.
    package func checkUnlocked() throws(CredentialError) {
        _ = try open()
        try checkTrust()
    }

    /// - Throws: `CredentialError.full`, `.slotExists`, `.invalid`, `.providerUnavailable`, `.locked`, `.conflict`, or why
    ///   it could not be saved.
    package func addSlot(_ offer: KeyOffer, label: String = "") async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: false) { disk in try disk.addSlot(offer, label: label, to: vault)
        }
    }

    /// Removes a slot, the file of the save before, and the key that a provider keeps for the slot.
    ///
    /// - Parameters:
    ///   - name: its label, or the first digits of its id.
    ///   - isForced: also the last one that opens the vault on another machine.
    /// - Returns: why the provider's key could not be removed, where that is so; the slot is gone all the same.
    /// - Throws: `CredentialError.noSuchSlot`, `.slotAmbiguous`, `.slotNeeded`, and as `addSlot`.
    package func removeSlot(_ name: String, isForced: Bool = false) async throws -> CredentialError? {
        let vault = try open()
        return try await change(.slotChanged, checkingSecret: false) { disk in
            try disk.removeSlot(named: name, isForced: isForced, from: vault)
        }
    }

    /// Wraps the data key anew for the secret that a slot has, with a fresh salt and the scrypt cost of today.
    ///
    /// - Parameter secret: its passphrase or recovery code; nil if its key is kept outside.
    /// - Throws: `CredentialError.wrongKey`, `.slotNotPresented`, and as `removeSlot`.
    package func rewrapSlot(_ name: String, presenting secret: SharedSecret?) async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: secret != nil) { disk in
            try disk.rewrapSlot(named: name, secret, in: vault)
        }
    }

    /// - Throws: `CredentialError.invalid`, and as `removeSlot`.
    package func labelSlot(_ name: String, _ label: String) async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: false) { disk in
            try disk.labelSlot(named: name, label, in: vault)
        }
    }

    /// Puts a new passphrase in the place of the one that `old` opens. Older copies of the file still open with `old`.
    ///
    /// - Throws: `CredentialError.wrongKey`, `.invalid`, `.providerUnavailable` if the vault has no passphrase.
    package func changePassphrase(from old: SharedSecret, to new: SharedSecret) async throws {
        let vault = try open()
        try await change(.slotChanged, checkingSecret: true) { disk in
            try disk.changePassphrase(from: old, to: new, in: vault)
        }
    }

    /// Gives the vault a new data key: what opened an older copy of the file does not lead to the new one.
    ///
    /// Other processes that have the vault open get `CredentialError.conflict` at their next save.
    ///
    /// - Parameters:
    ///   - secrets: of every slot with a passphrase or recovery code, by the slot's name.
    ///   - dropped: names of the slots that do not come along.
    ///   - isForced: as in `removeSlot`.
    /// - Returns: as `removeSlot`.
    /// - Throws: `CredentialError.slotNotPresented` for a slot that is in neither, `.wrongKey`, and as `removeSlot`.
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
        // What was saved although the vault was locked meanwhile is saved.
        let (saved, leftover) = try await guardingTrust {
            touch()
            return try await telling(AuditEntry(event)) {
                try await derive(slowedDown: checkingSecret, since: before, work)
            }
        }
        await adopt(saved)
        return leftover
    }
}
