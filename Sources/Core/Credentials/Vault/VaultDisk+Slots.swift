// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// Changes of the key slots. Each change does its slow work with the newest file. It is then saved under the lock, if
/// the slots that it depends on are still the same.
extension VaultDisk {
    func addSlot(_ input: UnlockInput, label: String, to vault: OpenVault) throws(CredentialError) -> OpenVault {
        try KeySlot.check(label: label)
        let (folder, vault) = try newest(vault)
        try vault.header.slots.checkSpace(for: input.kind)
        let slot = try vault.key.wrapped(for: try newSlot(input, label: label, for: vault.key), random: options.random)
        return try vault.save(in: folder) { _, draft throws(CredentialError) in
            try draft.header.slots.add(slot)
        }
    }

    /// Removes a slot.
    ///
    /// - Returns: the vault, and the error if the provider's key could not be removed.
    func removeSlot(
        named name: String,
        isForced: Bool,
        from vault: OpenVault
    ) throws(CredentialError) -> (vault: OpenVault, leftover: CredentialError?) {
        let (folder, vault) = try newest(vault)
        let slot = try vault.header.slots.slot(named: name)
        let saved = try vault.save(in: folder, dropsPrevious: true) { _, draft throws(CredentialError) in
            try draft.header.slots.remove(slot, isForced: isForced)
        }
        return (saved, removeKeys(of: [slot], from: saved))
    }

    /// Wraps the data key again for the secret of a slot, with a fresh salt and the current cost.
    ///
    /// - Parameter secret: the passphrase or recovery code of the slot; nil if its key is stored outside the vault.
    func rewrapSlot(
        named name: String,
        _ secret: SharedSecret?,
        in vault: OpenVault
    ) throws(CredentialError) -> OpenVault {
        let (folder, vault) = try newest(vault)
        let old = try vault.header.slots.slot(named: name)
        let new = try vault.key.wrapped(for: try presented(old, secret, to: vault), random: options.random)
        return try vault.save(in: folder, dropsPrevious: true) { _, draft throws(CredentialError) in
            try draft.header.slots.replace(old, with: new)
        }
    }

    func labelSlot(
        named name: String,
        _ label: String,
        in vault: OpenVault
    ) throws(CredentialError) -> OpenVault {
        try KeySlot.check(label: label)
        let (folder, vault) = try newest(vault)
        let old = try vault.header.slots.slot(named: name)
        return try vault.save(in: folder) { _, draft throws(CredentialError) in
            try draft.header.slots.replace(old, with: old.labelled(label))
        }
    }

    /// Replaces the passphrase slot that `old` opens by a slot with its own ID for the new passphrase.
    func changePassphrase(
        from old: SharedSecret,
        to new: SharedSecret,
        in vault: OpenVault
    ) throws(CredentialError) -> OpenVault {
        let (folder, vault) = try newest(vault)
        // Reject an invalid passphrase before 0.25 s of work.
        var next = try newSlot(.passphrase(new), label: "", for: vault.key)
        let presented = try secret(.passphrase(old), of: vault.header.storeID, isNew: false, vault.key.arena)
        let slot = try vault.passphraseSlot(openedBy: presented)
        next.label = slot.label
        let replacement = try vault.key.wrapped(for: next, random: options.random)
        return try vault.save(in: folder, dropsPrevious: true) { _, draft throws(CredentialError) in
            try draft.header.slots.replace(slot, with: replacement)
        }
    }

