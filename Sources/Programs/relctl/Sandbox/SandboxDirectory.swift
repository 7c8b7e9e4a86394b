// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A new directory of a sandbox. Its lock is held while the sandbox exists, so that the directory can be removed if this
/// process is killed.
struct SandboxDirectory {
    /// The prefix of the directory's name.
    static let prefix = "relctl-sandbox"

    let path: String
    private let lock: DirectoryLock

    init(in parent: String) throws {
        while true {
            let directory = try TemporaryFiles.newDirectory(Self.prefix, in: parent)
            do {
                let lock = try DirectoryLock(directory)
                if Self.isLockable(directory) {
                    (path, self.lock) = (directory, lock)
                    return
                }
            } catch is DirectoryLock.Held {
                // Another sandbox has taken it for an abandoned one, because it was not locked yet.
            }
        }
    }

    func remove() { Self.remove(path) }

    /// Removes the directories of sandboxes that were killed: no process has their lock.
    static func removeAbandoned(in parent: String) {
        for name in DirectoryNames.of(parent) where name.hasPrefix(prefix + ".") && isLockable("\(parent)/\(name)") {
            guard let lock = try? DirectoryLock("\(parent)/\(name)") else { continue }
            remove("\(parent)/\(name)")
            withExtendedLifetime(lock) {}
        }
    }

    private static func isLockable(_ directory: String) -> Bool {
        access("\(directory)/\(DirectoryLock.fileName)", F_OK) == 0
    }

    private static func remove(_ directory: String) {
        var removal = ProgramStart("rm", arguments: ["rm", "-rf", "--", directory])
        removal.searchesPath = true
        var status: Int32 = 0
        if let pid = try? removal.start() { waitpid(pid, &status, 0) }
    }
}
