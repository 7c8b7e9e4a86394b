// SPDX-License-Identifier: Apache-2.0

import Platform

/// A vault file as far as it can be read without a key. None of it is authenticated: any process that can write the
/// file can forge it.
package struct SeenVault: Sendable {
    let file: VaultFile
    /// Whether the file is this user's vault, not a copy of it.
    package let isInPlace: Bool
    /// Warnings that other users could have changed the file.
    package let warnings: [String]

    /// The version of the file's format, `major.minor`.
    package var format: String { "\(VaultHeader.major).\(file.header.minor)" }
    /// The store ID, 32 hexadecimal digits.
    package var storeID: String { HexText.encode(file.header.storeID) }
    /// The number of the save.
    package var generation: UInt64 { file.header.generation }
    /// SHA-256 of the file, 64 hexadecimal digits.
    package var hash: String { HexText.encode(file.hash) }
    /// The key slots.
    package var slots: [VaultStatus.Slot] {
        let list = SlotList(file.header.slots)
        return list.slots.map { VaultStatus.Slot($0, named: list.shortID(of: $0)) }
    }

    /// The ID of the slot that is the easiest to open for a thief who has the disk.
    package var weakestSlot: String? {
        let list = SlotList(file.header.slots)
        return list.weakest.map(list.shortID)
    }
}
