// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// Changes of the key slots. Each change does its slow work with the newest file. It is then saved under the lock, if
/// the slots that it depends on are still the same.
extension VaultDisk {
    private typealias Edit = (OpenVault, inout VaultDraft) throws(CredentialError) -> Void

    /// Saves a change.
    ///
    /// - Returns: the vault, and the error if a provider's key could not be removed.
    func apply(
        _ change: SlotChange,
        to vault: OpenVault
    ) throws(CredentialError) -> (vault: OpenVault, leftover: CredentialError?) {
        let (folder, vault) = try newest(vault)
        let edit = try edit(for: change, of: vault)
        let saved = try vault.save(in: folder, previous: change.previous, edit)
        return (saved, removeKeys(thatNoSlotNeedsIn: saved, since: vault))
    }

    private func edit(for change: SlotChange, of vault: OpenVault) throws(CredentialError) -> Edit {
        let slots = vault.header.slots
        switch change {
        case .add(let input, let label):
            try KeySlot.check(label: label)
            try slots.checkSpace(for: input.kind)
            let new = try wrapped(try newSlot(input, label: label, for: vault.key), for: vault.key)
            return { _, draft throws(CredentialError) in try draft.header.slots.add(new) }
        case .remove(let name, let isForced):
            let slot = try slots.slot(named: name)
            return { _, draft throws(CredentialError) in try draft.header.slots.remove(slot, isForced: isForced) }
        case .rewrap(let name, let secret):
            let slot = try slots.slot(named: name)
            return replacing(slot, with: try wrapped(try presented(slot, secret, to: vault), for: vault.key))
        case .label(let name, let label):
            try KeySlot.check(label: label)
            let slot = try slots.slot(named: name)
            return replacing(slot, with: slot.labelled(label))
        case .passphrase(let old, let new):
            // Reject an invalid passphrase before 0.25 s of work.
            var next = try newSlot(.passphrase(new), label: "", for: vault.key)
            let presented = try secret(.passphrase(old), of: vault.header.storeID, isNew: false, vault.key.arena)
            let slot = try vault.passphraseSlot(openedBy: presented)
            next.label = slot.label
            return replacing(slot, with: try wrapped(next, for: vault.key))
        case .rotate(let secrets, let dropped, let isForced):
            return try rotation(of: vault, presenting: secrets, dropping: dropped, isForced: isForced)
        }
    }

    private func replacing(_ old: KeySlot, with new: KeySlot) -> Edit {
        { _, draft throws(CredentialError) in try draft.header.slots.replace(old, with: new) }
    }

    private func wrapped(_ slot: NewSlot, for key: DataKey) throws(CredentialError) -> KeySlot {
        try key.wrapped(for: slot, random: options.random)
    }

    /// - Throws: `CredentialError.slotNotPresented` for a typed slot that is in neither list.
    private func rotation(
        of vault: OpenVault,
        presenting secrets: [(slot: String, secret: SharedSecret)],
        dropping dropped: [String],
        isForced: Bool
    ) throws(CredentialError) -> Edit {
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
        for slot in kept {
            let new = try self.presented(slot, presented[slot.id], to: vault)
            try kept.replace(slot, with: try wrapped(new, for: key))
        }
        return { [kept] base, draft throws(CredentialError) in
            guard base.header.slots == old else { throw [KeySlot].changed }
            draft.header.slots = kept
            draft.key = key
            draft.payload = try base.resealed(for: key, random: options.random)
        }
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
    private func removeKeys(thatNoSlotNeedsIn saved: OpenVault, since before: OpenVault) -> CredentialError? {
        var leftover: CredentialError?
        for kind in Set(before.header.slots.map(\.kind)).subtracting(saved.header.slots.map(\.kind)) {
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
        guard !slots.isEmpty else { throw .providerUnavailable(.passphrase, ProviderFault(code: .noSlot)) }
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
