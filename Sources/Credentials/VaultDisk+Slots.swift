// SPDX-License-Identifier: Apache-2.0

import Platform

/// Changes of the key slots. Each prepares what is slow against the newest file, and then saves it under the lock, where
/// the slots that it rests on must still be the same.
extension VaultDisk {
    func addSlot(_ offer: KeyOffer, label: String, to vault: OpenVault) throws(CredentialError) -> OpenVault {
        try KeySlot.check(label: label)
        let (folder, vault) = try newest(vault)
        try SlotList(vault.header.slots).checkRoom(for: offer.kind)
        let slot = try wrap(try newSlot(offer, label: label, storeID: vault.header.storeID, vault.schedule), for: vault)
        return try vault.reslot(in: folder, dropsPrevious: false) { _, revision throws(CredentialError) in
            try revision.slots.append(slot)
        }
    }

    /// - Returns: the vault, and why the provider's key could not be removed where that is so.
    func removeSlot(
        named name: String,
        isForced: Bool,
        from vault: OpenVault
    ) throws(CredentialError) -> (vault: OpenVault, leftover: CredentialError?) {
        let (folder, vault) = try newest(vault)
        let slot = try SlotList(vault.header.slots).find(name)
        let saved = try vault.reslot(in: folder, dropsPrevious: true) { _, revision throws(CredentialError) in
            try revision.slots.remove(slot, isForced: isForced)
        }
        return (saved, removeKeys(of: [slot], from: saved))
    }

    /// Wraps the data key anew for the secret that a slot has: a fresh salt, and the cost of today.
    ///
    /// - Parameter secret: the passphrase or recovery code of the slot; nil if its key is kept outside.
    func rewrapSlot(
        named name: String,
        _ secret: SharedSecret?,
        in vault: OpenVault
    ) throws(CredentialError) -> OpenVault {
        let (folder, vault) = try newest(vault)
        let old = try SlotList(vault.header.slots).find(name)
        let new = try wrap(try presented(old, secret, to: vault), for: vault)
        return try vault.reslot(in: folder, dropsPrevious: true) { _, revision throws(CredentialError) in
            try revision.slots.replace(old, with: new)
        }
    }

    func labelSlot(
        named name: String,
        _ label: String,
        in vault: OpenVault
    ) throws(CredentialError) -> OpenVault {
        try KeySlot.check(label: label)
        let (folder, vault) = try newest(vault)
        let old = try SlotList(vault.header.slots).find(name)
        return try vault.reslot(in: folder, dropsPrevious: false) { _, revision throws(CredentialError) in
            try revision.slots.replace(old, with: old.labelled(label))
        }
    }

    /// Puts a new passphrase, in a slot with an id of its own, in the place of the one that `old` opens.
    func changePassphrase(
        from old: SharedSecret,
        to new: SharedSecret,
        in vault: OpenVault
    ) throws(CredentialError) -> OpenVault {
        let (folder, vault) = try newest(vault)
        let storeID = vault.header.storeID
        // What cannot be a passphrase is told before a quarter of a second of work.
        let next = try secret(.passphrase(new), of: storeID, isNew: true, vault.schedule)
        let slot = try vault.slot(
            .passphrase,
            openedBy: try secret(.passphrase(old), of: storeID, isNew: false, vault.schedule)
        )
        let replacement = try wrap(try newSlot(.passphrase, next, label: slot.label, vault.schedule), for: vault)
        return try vault.reslot(in: folder, dropsPrevious: true) { _, revision throws(CredentialError) in
            try revision.slots.replace(slot, with: replacement)
        }
    }

    /// Gives the vault a new data key, and seals every secret anew under it.
    ///
    /// - Parameters:
    ///   - secrets: of the slots with a passphrase or recovery code, by the slot's name.
    ///   - dropped: names of slots that do not come along.
    /// - Returns: as `removeSlot`.
    /// - Throws: `CredentialError.slotNotPresented` for a slot that is in neither; nothing has changed then.
    func rotateKey(
        of vault: OpenVault,
        presenting secrets: [(slot: String, secret: SharedSecret)],
        dropping dropped: [String],
        isForced: Bool
    ) throws(CredentialError) -> (vault: OpenVault, leftover: CredentialError?) {
        let (folder, vault) = try newest(vault)
        let old = SlotList(vault.header.slots)
        var kept = old
        var gone: [KeySlot] = []
        for name in dropped {
            let slot = try old.find(name)
            if gone.contains(slot) { continue }
            try kept.remove(slot, isForced: isForced)
            gone.append(slot)
        }
        var presented: [[UInt8]: SharedSecret] = [:]
        for (name, secret) in secrets { presented[try old.find(name).id] = secret }
        let dataKey = try OpenVault.newDataKey(vault.schedule, options.random)
        for slot in kept.slots {
            let secret = presented[slot.id]
            guard !slot.kind.isTyped || secret != nil else { throw .slotNotPresented(old.shortID(of: slot)) }
            let new = try self.presented(slot, secret, to: vault)
            let wrapped = try new.wrap(
                dataKey,
                storeID: vault.header.storeID,
                schedule: vault.schedule,
                random: options.random
            )
            try kept.replace(slot, with: wrapped)
        }
        let slots = kept
        let saved = try vault.reslot(in: folder, dropsPrevious: true) { base, revision throws(CredentialError) in
            guard base.header.slots == old.slots else { throw SlotList.changed }
            revision.slots = slots
            revision.dataKey = dataKey
            revision.payload = try base.resealed(
                for: dataKey,
                in: base.header.storeID,
                random: options.random
            )
        }
        return (saved, removeKeys(of: gone, from: saved))
    }

    /// The slot again, after its secret was seen to open it.
    private func presented(
        _ slot: KeySlot,
        _ typed: SharedSecret?,
        to vault: OpenVault
    ) throws(CredentialError) -> NewSlot {
        let offer: KeyOffer
        switch (slot.kind, typed) {
        case (.passphrase, let typed?): offer = .passphrase(typed)
        case (.recoveryCode, let typed?): offer = .recoveryCode(typed)
        case (.passphrase, nil), (.recoveryCode, nil):
            throw .slotNotPresented(SlotList(vault.header.slots).shortID(of: slot))
        default: offer = .provider(slot.kind)
        }
        let secret = try secret(offer, of: vault.header.storeID, isNew: false, vault.schedule)
        try vault.check(secret, opens: slot)
        return NewSlot(
            kind: slot.kind,
            cost: slot.kind == .passphrase ? try cost(vault.schedule) : nil,
            secret: secret,
            id: slot.id,
            label: slot.label,
            created: slot.created
        )
    }

    private func wrap(_ slot: NewSlot, for vault: OpenVault) throws(CredentialError) -> KeySlot {
        try slot.wrap(
            vault.dataKey,
            storeID: vault.header.storeID,
            schedule: vault.schedule,
            random: options.random
        )
    }

    /// What is on disk now, opened with the key of `vault`; the same object if nothing has changed.
    ///
    /// - Throws: `CredentialError.conflict` if it is not a successor of `vault`.
    func newest(_ vault: OpenVault) throws(CredentialError) -> (folder: VaultFolder, vault: OpenVault) {
        guard let folder = try folder(creating: false) else { throw .conflict(reason: "the directory is gone") }
        return (folder, try vault.successor(try folder.read()))
    }

    /// A provider has one key for a vault: it stays as long as a slot needs it. More than one may, in a file that another
    /// program wrote.
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
