// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Locks
import Platform

/// Stores the secret derived from a passphrase in the kernel's keyring. A daemon that is restarted then needs no
/// passphrase for as long as the vault would have stayed open. It is off unless the configuration enables it.
///
/// An entry is bound to one slot and its salt. After a change of the passphrase it is useless, and is removed.
package final class KernelKeyCache: Sendable {
    /// The entry of a slot.
    struct Entry: ~Copyable {
        let slotSecret: Secret
        /// The time that the vault may still stay open.
        let remaining: Duration
    }

    /// The reason why the cache does not work here; nil if it works.
    package let problem: String?
    private let keyring = KernelKeyring()
    /// By slot ID: the entries that this process added or found.
    private let serials = Lock<[[UInt8]: (name: String, serial: KernelKeyring.Serial)]>([:])

    private static let secretByteCount = 32
    private static let deadlineByteCount = 8

    /// Checks whether the keyring works, by writing a key, reading it and comparing.
    package init() {
        do {
            problem = keyring.problem(in: try SecretArena(byteCount: 4096))
        } catch {
            problem = "\(error)"
        }
    }

    /// Stores the secret of a slot. Errors, such as a full keyring, are ignored because the cache is only a
    /// convenience.
    func keep(_ slotSecret: borrowing Secret, of slot: KeySlot, for duration: Duration, in arena: SecretArena) {
        guard problem == nil, slotSecret.count == Self.secretByteCount, duration >= .seconds(1) else { return }
        let deadline = UInt64(clamping: Self.now + duration.components.seconds)
        let name = Self.name(of: slot)
        let added = try? slotSecret.withBytes { bytes in
            let entry = try Secret(capacity: Self.deadlineByteCount + bytes.count, in: arena) { buffer in
                withUnsafeBytes(of: deadline.littleEndian) { buffer.copyMemory(from: $0) }
                UnsafeMutableRawBufferPointer(rebasing: buffer[Self.deadlineByteCount...]).copyMemory(from: bytes)
                return buffer.count
            }
            return try keyring.add(entry, named: name, seconds: Int(duration.components.seconds))
        }
        guard let added else { return }
        serials.withLock { $0[slot.id] = (name, added) }
    }

    /// Looks up the secret of a slot.
    ///
    /// - Returns: nil if there is no entry for this slot, or its time is over.
    func entry(for slot: KeySlot, in arena: SecretArena) -> Entry? {
        let name = Self.name(of: slot)
        guard problem == nil, let serial = try? keyring.find(name) else { return nil }
        serials.withLock { $0[slot.id] = (name, serial) }
        let byteCount = Self.deadlineByteCount + Self.secretByteCount
        guard let both = try? keyring.read(serial, byteCount: byteCount, in: arena) else { return nil }
        let deadline = both.withBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
        let remaining = Int64(clamping: deadline) - Self.now
        let secret = both.withBytes { bytes in
            try? Secret(capacity: Self.secretByteCount, in: arena) { buffer in
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Self.deadlineByteCount...]))
                return buffer.count
            }
        }
        guard remaining > 0, let secret else { return nil }
        return Entry(slotSecret: secret, remaining: .seconds(remaining))
    }

    /// Removes every entry that this process knows of, and those of the given slots, which another process may have
    /// left.
    func clear(_ slots: [KeySlot] = []) {
        keepOnly([])
        guard problem == nil else { return }
        for slot in slots where slot.kind == .passphrase {
            if let serial = try? keyring.find(Self.name(of: slot)) { keyring.remove(serial) }
        }
    }

    /// Removes the entries of all slots except these. The entry of a slot that has another salt now is removed too.
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
        "relativityd:slot:\(HexText.encode(slot.id)):\(HexText.encode(slot.identity.salt))"
    }

    /// Seconds since boot, including sleep. This clock cannot be set back.
    private static var now: Int64 {
        relx_seconds_since_boot()
    }
}

/// The user's keyring in the kernel. Its keys survive this process, but not a reboot.
///
/// A process may be able to add keys to it but not to read them. A service in its own user namespace has a separate
/// keyring that disappears with the namespace. `problem` detects both.
struct KernelKeyring: Sendable {
    typealias Serial = Int32

    /// The reason why the next process could not find the keys; nil if it could.
    func problem(in arena: SecretArena) -> String? {
        guard Self.namespace(of: "self") == Self.namespace(of: "\(getppid())") else {
            return "the keys are lost with the service's user namespace (PrivateUsers=yes)"
        }
        do throws(PlatformError) {
            let name = "relativityd:probe:\(HexText.encode(try SystemRandom().bytes(8)))"
            let secret = try Secret(randomBytes: 32, in: arena)
            let serial = try add(secret, named: name, seconds: 10)
            defer { remove(serial) }
            guard try find(name) == serial, let again = try read(serial, byteCount: secret.count, in: arena),
                again.isEqual(to: secret)
            else { return "the kernel returned another key than was stored" }
            return nil
        } catch {
            if case .system(_, _, errno: EACCES) = error {
                return "the user's keyring cannot be read in this session (KeyringMode=private)"
            }
            return "\(error)"
        }
    }

    /// Adds a key.
    ///
    /// - Parameter seconds: the lifetime of the key, at least 1.
    func add(_ secret: borrowing Secret, named name: String, seconds: Int) throws(PlatformError) -> Serial {
        let serial = secret.withBytes { relx_key_add(name, $0.baseAddress, $0.count) }
        guard serial >= 0 else { throw .system(call: "add_key", subject: name, errno: -serial) }
        let result = relx_key_expire(serial, UInt32(clamping: max(1, seconds)))
        guard result == 0 else {
            remove(serial)
            throw .system(call: "keyctl", subject: name, errno: -result)
        }
        return serial
    }

    /// Finds a key by name.
    ///
    /// - Returns: nil if there is no such key, or it has expired or was revoked.
    func find(_ name: String) throws(PlatformError) -> Serial? {
        let serial = relx_key_find(name)
        switch -serial {
        case ENOKEY, EKEYEXPIRED, EKEYREVOKED: return nil
        case let code where code > 0: throw .system(call: "keyctl", subject: name, errno: code)
        default: return serial
        }
    }

    /// Reads a key into an arena.
    ///
    /// - Returns: nil if the length of the key is not `byteCount`.
    func read(_ serial: Serial, byteCount: Int, in arena: SecretArena) throws(PlatformError) -> Secret? {
        var length = 0
        let secret = try Secret(capacity: byteCount, in: arena) { buffer throws(PlatformError) in
            length = relx_key_read(serial, buffer.baseAddress, buffer.count)
            guard length >= 0 else { throw .system(call: "keyctl", subject: "key \(serial)", errno: Int32(-length)) }
            return min(length, buffer.count)
        }
        guard length == byteCount else { return nil }
        return secret
    }

    /// Removes a key. It is not an error if the key no longer exists.
    func remove(_ serial: Serial) { _ = relx_key_remove(serial) }

    /// The name of a process's user namespace; nil if this process may not see it.
    private static func namespace(of process: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = buffer.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { buffer in
                buffer.baseAddress.map { readlink("/proc/\(process)/ns/user", $0, buffer.count) } ?? 0
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
