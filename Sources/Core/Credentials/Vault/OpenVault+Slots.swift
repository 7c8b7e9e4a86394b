// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

extension OpenVault {
    /// The changes of a save that changes the key slots. The keys in the payload stay.
    struct Revision {
        var slots: SlotList
        var payload: VaultPayload
        var dataKey: SharedSecret

        init(_ vault: OpenVault) {
            slots = SlotList(vault.header.slots)
            payload = vault.payload
            dataKey = vault.dataKey
        }
    }

    /// Saves a change of the key slots.
    ///
    /// - Parameters:
    ///   - dropsPrevious: see `VaultFolder.Draft`.
    ///   - change: receives the vault as it is on disk, under the lock. Do slow work before this call.
    /// - Throws: `CredentialError.conflict` if the file on disk is not a successor of this vault; any error of
    ///   `change`.
    func reslot(
        in folder: VaultFolder,
        dropsPrevious: Bool,
        _ change: (OpenVault, inout Revision) throws(CredentialError) -> Void
    ) throws(CredentialError) -> OpenVault {
        try folder.save { file throws(CredentialError) in
            let base = try successor(file)
            var revision = Revision(base)
            try change(base, &revision)
            let changed = revision
            let keys = base.keys.with(folder.auditHead)
            var header = base.header
            header.generation += 1
            header.previousHash = base.hash
            header.slots = changed.slots.slots
            let bytes = try Self.seal(
                changed.payload,
                keys,
                header: header,
                dataKey: changed.dataKey,
                schedule: schedule,
                random: folder.random
            )
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: dropsPrevious) { written throws(CredentialError) in
                try base.verified(written, bytes: bytes, payload: changed.payload, keys: keys, dataKey: changed.dataKey)
            }
        }
    }

    /// Checks that a slot was wrapped for this secret.
    ///
    /// - Throws: `CredentialError.wrongKey` if it was not; `.damaged` if the slot contains a different data key from
    ///   this vault's.
    func check(_ secret: SharedSecret, opens slot: KeySlot) throws(CredentialError) {
        let slotSecret = try translated(schedule.slotSecret(from: secret.secret, slot.identity))
        let found = try schedule.unwrap(slot, slotSecret: slotSecret, storeID: header.storeID)
        guard found.secret.isEqual(to: dataKey.secret) else { throw .damaged(.slotKey) }
    }

    /// Finds the slot of this kind that a secret opens.
    ///
    /// - Throws: `CredentialError.wrongKey` if it opens none; `.providerUnavailable` if the vault has no such slot.
    func slot(_ kind: KeyProviderKind, openedBy secret: SharedSecret) throws(CredentialError) -> KeySlot {
        let slots = header.slots.filter { $0.kind == kind }
        guard !slots.isEmpty else { throw .providerUnavailable(kind, ProviderFault(.noSlot)) }
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

    /// Seals every secret again under another data key, each with a fresh salt.
    ///
    /// - Parameter storeID: the store ID of the vault that the payload is for, 16 bytes.
    func resealed(
        for dataKey: SharedSecret,
        in storeID: [UInt8],
        random: any RandomSource
    ) throws(CredentialError) -> VaultPayload {
        var payload = payload
        for index in payload.entries.indices {
            let entry = payload.entries[index]
            let pin = try pin(of: entry)
            func moved(_ field: SealedField) throws(CredentialError) -> SealedSecret {
                let target = SealedSecret.Binding(
                    storeID: storeID,
                    entryID: entry.id.bytes,
                    field: field,
                    revision: entry.revision,
                    pin: pin
                )
                return try SealedSecret(
                    sealing: try secret(field, of: entry, pin: pin),
                    target,
                    dataKey: dataKey,
                    schedule: schedule,
                    random: random
                )
            }
            payload.entries[index].password = try moved(.password)
            if entry.envelope != nil { payload.entries[index].envelope = try moved(.envelope) }
        }
        return payload
    }
}
