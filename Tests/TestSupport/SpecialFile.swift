// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Files that no output may replace.
package enum SpecialFile: CaseIterable, Sendable {
    case directory, fifo, socket
    /// The null device, which only root can create.
    case device

    package static var allCases: [SpecialFile] { [.directory, .fifo, .socket] + (geteuid() == 0 ? [.device] : []) }

    /// - Returns: whether it was created.
    package func create(at path: String) -> Bool {
        switch self {
        case .directory: return mkdir(path, 0o700) == 0
        case .fifo: return mkfifo(path, 0o600) == 0
        case .socket: return mknod(path, S_IFSOCK | 0o600, 0) == 0
        case .device: return mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0
        }
    }

    /// The kind and the permissions of a path itself; 0 if it does not exist.
    package static func mode(of path: String) -> mode_t {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode : 0
    }
}
