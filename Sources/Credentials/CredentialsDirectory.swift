// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Platform

/// The key provider of servers: a key that systemd, or the administrator, lays into `$CREDENTIALS_DIRECTORY`.
package struct CredentialsDirectory: KeyProvider {
    static let fileName = "relativityd.vault-key"

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
        let key = try translated { () throws(PlatformError) in
            try ProviderKey.read(from: descriptor, named: file, in: arena)
        }
        guard let key else { throw unavailable(ProviderKey.formText(file)) }
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

    private func unavailable(_ reason: String) -> CredentialError {
        .providerUnavailable(.credentialsDirectory, reason: reason)
    }
}
