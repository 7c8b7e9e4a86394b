// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// One file in `$CREDENTIALS_DIRECTORY`: ours or root's, closed to others, and read straight into an arena.
struct CredentialFile {
    let path: String

    /// - Throws: `CredentialError.unsafePermissions`; `.storage` where it cannot be read, or is larger than `maximumBytes`.
    func read(maximumBytes: Int, in arena: SecretArena) throws(CredentialError) -> Secret {
        // O_NONBLOCK: a FIFO in its place must not hold us up before it is refused.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .storage(.system(call: "open", subject: path, errno: errno)) }
        defer { close(descriptor) }
        try check(descriptor)
        do throws(PlatformError) {
            return try Secret(reading: descriptor, named: path, maximumBytes: maximumBytes, in: arena)
        } catch {
            throw .storage(error)
        }
    }

    private func check(_ descriptor: Int32) throws(CredentialError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw .storage(.system(call: "fstat", subject: path, errno: errno))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(path: path, reason: "is not a regular file", fix: "ls -l '\(path)'")
        }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw .unsafePermissions(
                path: path,
                reason: "belongs to user \(facts.st_uid)",
                fix: "chown \(geteuid()) '\(path)'"
            )
        }
        // systemd gives us access by an ACL where it can, whose mask shows as the group's right to read.
        guard facts.st_mode & 0o037 == 0 else {
            throw .unsafePermissions(path: path, reason: "is open to other users", fix: "chmod 400 '\(path)'")
        }
    }
}
