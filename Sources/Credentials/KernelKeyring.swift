// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// The user's keyring in the kernel. Its keys survive this process, but not a reboot.
///
/// A process may be able to add keys to it but not to read them. A service in its own user namespace has a separate
/// keyring that disappears with the namespace. `problem` detects both.
struct KernelKeyring: Sendable {
    typealias Serial = Int32

    /// The reason why the next process could not find the keys; nil if it could.
    func problem(in arena: SecretArena) -> String? {
        guard Self.namespace(of: "self") == Self.namespace(of: "\(getppid())") else {
            return "the service has a user namespace of its own, whose keys go with it (PrivateUsers=yes)"
        }
        do throws(PlatformError) {
            let name = "relativityd:probe:\(HexText.encode(try SystemRandom().bytes(8)))"
            let secret = try Secret(randomBytes: 32, in: arena)
            let serial = try add(secret, named: name, seconds: 10)
            defer { remove(serial) }
            guard try find(name) == serial, let again = try read(serial, byteCount: secret.count, in: arena),
                again.isEqual(to: secret)
            else { return "the kernel gave back another key than it was given" }
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
        let secret = try Secret(capacity: byteCount, in: arena) { room throws(PlatformError) in
            length = relx_key_read(serial, room.baseAddress, room.count)
            guard length >= 0 else { throw .system(call: "keyctl", subject: "key \(serial)", errno: Int32(-length)) }
            return min(length, room.count)
        }
        guard length == byteCount else { return nil }
        return secret
    }

    /// Removes a key. It is not an error if the key no longer exists.
    func remove(_ serial: Serial) { _ = relx_key_remove(serial) }

    /// The name of a process's user namespace; nil if this process may not see it.
    private static func namespace(of process: String) -> String? {
        var room = [UInt8](repeating: 0, count: 64)
        let count = room.withUnsafeMutableBytes { room in
            room.withMemoryRebound(to: CChar.self) { room in
                room.baseAddress.map { readlink("/proc/\(process)/ns/user", $0, room.count) } ?? 0
            }
        }
        return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : nil
    }
}
