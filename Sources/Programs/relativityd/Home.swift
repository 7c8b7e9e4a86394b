// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// The directories of the vault, the list of servers and the audit log, claimed by this process. Without the claim, two
/// daemons with separate sockets would replace each other's files.
final class Home: Sendable {
    /// The directories that could not be claimed, each with the reason.
    let unclaimed: [(path: String, reason: String)]
    /// The locks, which are held until the process exits.
    private let locks: [DirectoryLock]

    /// Claims the directories.
    ///
    /// - Throws: `StartError.homeInUse` while another daemon has claimed one of them.
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
                // Nothing can be written there, and the module that tries reports it.
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

/// `$XDG_RUNTIME_DIR/relativityd`, claimed by this process. It contains the daemon's socket and the directory of the
/// adapters' sockets.
final class RuntimeDirectory: Sendable {
    private static let lockName = "relativityd.lock"

    let socketPath: String
    /// The path of the second socket, which only opens adapters.
    let adapterSocketPath: String
    /// The directory of the adapters' sockets. Only this process uses it, and it is empty at the start.
    let adapters: String
    /// The directory of the grants' directories. Only this process uses it, and it is empty at the start.
    let grants: String
    /// The open lock file. The lock ends with the process.
    private let lock: ProtectedFile

    /// Makes missing directories, and removes the sockets of adapters and grants that a crash left.
    ///
    /// - Throws: `StartError.alreadyRunning` while another daemon has claimed the directory, which is not changed then;
    ///   `PlatformError.unsafePermissions` for a directory that other users could access or replace.
    init(claiming path: String) throws {
        socketPath = path + "/relativityd.sock"
        adapterSocketPath = path + "/adapters.sock"
        adapters = path + "/adapters"
        grants = path + "/grants"
        let directory = try ProtectedDirectory(path, creating: true)
        try RuntimeBase.check(UserPath.folder(of: path))
        lock = try ProtectedFile.openOrCreate(Self.lockName, in: directory, maximumBytes: .max)
        guard try lock.tryLock() else {
            throw StartError.alreadyRunning(socket: socketPath, holder: LockHolder.read(from: lock))
        }
        LockHolder.write(into: lock)
        let sockets = try ProtectedDirectory(adapters, creating: true)
        for name in try sockets.names() where name.hasSuffix(".sock") { try sockets.remove(name) }
        let grants = try ProtectedDirectory(grants, creating: true)
        for name in try grants.names() {
            unlink("\(grants.path)/\(name)/adapter.sock")
            rmdir("\(grants.path)/\(name)")
        }
    }
}
