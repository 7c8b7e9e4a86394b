// SPDX-License-Identifier: Apache-2.0

import Platform

extension VaultDisk {
    func copy(of vault: OpenVault) throws(CredentialError) -> VaultCopy {
        guard let folder = try folder(creating: false), let file = try folder.read() else {
            throw .noVault(path: options.directory)
        }
        let current = try vault.successor(file)
        return VaultCopy(
            file.bytes,
            generation: current.header.generation,
            logins: current.payload.entries.count,
            hash: current.hash
        )
    }

    func export(_ vault: OpenVault, passphrase: SharedSecret) throws(CredentialError) -> VaultCopy {
        try Passphrase.checkTypable(passphrase.secret)
        let (storeID, slotID) = try translated { () throws(PlatformError) in
            (try options.random.bytes(VaultHeader.storeIDByteCount), try options.random.bytes(KeySlot.idByteCount))
        }
        let slot = NewSlot(
            kind: .passphrase,
            cost: options.exportCost,
            secret: SharedSecret(try Passphrase.normalised(passphrase.secret, in: vault.schedule.arena)),
            id: slotID,
            label: "export",
            created: options.now()
        )
        let bytes = try vault.exported(as: storeID, under: slot, random: options.random)
        return VaultCopy(
            bytes,
            generation: 1,
            logins: vault.payload.entries.count,
            hash: try translated { () throws(PlatformError) in try SHA256.digest(of: bytes) }
        )
    }

    /// Saves a vault from another place as the next generation. It gets a new audit key, because its old log stayed
    /// where it was written. This machine's log starts again.
    func place(_ vault: OpenVault, isReplacing: Bool) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: true) else { throw .noVault(path: options.directory) }
        let keys = VaultKeys(
            anchor: vault.keys.anchor,
            audit: try translated { () throws(PlatformError) in
                try VaultKeys.fresh(in: vault.schedule.arena, from: options.random).audit
            },
            auditHead: .start
        )
        let bytes = try vault.next(vault.payload, keys, random: options.random)
        return try folder.replace { file throws(CredentialError) in
            guard file == nil || isReplacing else { throw .vaultExists(path: folder.path) }
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: false) { written throws(CredentialError) in
                try vault.verified(written, bytes: bytes, payload: vault.payload, keys: keys)
            }
        }
    }
}
