// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// Makes a vault with a new data key, and saves it as generation 1.
    ///
    /// - Parameters:
    ///   - storeID: 16 random bytes that identify the vault permanently.
    ///   - slots: 1 to 8 slots.
    /// - Throws: `CredentialError.vaultExists` if a file exists already, whatever its content.
    static func create(
        in folder: VaultFolder,
        storeID: [UInt8],
        slots: [NewSlot],
        schedule: KeySchedule
    ) throws(CredentialError) -> OpenVault {
        // The slow derivations run before the lock is acquired.
        let draft = try draft(storeID, slots, schedule: schedule, random: folder.random)
        let payload = VaultPayload()
        let bytes = try seal(
            payload,
            draft.keys,
            header: draft.header,
            dataKey: draft.dataKey,
            schedule: schedule,
            random: folder.random
        )
        return try folder.save { file throws(CredentialError) in
            guard file == nil else { throw .vaultExists(path: folder.path) }
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: true) { written throws(CredentialError) in
                let vault = try OpenVault(written, dataKey: draft.dataKey, schedule: schedule)
                guard vault.keys.isSame(as: draft.keys) else { throw .damaged(.record("read back")) }
                return try vault.verified(written, bytes: bytes, payload: payload, keys: draft.keys)
            }
        }
    }

    /// A vault that is not sealed yet.
    struct NewVault {
        let header: VaultHeader
        let dataKey: SharedSecret
        let keys: VaultKeys
    }

    /// Makes a new data key, wrapped for these slots.
    static func draft(
        _ storeID: [UInt8],
        _ slots: [NewSlot],
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) -> NewVault {
        let dataKey = try newDataKey(schedule, random)
        let keys = try translated { () throws(PlatformError) in
            try VaultKeys.fresh(in: schedule.arena, from: random)
        }
        var list = SlotList([])
        for slot in slots {
            try list.append(try slot.wrap(dataKey, storeID: storeID, schedule: schedule, random: random))
        }
        let header = VaultHeader(
            storeID: storeID,
            generation: 1,
            previousHash: [UInt8](repeating: 0, count: 32),
            saveSalt: [],
            slots: list.slots,
            payloadByteCount: 0
        )
        return NewVault(header: header, dataKey: dataKey, keys: keys)
    }

    static func newDataKey(
        _ schedule: KeySchedule,
        _ random: any RandomSource
    ) throws(CredentialError) -> SharedSecret {
        try translated { () throws(PlatformError) in
            SharedSecret(try Secret(randomBytes: KeySchedule.dataKeyByteCount, in: schedule.arena, from: random))
        }
    }
}
