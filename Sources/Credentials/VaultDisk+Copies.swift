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

    /// Writes a vault that was opened elsewhere, byte for byte.
    func place(
        _ vault: OpenVault,
        _ bytes: [UInt8],
        isReplacing: Bool
    ) throws(CredentialError) -> OpenVault {
        guard let folder = try folder(creating: true) else { throw .noVault(path: options.directory) }
        return try folder.replace { file throws(CredentialError) in
            guard file == nil || isReplacing else { throw .vaultExists(path: folder.path) }
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: false) { written throws(CredentialError) in
                try vault.verified(written, bytes: bytes, payload: vault.payload, keys: vault.keys)
            }
        }
    }
}
