// SPDX-License-Identifier: Apache-2.0

import Platform

extension KeySchedule {
    /// Wraps the data key for one slot. The slot's salt must never have been used before.
    func wrap(
        _ dataKey: borrowing Secret,
        for slot: SlotIdentity,
        slotSecret: borrowing Secret,
        storeID: [UInt8],
        label: String,
        created: UInt64
    ) throws(CredentialError) -> KeySlot {
        try translated { () throws(PlatformError) in
            let keys = try slotKeys(slotSecret: slotSecret, slot, storeID: storeID)
            let associatedData = slotAssociatedData(slot, storeID: storeID, commitment: keys.commitment)
            let wrapped = try dataKey.withBytes { plain throws(PlatformError) in
                try AESGCM.seal(plain, key: keys.wrapping, associatedData: associatedData)
            }
            return KeySlot(
                slot,
                commitment: keys.commitment,
                wrappedKey: wrapped.ciphertext + wrapped.tag,
                label: label,
                created: created
            )
        }
    }

    /// Unwraps the data key of one slot.
    ///
    /// - Throws: `CredentialError.wrongKey` if the commitment differs, which is checked before anything is decrypted;
    ///   `.damaged(.slotKey)` if the commitment matches but the wrapped key does not open.
    func unwrap(
        _ slot: KeySlot,
        slotSecret: borrowing Secret,
        storeID: [UInt8]
    ) throws(CredentialError) -> SharedSecret {
        let keys = try translated { () throws(PlatformError) in
            try slotKeys(slotSecret: slotSecret, slot.identity, storeID: storeID)
        }
        guard ConstantTime.areEqual(keys.commitment, slot.commitment) else { throw .wrongKey }
        let associatedData = slotAssociatedData(slot.identity, storeID: storeID, commitment: slot.commitment)
        let wrapped = Array(slot.wrappedKey[..<Self.dataKeyByteCount])
        let tag = Array(slot.wrappedKey[Self.dataKeyByteCount...])
        var isRight = false
        let dataKey = try translated { () throws(PlatformError) in
            try Secret(capacity: wrapped.count, in: arena) { room throws(PlatformError) in
                isRight = try wrapped.span.bytes.withUnsafeBytes { wrapped throws(PlatformError) in
                    try AESGCM.open(wrapped, tag: tag, key: keys.wrapping, associatedData: associatedData, into: room)
                }
                return room.count
            }
        }
        guard isRight else { throw .damaged(.slotKey) }
        return SharedSecret(dataKey)
    }
}
