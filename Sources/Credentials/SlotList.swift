// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The key slots of a vault, and the rules by which they change: at most 8, at most one of each kind that is kept
/// outside, and never none.
struct SlotList: Sendable, Hashable {
    private(set) var slots: [KeySlot]

    private static let shortIDLengths = [8, 16, 32]
    private static let shortestPrefix = 4

    init(_ slots: [KeySlot]) {
        self.slots = slots
    }

    /// How people name a slot: the first 8 hexadecimal digits of its id; more where two begin alike.
    func shortID(of slot: KeySlot) -> String {
        let id = HexText.encode(slot.id)
        let length = Self.shortIDLengths.first { length in
            slots.count { HexText.encode($0.id).prefix(length) == id.prefix(length) } == 1
        }
        return String(id.prefix(length ?? id.utf8.count))
    }

    /// The slot with this label, or whose id begins so (four digits or more).
    ///
    /// - Throws: `CredentialError.noSuchSlot`, `.slotAmbiguous`
    func find(_ name: String) throws(CredentialError) -> KeySlot {
        let lowered = name.lowercased()
        let found = slots.filter { slot in
            (!name.isEmpty && slot.label == name)
                || (name.utf8.count >= Self.shortestPrefix && HexText.encode(slot.id).hasPrefix(lowered))
        }
        guard let first = found.first else { throw .noSuchSlot(name) }
        guard found.count == 1 else { throw .slotAmbiguous(name, candidates: found.map(shortID)) }
        return first
    }

    /// - Throws: `CredentialError.full`, `.slotExists`
    func checkRoom(for kind: KeyProviderKind) throws(CredentialError) {
        guard slots.count < VaultLimits.slots else { throw .full(.slots, limit: VaultLimits.slots) }
        guard kind.isTyped || !slots.contains(where: { $0.kind == kind }) else { throw .slotExists(kind) }
    }

    mutating func append(_ slot: KeySlot) throws(CredentialError) {
        try checkRoom(for: slot.kind)
        slots.append(slot)
    }

    /// - Parameter isForced: permits to remove the last passphrase or recovery code, after which the vault opens on this
    ///   machine alone.
    /// - Throws: `CredentialError.slotNeeded`, `.noSuchSlot`
    mutating func remove(_ slot: KeySlot, isForced: Bool) throws(CredentialError) {
        let rest = slots.filter { $0.id != slot.id }
        guard rest.count < slots.count else { throw .noSuchSlot(shortID(of: slot)) }
        guard !rest.isEmpty else { throw .slotNeeded("it is the last one", canBeForced: false) }
        guard isForced || !slot.kind.isTyped || rest.contains(where: \.kind.isTyped) else {
            throw .slotNeeded("it is the last passphrase or recovery code", canBeForced: true)
        }
        slots = rest
    }

    /// Puts another wrapping or label in the place of a slot that is as it was when the change was prepared.
    ///
    /// - Throws: `CredentialError.conflict` if it is not.
    mutating func replace(_ old: KeySlot, with new: KeySlot) throws(CredentialError) {
        guard let index = slots.firstIndex(of: old) else { throw Self.changed }
        slots[index] = new
    }

    /// The one that costs a thief with the disk the least.
    var weakest: KeySlot? {
        slots.min { ($0.kind.rank, $0.cost?.log2N ?? 0) < ($1.kind.rank, $1.cost?.log2N ?? 0) }
    }

    static var changed: CredentialError { .conflict(reason: "its key slots were changed meanwhile") }
}
