// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// `$XDG_RUNTIME_DIR/relativityd`, claimed by this process: the daemon's socket, and the directory of the adapters'
/// sockets beside it.
final class RuntimeDirectory: Sendable {
    private static let lockName = "relativityd.lock"

    let socketPath: String
    /// Ours alone, and empty at the start.
    let adapters: String
    /// The same for the directories of grants.
    let grants: String
    /// Held open for the lock on it, which ends with the process.
    private let lock: ProtectedFile

    /// Makes the directories where they are missing, and removes sockets of adapters and grants that a crash left behind.
    ///
    /// - Throws: `StartError.alreadyRunning` while another daemon has claimed the directory, which then is untouched;
    ///   `PlatformError.unsafePermissions` for a directory that others could reach or replace.
    init(claiming path: String) throws {
        socketPath = path + "/relativityd.sock"
        adapters = path + "/adapters"
        grants = path + "/grants"
        let base = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let directory = try ProtectedDirectory(path, creating: true)
        try RuntimeBase.check(base)
        lock = try ProtectedFile.openOrCreate(Self.lockName, in: directory, maximumBytes: 0)
        guard try lock.tryLock() else { throw StartError.alreadyRunning(socket: socketPath) }
        let sockets = try ProtectedDirectory(adapters, creating: true)
        for name in try sockets.names() where name.hasSuffix(".sock") { try sockets.remove(name) }
        let grants = try ProtectedDirectory(grants, creating: true)
        for name in try grants.names() {
            unlink("\(grants.path)/\(name)/adapter.sock")
            rmdir("\(grants.path)/\(name)")
        }
    }

    /// Removes the socket, where this process made it.
    func removeSocket() {
        unlink(socketPath)
    }
}
