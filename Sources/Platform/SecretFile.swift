// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that an administrator laid down with a secret in it: ours or root's, and closed to others.
package enum SecretFile {
    /// Opens the file for the time of `body`.
    ///
    /// - Throws: `PlatformError.unsafePermissions`; `.system` where it cannot be opened; what `body` throws.
    package static func withDescriptor<R: ~Copyable>(
        of path: String,
        _ body: (Int32) throws(PlatformError) -> R
    ) throws(PlatformError) -> R {
        // O_NONBLOCK: a FIFO in its place must not hold us up before it is refused.
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
        // systemd gives us access by an ACL where it can, whose mask shows as the group's right to read.
        guard facts.st_mode & 0o037 == 0 else {
            throw .unsafePermissions(path: path, reason: "is open to other users", fix: Repair.close(path, mode: "400"))
        }
    }
}
