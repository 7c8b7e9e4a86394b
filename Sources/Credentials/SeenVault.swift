// SPDX-License-Identifier: Apache-2.0

import Platform

/// A vault's file as it shows without a key. Nothing of it is proven: whoever wrote the file could write all of this.
package struct SeenVault: Sendable {
    let file: VaultFile
    /// It is the vault of this user, not a copy of it.
    package let isInPlace: Bool
    /// Who else could have changed the file.
    package let warnings: [String]

    /// Major and minor version of the file's format.
    package var format: String { "\(VaultHeader.major).\(file.header.minor)" }
    /// 32 hexadecimal digits.
    package var storeID: String { HexText.encode(file.header.storeID) }
    package var generation: UInt64 { file.header.generation }
    /// SHA-256 of the file, 64 hexadecimal digits.
    package var hash: String { HexText.encode(file.hash) }
    package var slots: [VaultStatus.Slot] {
        let list = SlotList(file.header.slots)
        return list.slots.map { VaultStatus.Slot($0, named: list.shortID(of: $0)) }
    }

    /// The id of the slot that costs a thief with the disk the least.
    package var weakestSlot: String? {
        let list = SlotList(file.header.slots)
        return list.weakest.map(list.shortID)
    }
}
