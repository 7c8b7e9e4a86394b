// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A new file that gets its name when it is complete, and then replaces a file of that name.
///
/// Until then it has no name where the file system permits this (open(2), O_TMPFILE), so that nothing remains of a killed
/// process; elsewhere it has a random one, which exists in any case for the moment of a replacement: a link replaces no file.
package struct AsideFile: ~Copyable {
    /// The open file, which belongs to the caller.
    package let descriptor: Int32
    private let destination: String
    /// The name that the file has before it is complete.
    private var name: String?

    /// - Parameters:
    ///   - destination: the path of the complete file.
    ///   - mode: the permissions, without those that the process withholds (umask).
    /// - Throws: `PlatformError.system`.
    package init(for destination: String, mode: UInt32) throws(PlatformError) {
        self.destination = destination
        let folder = UserPath.folder(of: destination)
        let unnamed = relx_open_unnamed(folder, mode)
        if unnamed >= 0 {
            // Without /proc the file could never get a name.
            if access(Self.link(to: unnamed), F_OK) == 0 {
                descriptor = unnamed
                return
            }
            close(unnamed)
        }
        let path: String
        (descriptor, path) = try TemporaryFiles.named(in: folder, mode: mode)
        name = path
    }

    deinit {
        if let name { unlink(name) }
    }

    /// Makes the content durable and gives the file its name. The name is durable when its directory is.
    ///
    /// - Throws: `PlatformError.system`. The path has then the file of before.
    package mutating func commit() throws(PlatformError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", subject: destination, errno: errno) }
        if name == nil {
            if link(as: destination) { return }
            guard errno == EEXIST else { throw .system(call: "link", subject: destination, errno: errno) }
            let path = try TemporaryFiles.newPath(in: UserPath.folder(of: destination))
            guard link(as: path) else { throw .system(call: "link", subject: destination, errno: errno) }
            name = path
        }
        guard let path = name, rename(path, destination) == 0 else {
            throw .system(call: "rename", subject: destination, errno: errno)
        }
        name = nil
    }

    private func link(as path: String) -> Bool {
        linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }

    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}
