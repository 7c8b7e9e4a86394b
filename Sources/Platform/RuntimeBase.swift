// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The directory in which the directory of the daemon's socket stands: `XDG_RUNTIME_DIR`.
///
/// Whoever may write there can put another directory, and another socket, in the place of ours.
package enum RuntimeBase {
    /// - Throws: `PlatformError.unsafePermissions` if it is another user's, or others may write to it; `.system` if there is
    ///   none.
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

    /// What is wrong with a directory of this owner and mode; nil if nothing is. Root's will do, for root could do anything.
    static func fault(owner: uid_t, mode: mode_t, ours: uid_t) -> String? {
        guard owner == ours || owner == 0 else { return "belongs to user \(owner)" }
        return mode & 0o022 == 0 ? nil : "can be written by other users"
    }
}
