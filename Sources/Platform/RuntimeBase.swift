// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The parent directory of the directory of the daemon's socket: `XDG_RUNTIME_DIR`.
///
/// A user who can write to it can replace that directory, and so the socket.
package enum RuntimeBase {
    /// - Throws: `PlatformError.unsafePermissions` if another user owns it, or if other users can write to it;
    ///   `.system` if it does not exist.
    package static func check(_ path: String) throws(PlatformError) {
        let path = path.isEmpty ? "/" : path
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .system(call: "stat", subject: path, errno: errno) }
        guard let reason = fault(owner: facts.st_uid, mode: facts.st_mode, ours: geteuid()) else { return }
        throw .unsafePermissions(
            path: path,
            reason: reason,
            fix: facts.st_uid == geteuid()
                ? Repair.close(path, mode: "700") : "export XDG_RUNTIME_DIR=/run/user/\(geteuid())"
        )
    }

    /// The fault of a directory with this owner and mode; nil if there is none. It may be root's, because root can do
    /// anything anyway.
    static func fault(owner: uid_t, mode: mode_t, ours: uid_t) -> String? {
        guard owner == ours || owner == 0 else { return "belongs to user \(owner)" }
        return mode & 0o022 == 0 ? nil : "can be written by other users"
    }
}
