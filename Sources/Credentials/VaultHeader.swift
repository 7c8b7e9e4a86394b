// SPDX-License-Identifier: Apache-2.0

import Platform

/// The part of a vault file that can be read without a key.
struct VaultHeader: Sendable, Hashable {
    static let major: UInt16 = 1
    /// The newest minor version that this program knows. It reads a file of a later one, but never writes it.
    static let newestMinor: UInt16 = 2
    static let suite: UInt16 = 1
    static let magic: [UInt8] = [0x89, 0x52, 0x43, 0x56, 0x0D, 0x0A, 0x1A, 0x0A]

    static let digestOffset = 108
    static let slotsOffset = 144
    static let storeIDByteCount = 16
    static let tagByteCount = 32
    static let gcmTagByteCount = 16

    /// The lowest minor version that can store the content, so that earlier programs can write the file too.
    var minor: UInt16 = 0
    /// 16 random bytes, made with the vault and never changed.
    let storeID: [UInt8]
    /// The number of the save: 1 for the first, one more for each that follows.
    var generation: UInt64
    /// SHA-256 of the whole file before this one; 32 zero bytes in generation 1.
    var previousHash: [UInt8]
    /// 32 random bytes, fresh at each save, so that every key of a save is used once.
    var saveSalt: [UInt8]
    var slots: [KeySlot]
    /// The length of the ciphertext without its tag: a multiple of 4096.
    var payloadByteCount: Int

    /// The header length, H in docs/vault-format.md.
    var byteCount: Int { Self.byteCount(slots: slots.count) }

    static func byteCount(slots: Int) -> Int {
        slotsOffset + slots * KeySlot.byteCount + 4 + tagByteCount
    }

    /// Encodes all header bytes before the tag.
    func encodedBeforeTag() throws(PlatformError) -> [UInt8] {
        var front = ByteWriter()
        front.append(Self.magic)
        front.append(Self.major)
        front.append(minor)
        front.append(UInt32(byteCount))
        front.append(Self.suite)
        front.append(UInt16(0))
        front.append(storeID)
        front.append(generation)
        front.append(previousHash)
        front.append(saveSalt)
        var back = ByteWriter()
        back.append(UInt8(slots.count))
        back.append(zeros: 3)
        for slot in slots { back.append(slot.encoded) }
        back.append(UInt32(payloadByteCount))
        return front.bytes + (try SHA256.digest(of: front.bytes + back.bytes)) + back.bytes
    }
}
