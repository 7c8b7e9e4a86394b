// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The directories that keep the vault, the list of servers and the audit log, claimed by this process: two daemons with
/// sockets of their own would replace each other's files there.
final class Home: Sendable {
    /// What nothing guards against, for `status`.
    let notes: [String]
    /// Held until the process ends.
    private let locks: [DirectoryLock]

    /// - Throws: `StartError.homeInUse` while another daemon has claimed one of the directories.
    init(claiming directories: Directories) throws {
        var notes: [String] = []
        var locks: [DirectoryLock] = []
        for directory in [directories.data, directories.state] {
            do {
                locks.append(try DirectoryLock(directory, besides: locks.first))
            } catch let held as DirectoryLock.Held {
                throw StartError.homeInUse(directory: directory, holder: held.holder)
            } catch PlatformError.system("fcntl", _, let code) {
                let reason = PlatformError.system(call: "fcntl", subject: "", errno: code)
                notes.append(
                    "\(Printable(directory)): its file system has no locks (\(reason)), so a second daemon is not noticed"
                )
            } catch is PlatformError {
                // A directory that cannot be used is told of by whoever needs it, and is no reason not to serve.
            }
        }
        self.notes = notes
        self.locks = locks
    }
}
