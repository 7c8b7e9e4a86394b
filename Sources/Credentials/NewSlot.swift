// SPDX-License-Identifier: Apache-2.0

import Platform

/// A key slot to be made.
struct NewSlot: Sendable {
    let kind: KeyProviderKind
    /// The cost of scrypt; set only for `passphrase`.
    let cost: ScryptCost?
    /// The normalised passphrase, the 20 bytes of a recovery code, or a provider's 32 bytes.
    let secret: SharedSecret
    /// 16 random bytes, or the ID of the slot that this one replaces.
    let id: [UInt8]
    let label: String
    /// Seconds since 1970.
    let created: UInt64

    /// Wraps the data key under a fresh salt, and checks that the slot opens again.
    func wrap(
        _ dataKey: SharedSecret,
        storeID: [UInt8],
        schedule: KeySchedule,
        random: any RandomSource
    ) throws(CredentialError) -> KeySlot {
        let salt = try translated { () throws(PlatformError) in try random.bytes(SlotIdentity.saltByteCount) }
        let identity = SlotIdentity(kind: kind, cost: cost, id: id, salt: salt)
        let slotSecret = try translated { () throws(PlatformError) in
            try schedule.slotSecret(from: secret.secret, identity)
        }
        let slot = try schedule.wrap(
            dataKey.secret,
            for: identity,
            slotSecret: slotSecret,
            storeID: storeID,
            label: label,
            created: created
        )
        let again = try schedule.unwrap(slot, slotSecret: slotSecret, storeID: storeID)
        guard again.secret.isEqual(to: dataKey.secret) else { throw .damaged(.slotKey) }
        return slot
    }
}
