// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A lock between processes: a file that exists while one of them has it.
final class LockFile: Sendable {
    /// Attempts to lock a file that other processes remove.
    private static let attempts = 100

    private let path: String
    private let descriptor: Int32

    /// - Throws: `inUse`, `system`.
    init(_ path: String) throws(PendingFileError) {
        for _ in 0..<Self.attempts {
            let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw .system("open", errno) }
            do throws(PendingFileError) {
                guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                    throw errno == EWOULDBLOCK ? .inUse : .system("flock", errno)
                }
                // The previous owner may have removed the file before it was locked here.
                if try Self.isFile(file, at: path) {
                    (self.path, descriptor) = (path, file)
                    return
                }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
        throw .inUse
    }

    deinit {
        // Another process may have locked a file of this name if this one was removed by hand.
        if (try? Self.isFile(descriptor, at: path)) == true { unlink(path) }
        close(descriptor)
    }

    private static func isFile(_ descriptor: Int32, at path: String) throws(PendingFileError) -> Bool {
        var (own, found) = (stat(), stat())
        guard fstat(descriptor, &own) == 0 else { throw .system("fstat", errno) }
        guard lstat(path, &found) == 0 else {
            guard errno == ENOENT else { throw .system("lstat", errno) }
            return false
        }
        return own.st_dev == found.st_dev && own.st_ino == found.st_ino
    }
}
