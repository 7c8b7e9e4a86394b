// SPDX-License-Identifier: Apache-2.0

import Platform

extension OpenVault {
    /// Makes the bytes of a separate vault with the same logins, under its own data key, which only `slot` opens.
    /// Grants, settings and the keys of this machine's anchor and audit log are not exported.
    func exported(as storeID: [UInt8], under slot: NewSlot, random: any RandomSource) throws(CredentialError) -> [UInt8]
    {
        let draft = try Self.draft(storeID, [slot], schedule: schedule, random: random)
        var copy = try resealed(for: draft.dataKey, in: storeID, random: random)
        copy.grants = []
        copy.settings = []
        let bytes = try Self.seal(
            copy,
            draft.keys,
            header: draft.header,
            dataKey: draft.dataKey,
            schedule: schedule,
            random: random
        )
        let check = try OpenVault(try VaultFile(parsing: bytes), dataKey: draft.dataKey, schedule: schedule)
        guard check.payload == copy else { throw .damaged(.record("read back")) }
        return bytes
    }
}
