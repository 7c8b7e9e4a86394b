// SPDX-License-Identifier: Apache-2.0

import Platform

/// The key derivations of suite 1: from a provider's secret to the data key, and from the data key to the keys of one
/// save (docs/vault-format.md).
struct KeySchedule: Sendable {
    static let dataKeyByteCount = 32

    let arena: SecretArena

    /// The keys that are derived from a slot's secret.
    struct SlotKeys: ~Copyable {
        let wrapping: Secret
        let commitment: [UInt8]
    }

    /// Derives the slot secret, S in docs/vault-format.md.
    ///
    /// - Parameter secret: the provider's secret: a normalised passphrase, the 20 bytes of a recovery code, or 32
    ///   bytes.
    func slotSecret(
        from secret: borrowing Secret,
        _ slot: SlotIdentity
    ) throws(PlatformError) -> Secret {
        guard let cost = slot.cost else { return try secret.duplicate(in: arena) }
        return try KeyDerivation.scrypt(secret, salt: slot.salt, cost: cost, in: arena)
    }

    func slotKeys(
        slotSecret: borrowing Secret,
        _ slot: SlotIdentity,
        storeID: [UInt8]
    ) throws(PlatformError) -> SlotKeys {
        let info = Self.slotLabel + storeID + slot.id + [slot.kind.rawValue] + slot.parameters
        var keys = try KeyDerivation.hkdf(slotSecret, salt: slot.salt, info: info, byteCount: 64, in: arena)
        let commitment = keys.withBytes { Array($0[32...]) }
        keys.truncate(to: AESGCM.keyByteCount)
        return SlotKeys(wrapping: keys, commitment: commitment)
    }

    /// The associated data of a wrapped key. It contains only what cannot change without a new wrapping: not the
    /// state, the label or other slots.
    func slotAssociatedData(_ slot: SlotIdentity, storeID: [UInt8], commitment: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.slotLabel)
        writer.append(VaultHeader.suite)
        writer.append(storeID)
        writer.append(slot.id)
        writer.append(slot.kind.rawValue)
        writer.append(slot.parameters)
        writer.append(slot.salt)
        writer.append(commitment)
        return writer.bytes
    }

    func payloadKey(_ dataKey: borrowing Secret, storeID: [UInt8], saveSalt: [UInt8]) throws(PlatformError) -> Secret {
        try KeyDerivation.hkdf(
            dataKey,
            salt: storeID + saveSalt,
            info: Array("rcv1/payload".utf8),
            byteCount: AESGCM.keyByteCount,
            in: arena
        )
    }

    func headerTag(
        of header: [UInt8],
        _ dataKey: borrowing Secret,
        storeID: [UInt8],
        saveSalt: [UInt8]
    ) throws(PlatformError) -> [UInt8] {
        let key = try KeyDerivation.hkdf(
            dataKey,
            salt: storeID + saveSalt,
            info: Array("rcv1/header".utf8),
            byteCount: SHA256.byteCount,
            in: arena
        )
        return try key.withBytes { key throws(PlatformError) in try HMACSHA256.tag(of: header, key: key) }
    }

    func entryKey(
        _ dataKey: borrowing Secret,
        salt: [UInt8],
        storeID: [UInt8],
        entryID: [UInt8],
        field: SealedField
    ) throws(PlatformError) -> Secret {
        try KeyDerivation.hkdf(
            dataKey,
            salt: salt,
            info: Array("rcv1/entry".utf8) + storeID + entryID + [field.rawValue],
            byteCount: AESGCM.keyByteCount,
            in: arena
        )
    }

    private static let slotLabel = Array("rcv1/slot".utf8)
}
