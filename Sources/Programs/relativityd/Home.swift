// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The directories that keep the vault, the list of servers and the audit log, claimed by this process: two daemons with
/// sockets of their own would replace each other's files there.
final class Home: Sendable {
    /// The directories that could not be claimed, each with the reason.
    let unclaimed: [(path: String, reason: String)]
    /// Held until the process ends.
    private let locks: [DirectoryLock]

    /// - Throws: `StartError.homeInUse` while another daemon has claimed one of the directories.
    init(claiming directories: Directories) throws {
        var unclaimed: [(path: String, reason: String)] = []
        var locks: [DirectoryLock] = []
        for directory in [directories.data, directories.state] {
            do {
                locks.append(try DirectoryLock(directory, besides: locks.first))
            } catch let held as DirectoryLock.Held {
                throw StartError.homeInUse(directory: directory, holder: held.holder)
            } catch let error as PlatformError where !Self.isClosed(directory, error) {
                unclaimed.append((directory, "\(error)"))
            } catch is PlatformError {
                // Nothing is written there, and whoever would have to says so.
            }
        }
        self.unclaimed = unclaimed
        self.locks = locks
    }

    /// Whether an error is about the directory itself, so that nothing can be saved in it.
    private static func isClosed(_ directory: String, _ error: PlatformError) -> Bool {
        switch error {
        case .unsafePermissions(let path, _, _): path == directory
        case .system(_, let path, EACCES): path == directory
        case .system(_, _, EROFS): true
        default: false
        }
    }
}

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
