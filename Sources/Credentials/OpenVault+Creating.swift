// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// How the first slot of a new vault is made.
    struct FirstSlot: Sendable {
        /// Names the vault for good.
        let storeID: [UInt8]
        let kind: KeyProviderKind
        let cost: ScryptCost?
        let secret: SharedSecret
        let label: String
        /// Seconds since 1970.
        let created: UInt64
    }

    /// Makes a vault with a new data key and saves it as generation 1.
    ///
    /// - Throws: `CredentialError.vaultExists` if there is a file already, whatever is in it.
    static func create(
        in folder: VaultFolder,
        _ first: FirstSlot,
        schedule: KeySchedule
    ) throws(CredentialError) -> OpenVault {
        // The slow derivation comes before the lock.
        let draft = try draft(first, schedule: schedule, random: folder.random)
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
                return try vault.verified(written, bytes: bytes, payload: payload)
            }
        }
    }

    private struct NewVault {
        let header: VaultHeader
        let dataKey: SharedSecret
        let keys: VaultKeys
    }

    private static func draft(
        _ first: FirstSlot,
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) -> NewVault {
        let identity = try SlotIdentity.fresh(first.kind, cost: first.cost, from: random)
        let made = try translated { () throws(PlatformError) in
            let dataKey = try Secret(randomBytes: KeySchedule.dataKeyByteCount, in: schedule.arena, from: random)
            return (dataKey: SharedSecret(dataKey), keys: try VaultKeys.fresh(in: schedule.arena, from: random))
        }
        let slotSecret = try translated { () throws(PlatformError) in
            try schedule.slotSecret(from: first.secret.secret, identity)
        }
        let slot = try schedule.wrap(
            made.dataKey.secret,
            for: identity,
            slotSecret: slotSecret,
            storeID: first.storeID,
            label: first.label,
            created: first.created
        )
        let header = VaultHeader(
            storeID: first.storeID,
            generation: 1,
            previousHash: [UInt8](repeating: 0, count: 32),
            saveSalt: [],
            slots: [slot],
            payloadByteCount: 0
        )
        return NewVault(header: header, dataKey: made.dataKey, keys: made.keys)
    }
}
