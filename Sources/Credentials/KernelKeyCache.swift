// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform
import Synchronization

/// Keeps what was derived from a passphrase in the kernel's keyring, so that a daemon that is started again needs no
/// passphrase while the vault would have been open anyway. Off unless the configuration asks for it.
///
/// An entry is bound to one slot and its salt: after a change of passphrase it is of no use, and removed.
package final class KernelKeyCache: Sendable {
    /// What was found for a slot.
    struct Entry: ~Copyable {
        let slotSecret: Secret
        /// How long the vault may stay open from now.
        let remaining: Duration
    }

    /// Why it does not work here; nil if it does.
    package let problem: String?
    private let keyring = KernelKeyring()
    /// By slot id: what was put there or found there.
    private let serials = Mutex<[[UInt8]: (name: String, serial: KernelKeyring.Serial)]>([:])

    private static let secretByteCount = 32
    private static let deadlineByteCount = 8

    /// Finds out whether the keyring works, by a write, a read and a comparison.
    package init() {
        do {
            problem = keyring.problem(in: try SecretArena(byteCount: 4096))
        } catch {
            problem = "\(error)"
        }
    }

    /// Keeps a slot's secret; a keyring that is full is not an error, since it is only a convenience.
    func keep(_ slotSecret: borrowing Secret, of slot: KeySlot, for duration: Duration, in arena: SecretArena) {
        guard problem == nil, slotSecret.count == Self.secretByteCount, duration >= .seconds(1) else { return }
        let deadline = UInt64(clamping: Self.now + duration.components.seconds)
        let name = Self.name(of: slot)
        let added = try? slotSecret.withBytes { bytes in
            let entry = try Secret(capacity: Self.deadlineByteCount + bytes.count, in: arena) { room in
                withUnsafeBytes(of: deadline.littleEndian) { room.copyMemory(from: $0) }
                UnsafeMutableRawBufferPointer(rebasing: room[Self.deadlineByteCount...]).copyMemory(from: bytes)
                return room.count
            }
            return try keyring.add(entry, named: name, seconds: Int(duration.components.seconds))
        }
        guard let added else { return }
        serials.withLock { $0[slot.identity.id] = (name, added) }
    }

    /// - Returns: nil if there is nothing for this slot, or its time is over.
    func entry(for slot: KeySlot, in arena: SecretArena) -> Entry? {
        let name = Self.name(of: slot)
        guard problem == nil, let serial = try? keyring.find(name) else { return nil }
        serials.withLock { $0[slot.identity.id] = (name, serial) }
        let byteCount = Self.deadlineByteCount + Self.secretByteCount
        guard let both = try? keyring.read(serial, byteCount: byteCount, in: arena) else { return nil }
        let deadline = both.withBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
        let remaining = Int64(clamping: deadline) - Self.now
        let secret = both.withBytes { bytes in
            try? Secret(capacity: Self.secretByteCount, in: arena) { room in
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Self.deadlineByteCount...]))
                return room.count
            }
        }
        guard remaining > 0, let secret else { return nil }
        return Entry(slotSecret: secret, remaining: .seconds(remaining))
    }

    /// Removes every entry that this process knows of, and those of a vault's slots, which another process may have left.
    func clear(_ slots: [KeySlot] = []) {
        keepOnly([])
        guard problem == nil else { return }
        for slot in slots where slot.kind == .passphrase {
            if let serial = try? keyring.find(Self.name(of: slot)) { keyring.remove(serial) }
        }
    }

    /// Removes the entries of slots that are gone or have another salt.
    func keepOnly(_ slots: [KeySlot]) {
        let names = Set(slots.map(Self.name))
        serials.withLock { serials in
            for (slot, entry) in serials where !names.contains(entry.name) {
                keyring.remove(entry.serial)
                serials[slot] = nil
            }
        }
    }

    static func name(of slot: KeySlot) -> String {
        "relativityd:slot:\(HexText.encode(slot.identity.id)):\(HexText.encode(slot.identity.salt))"
    }

    /// Seconds since the machine started, asleep or awake; nobody can set it back.
    private static var now: Int64 {
        relx_seconds_since_boot()
    }
}
