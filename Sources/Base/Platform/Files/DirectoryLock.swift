// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The lock of a process on a directory: an open-file-description lock on a file in it, which is never removed. The
/// kernel releases the lock when the process exits or is killed.
package final class DirectoryLock: Sendable {
    /// Another process holds the lock.
    package struct Held: Error, Hashable {
        /// The holder, for example `process 12 on office`.
        package let holder: String
    }

    /// The name of the lock file.
    package static let fileName = "relativityd.lock"

    private let directory: FileIdentity
    private let file: ProtectedFile

    /// Acquires the lock, without waiting.
    ///
    /// - Parameters:
    ///   - path: the directory, created with mode 0700 if it is missing.
    ///   - other: another lock of this process. If it is on the same directory, the new one shares it.
    /// - Throws: `Held`; `PlatformError`, whose call is `fcntl` if the file system has no locks.
    package init(_ path: String, besides other: DirectoryLock? = nil) throws {
        let directory = try ProtectedDirectory(path, creating: true)
        self.directory = try FileIdentity(of: directory)
        file = try ProtectedFile.openOrCreate(Self.fileName, in: directory, maximumBytes: .max)
        if self.directory == other?.directory { return }
        guard try file.tryLock() else { throw Held(holder: LockHolder.read(from: file)) }
        LockHolder.write(into: file)
    }

    /// The device and inode numbers, which identify a directory regardless of its path.
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

/// The text of a lock file, which names the process that holds the lock for the error messages of other processes.
package enum LockHolder {
    private static let maximumBytes = 512
    private static let unknown = "another process"

    /// Writes the name of this process. If that fails the file is emptied, so that it does not name an earlier
    /// holder.
    package static func write(into file: borrowing ProtectedFile) {
        do throws(PlatformError) {
            try file.writeAll(Array("\(ownName)\n".utf8))
        } catch {
            try? file.truncate(to: 0)
        }
    }

    /// Returns the process that the file names, for example `process 12 on office`.
    ///
    /// - Parameter isOther: whether the holder is another process. If the file names this one, the holder has not written
    ///   its name.
    package static func read(from file: borrowing ProtectedFile, isOther: Bool = false) -> String {
        guard let bytes = try? file.readAll(maximumBytes: maximumBytes) else { return unknown }
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }
        let name = String(String.UnicodeScalarView(text))
        return name.isEmpty || isOther && name == ownName ? unknown : name
    }

    private static var ownName: String { "process \(getpid()) on \(hostName())" }

    private static func hostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "this host" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
