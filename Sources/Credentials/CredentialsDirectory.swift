// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// The key provider of servers: a key that systemd, or the administrator, lays into `$CREDENTIALS_DIRECTORY`.
package struct CredentialsDirectory: KeyProvider {
    static let fileName = "relativityd.vault-key"
    static let keyByteCount = 32
    private static let hexByteCount = 65

    /// nil when the variable is not set.
    let path: String?

    /// - Parameter path: `$CREDENTIALS_DIRECTORY`, if it is set.
    package init(path: String?) {
        self.path = path
    }

    package var kind: KeyProviderKind { .credentialsDirectory }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        _ = try key(in: arena)
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(in: arena)
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(in: arena)
    }

    /// The file is the administrator's, and stays.
    package func removeKey(for storeID: [UInt8]) {}

    /// - Returns: the 32 bytes of the key, read as they are or from 64 hexadecimal digits and a line feed.
    /// - Throws: `CredentialError.providerUnavailable`, `.unsafePermissions`
    func key(in arena: SecretArena) throws(CredentialError) -> Secret {
        guard let path, path.hasPrefix("/") else {
            throw unavailable("CREDENTIALS_DIRECTORY is not set; add LoadCredential=\(Self.fileName) to the unit")
        }
        let file = path + "/" + Self.fileName
        let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw unavailable("'\(file)': \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        try check(descriptor, file)
        var text = try translated { () throws(PlatformError) in
            try Secret(capacity: Self.hexByteCount + 1, in: arena) { room throws(PlatformError) in
                try Self.read(descriptor, into: room, file)
            }
        }
        if text.count == Self.keyByteCount { return text }
        guard let key = try Self.decodeHex(&text, in: arena) else {
            throw unavailable("'\(file)' holds neither 32 bytes nor 64 hexadecimal digits and a line feed")
        }
        return key
    }

    private func check(_ descriptor: Int32, _ file: String) throws(CredentialError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw .storage(.system(call: "fstat", subject: file, errno: errno))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw unavailable("'\(file)' is not a regular file") }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw .unsafePermissions(
                path: file,
                reason: "belongs to user \(facts.st_uid)",
                fix: "chown \(geteuid()) '\(file)'"
            )
        }
        // systemd gives us access by an ACL where it can, whose mask shows as the group's right to read.
        guard facts.st_mode & 0o037 == 0 else {
            throw .unsafePermissions(path: file, reason: "is open to other users", fix: "chmod 400 '\(file)'")
        }
    }

    private static func read(
        _ descriptor: Int32,
        into room: UnsafeMutableRawBufferPointer,
        _ file: String
    ) throws(PlatformError) -> Int {
        var filled = 0
        while filled < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
            let count = Glibc.read(descriptor, rest.baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(call: "read", subject: file, errno: errno)
            }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func decodeHex(_ text: inout Secret, in arena: SecretArena) throws(CredentialError) -> Secret? {
        let isHex = text.withBytes { bytes in
            bytes.count == hexByteCount && bytes.last == UInt8(ascii: "\n")
                && bytes.dropLast().allSatisfy { HexText.value(of: $0) != nil }
        }
        guard isHex else { return nil }
        return try translated { () throws(PlatformError) in
            try Secret(capacity: keyByteCount, in: arena) { room in
                text.withBytes { bytes in
                    for index in 0..<keyByteCount {
                        let high = HexText.value(of: bytes[2 * index]) ?? 0
                        room[index] = high << 4 | (HexText.value(of: bytes[2 * index + 1]) ?? 0)
                    }
                }
                return keyByteCount
            }
        }
    }

    private func unavailable(_ reason: String) -> CredentialError {
        .providerUnavailable(.credentialsDirectory, reason: reason)
    }
}
