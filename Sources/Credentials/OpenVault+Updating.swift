// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// Applies a change to the vault as it is on disk now, which another program may have changed since we read it.
    ///
    /// - Parameters:
    ///   - dropsPrevious: see `VaultFolder.Draft`.
    ///   - change: gets the newest vault for its keys, and the payload to change. It may run on another vault than this.
    /// - Throws: `CredentialError.rollbackSuspected`, `.forkSuspected` or `.conflict` if what is on disk is not a successor of
    ///   this vault; what `change` throws.
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

    /// The file on disk, opened with our data key; the same object if it is our own.
    func successor(_ file: VaultFile?) throws(CredentialError) -> OpenVault {
        guard let file else { throw .conflict(reason: "the file is gone") }
        if file.hash == hash { return self }
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        let verdict = AnchorVerdict(VaultPosition(file), against: RollbackAnchor(VaultPosition(self)))
        if let suspicion = verdict.suspicion { throw suspicion }
        return try reopened(file)
    }

    /// Another file of this vault, opened with our data key.
    ///
    /// - Throws: `CredentialError.conflict` if it is another vault's, or its key was changed.
    func reopened(_ file: VaultFile) throws(CredentialError) -> OpenVault {
        guard file.header.storeID == header.storeID else { throw .conflict(reason: "it is another vault") }
        do throws(CredentialError) {
            return try OpenVault(file, dataKey: dataKey, schedule: schedule)
        } catch {
            guard error == .damaged(.headerTag) else { throw error }
            throw .conflict(reason: "its key was changed; lock and unlock the vault")
        }
    }

    /// What was written, after it was read back: the same bytes, and they open to the same content.
    ///
    /// - Parameter newKey: the data key of what was written; nil when it is this vault's.
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
