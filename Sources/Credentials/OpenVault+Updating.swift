// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// Applies a change to the vault that is on disk now. Another program may have changed it since this process read
    /// it.
    ///
    /// - Parameters:
    ///   - dropsPrevious: see `VaultFolder.Draft`.
    ///   - change: receives the newest vault, for its keys, and the payload to change. The vault may be another
    ///     object than this one.
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected` or `.conflict` if the file on disk is not a
    ///   successor of this vault; any error of `change`.
    func update(
        in folder: VaultFolder,
        dropsPrevious: Bool = false,
        _ change: (OpenVault, inout VaultPayload) throws(CredentialError) -> Void
    ) throws(CredentialError) -> OpenVault {
        try folder.save { file throws(CredentialError) in
            let base = try successor(file)
            var payload = base.payload
            try change(base, &payload)
            let keys = base.keys.with(folder.auditHead)
            let bytes = try base.next(payload, keys, random: folder.random)
            return VaultFolder.Draft(bytes: bytes, dropsPrevious: dropsPrevious) { written throws(CredentialError) in
                try base.verified(written, bytes: bytes, payload: payload, keys: keys)
            }
        }
    }

    /// Opens the file on disk with this vault's data key. Returns this object if the file is the same.
    func successor(_ file: VaultFile?) throws(CredentialError) -> OpenVault {
        guard let file else { throw .conflict(reason: "the file is gone") }
        if file.hash == hash { return self }
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        let verdict = AnchorVerdict(VaultPosition(file), against: RollbackAnchor(VaultPosition(self)))
        if let suspicion = verdict.suspicion { throw suspicion }
        return try reopened(file)
    }

    /// Opens another file of this vault with its data key.
    ///
    /// - Throws: `CredentialError.conflict` if the file belongs to another vault, or its data key was replaced.
    func reopened(_ file: VaultFile) throws(CredentialError) -> OpenVault {
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        do throws(CredentialError) {
            return try OpenVault(file, dataKey: dataKey, schedule: schedule)
        } catch {
            guard error == .damaged(.headerTag) else { throw error }
            throw .conflict(reason: "its key was changed; lock and unlock the vault")
        }
    }

    /// Opens the file that was read back after a write. Checks that it has the same bytes and opens to the same
    /// content.
    ///
    /// - Parameter newKey: the data key of the new file; nil if it is this vault's.
    func verified(
        _ written: VaultFile,
        bytes: [UInt8],
        payload: VaultPayload,
        keys: VaultKeys,
        dataKey newKey: SharedSecret? = nil
    ) throws(CredentialError) -> OpenVault {
        guard written.bytes == bytes else { throw .damaged(.payload) }
        let vault = try OpenVault(written, dataKey: newKey ?? dataKey, schedule: schedule)
        guard vault.payload == payload, vault.keys.isSame(as: keys) else { throw .damaged(.record("read back")) }
        return vault
    }
}
