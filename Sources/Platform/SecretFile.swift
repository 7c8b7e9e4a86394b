// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file with a secret that the administrator installed: owned by this user or root, and closed to others.
package enum SecretFile {
    /// Opens the file while `body` runs.
    ///
    /// - Throws: `PlatformError.unsafePermissions`; `.system` if it cannot be opened; the error of `body`.
    package static func withDescriptor<R: ~Copyable>(
        of path: String,
        _ body: (Int32) throws(PlatformError) -> R
    ) throws(PlatformError) -> R {
        // O_NONBLOCK: opening a FIFO must not block before it is rejected.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        defer { close(descriptor) }
        try check(descriptor, path)
        return try body(descriptor)
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(PlatformError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(path: path, reason: "is not a regular file", fix: "ls -l \(ShellWord.quote(path))")
        }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw .unsafePermissions(path: path, reason: "belongs to user \(facts.st_uid)", fix: Repair.own(path))
        }
        // systemd grants this user access by an ACL if it can. The mask of the ACL shows as the group's read
        // permission.
        guard facts.st_mode & 0o037 == 0 else {
            throw .unsafePermissions(path: path, reason: "is open to other users", fix: Repair.close(path, mode: "400"))
        }
    }
}
