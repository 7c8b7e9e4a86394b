// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The lock of a process on a directory: an open-file-description lock on a file in it that is never removed. The kernel
/// ends the lock with the process, also with one that is killed.
package final class DirectoryLock: Sendable {
    /// Another process holds the lock.
    package struct Held: Error, Hashable {
        /// For example `process 12 on office`.
        package let holder: String
    }

    package static let fileName = "relativityd.lock"

    private let directory: FileIdentity
    private let file: ProtectedFile

    /// Takes the lock, without waiting.
    ///
    /// - Parameters:
    ///   - path: made with mode 0700 where it is missing.
    ///   - other: a lock of this process. On the same directory this one shares it.
    /// - Throws: `Held`; `PlatformError`, with the call `fcntl` where the file system has no locks.
    package init(_ path: String, besides other: DirectoryLock? = nil) throws {
        let directory = try ProtectedDirectory(path, creating: true)
        self.directory = try FileIdentity(of: directory)
        file = try ProtectedFile.openOrCreate(Self.fileName, in: directory, maximumBytes: .max)
        if self.directory == other?.directory { return }
        guard try file.tryLock() else { throw Held(holder: LockHolder.read(from: file)) }
        LockHolder.write(into: file)
    }

    /// What tells a directory from all others, by whatever path it is reached.
    private struct FileIdentity: Hashable {
        private let device: UInt
        private let number: UInt

        init(of directory: ProtectedDirectory) throws(PlatformError) {
            var facts = stat()
            guard fstat(directory.descriptor, &facts) == 0 else {
                throw .system(call: "fstat", subject: directory.path, errno: errno)
            }
            (device, number) = (UInt(facts.st_dev), UInt(facts.st_ino))
        }
    }
}
