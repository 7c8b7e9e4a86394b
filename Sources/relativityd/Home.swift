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
