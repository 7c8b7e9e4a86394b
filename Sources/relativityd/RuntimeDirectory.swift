// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// `$XDG_RUNTIME_DIR/relativityd`: the daemon's socket, and beside it the directory of the adapters' sockets.
struct RuntimeDirectory {
    let path: String

    var socketPath: String { path + "/relativityd.sock" }
    var adapters: String { path + "/adapters" }

    /// Makes both directories, ours alone, and removes adapters' sockets that a crash left behind.
    ///
    /// - Throws: `PlatformError.unsafePermissions` for a directory that others could reach or replace.
    func prepare() throws(PlatformError) {
        _ = try ProtectedDirectory(path, creating: true)
        let adapters = try ProtectedDirectory(adapters, creating: true)
        for name in try adapters.names() where name.hasSuffix(".sock") { try adapters.remove(name) }
    }
}
