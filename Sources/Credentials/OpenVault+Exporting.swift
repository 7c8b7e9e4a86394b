// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

extension OpenVault {
    /// The bytes of another vault with the same logins, under a data key of its own that nothing but `slot` opens. Grants,
    /// settings and the keys of this machine's logs stay here.
    func exported(as storeID: [UInt8], under slot: NewSlot, random: any RandomSource) throws(CredentialError) -> [UInt8]
    {
        let draft = try Self.draft(storeID, [slot], schedule: schedule, random: random)
        var copy = VaultPayload()
        copy.pins = payload.pins
        for entry in payload.entries {
            let pin = try pin(of: entry)
            copy.entries.append(
                try entry.resealed { field throws(CredentialError) in
                    let target = SealedSecret.Binding(
                        storeID: storeID,
                        entryID: entry.id.bytes,
                        field: field,
                        revision: entry.revision,
                        pinRecord: pin.canonicalRecord
                    )
                    return try SealedSecret(
                        sealing: try secret(field, of: entry, pin: pin),
                        target,
                        dataKey: draft.dataKey,
                        schedule: schedule,
                        random: random
                    )
                }
            )
        }
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