    /// Replaces the data key, and seals every secret again under it.
    ///
    /// - Parameters:
    ///   - secrets: the passphrases and recovery codes, by the name of the slot.
    ///   - dropped: names of slots that are removed.
    /// - Returns: as `removeSlot`.
    /// - Throws: `CredentialError.slotNotPresented` for a typed slot that is in neither list. Nothing has changed
    ///   then.
    func rotateKey(
        of vault: OpenVault,
        presenting secrets: [(slot: String, secret: SharedSecret)],
        dropping dropped: [String],
        isForced: Bool
    ) throws(CredentialError) -> (vault: OpenVault, leftover: CredentialError?) {
        let (folder, vault) = try newest(vault)
        let old = vault.header.slots
        var kept = old
        var gone: [KeySlot] = []
        for name in dropped {
            let slot = try old.slot(named: name)
            if gone.contains(slot) { continue }
            try kept.remove(slot, isForced: isForced)
            gone.append(slot)
        }
        var presented: [[UInt8]: SharedSecret] = [:]
        for (name, secret) in secrets { presented[try old.slot(named: name).id] = secret }
        let key = try translated(DataKey.fresh(for: vault.key.storeID, in: vault.key.arena, from: options.random))
        for slot in old where !gone.contains(slot) {
            let secret = presented[slot.id]
            guard !slot.kind.isTyped || secret != nil else { throw .slotNotPresented(old.shortID(of: slot)) }
            let new = try self.presented(slot, secret, to: vault)
            try kept.replace(slot, with: try key.wrapped(for: new, random: options.random))
        }
        let slots = kept
        let saved = try vault.save(in: folder, dropsPrevious: true) { base, draft throws(CredentialError) in
            guard base.header.slots == old else { throw [KeySlot].changed }
            draft.header.slots = slots
            draft.key = key
            draft.payload = try base.resealed(for: key, random: options.random)
        }
        return (saved, removeKeys(of: gone, from: saved))
    }

    /// Makes a new slot with the same secret, after checking that the secret opens the old one.
    private func presented(
        _ slot: KeySlot,
        _ typed: SharedSecret?,
        to vault: OpenVault
    ) throws(CredentialError) -> NewSlot {
        let input: UnlockInput
        switch (slot.kind, typed) {
        case (.passphrase, let typed?): input = .passphrase(typed)
        case (.recoveryCode, let typed?): input = .recoveryCode(typed)
        case (.passphrase, nil), (.recoveryCode, nil):
            throw .slotNotPresented(vault.header.slots.shortID(of: slot))
        default: input = .provider(slot.kind)
        }
        let secret = try secret(input, of: vault.header.storeID, isNew: false, vault.key.arena)
        try vault.check(secret, opens: slot)
        return NewSlot(
            kind: slot.kind,
            cost: slot.kind == .passphrase ? try cost(in: vault.key.arena) : nil,
            secret: secret,
            id: slot.id,
            label: slot.label,
            created: slot.created
        )
    }

    /// Removes the keys of providers that no slot needs any longer. A provider has only one key for a vault, but a
    /// file that another program wrote may have several slots of its kind.
    private func removeKeys(of gone: [KeySlot], from saved: OpenVault) -> CredentialError? {
        var leftover: CredentialError?
        for kind in Set(gone.map(\.kind)).subtracting(saved.header.slots.map(\.kind)) {
            guard let provider = options.keyProviders.first(where: { $0.kind == kind }) else { continue }
            do throws(CredentialError) {
                try provider.removeKey(for: saved.header.storeID)
            } catch {
                leftover = error
            }
        }
        return leftover
    }
}

extension OpenVault {
    /// Checks that a slot was wrapped for this secret.
    ///
    /// - Throws: `CredentialError.wrongKey` if it was not; `.damaged` if the slot contains a different data key from
    ///   this vault's.
    fileprivate func check(_ secret: SharedSecret, opens slot: KeySlot) throws(CredentialError) {
        let slotSecret = try translated(slot.identity.slotSecret(from: secret.secret, in: key.arena))
        guard try slot.unwrap(slotSecret, storeID: header.storeID, in: key.arena).isSame(as: key) else {
            throw .damaged(.slotKey)
        }
    }

    /// Finds the slot that a passphrase opens.
    ///
    /// - Throws: `CredentialError.wrongKey` if it opens none; `.providerUnavailable` if the vault has no such slot.
    fileprivate func passphraseSlot(openedBy secret: SharedSecret) throws(CredentialError) -> KeySlot {
        let slots = header.slots.filter { $0.kind == .passphrase }
        guard !slots.isEmpty else { throw .providerUnavailable(.passphrase, ProviderFault(.noSlot)) }
        for slot in slots {
            do throws(CredentialError) {
                try check(secret, opens: slot)
                return slot
            } catch {
                guard error == .wrongKey else { throw error }
            }
        }
        throw .wrongKey
    }
}
