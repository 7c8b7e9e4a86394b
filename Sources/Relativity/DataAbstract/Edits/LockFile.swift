// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A lock between processes: a file that exists while one of them has it.
///
/// Its content is a mark. A file of this name that has another content is never locked, changed or removed. An empty one,
/// which an earlier version may have made, is locked but stays.
final class LockFile: Sendable {
    /// Attempts to lock a file that other processes remove.
    private static let attempts = 100
    /// The time between two attempts while another process has the lock.
    private static let pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
    private static let mark = Array("relativityd lock\n".utf8)

    private let path: String
    private let descriptor: Int32
    /// Whether the file is removed when the lock ends.
    private let isOwn: Bool

    /// Locks a file, after other users of it.
    ///
    /// - Parameter patience: how long to wait for them. It blocks the thread.
    /// - Throws: as `init`.
    static func locked(_ path: String, waiting patience: Duration) throws(PendingFileError) -> LockFile {
        let end = ContinuousClock.now + patience
        while true {
            do throws(PendingFileError) {
                return try LockFile(path)
            } catch {
                guard error == .inUse, ContinuousClock.now < end else { throw error }
            }
            // flock(2) has no time limit, and its file may be removed meanwhile.
            var pause = Self.pause
            nanosleep(&pause, nil)
        }
    }

    /// - Throws: `inUse`, `notLock`, `system`.
    init(_ path: String) throws(PendingFileError) {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        for _ in 0..<Self.attempts {
            var file = open(path, flags | O_CREAT | O_EXCL, 0o600)
            let isNew = file >= 0
            let wasThere = !isNew && errno == EEXIST
            if wasThere { file = open(path, flags) }
            // Its owner may have removed it meanwhile.
            if file < 0, wasThere, errno == ENOENT { continue }
            guard file >= 0 else { throw .system("open", errno) }
            do throws(PendingFileError) {
                let content = try isNew ? [] : Self.content(of: file)
                guard content.isEmpty || content == Self.mark else { throw .notLock(path) }
                guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                    throw errno == EWOULDBLOCK ? .inUse : .system("flock", errno)
                }
                // The previous owner may have removed the file before it was locked here.
                if try Self.isFile(file, at: path) {
                    // Without the mark the file would only stay if this process were killed.
                    if isNew { write(file, Self.mark, Self.mark.count) }
                    (self.path, descriptor, isOwn) = (path, file, isNew || content == Self.mark)
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
        removeName()
        close(descriptor)
    }

    /// Removes the file before the lock ends, if it has the mark or this process made it.
    func removeName() {
        // Another process may have locked a file of this name if this one was removed by hand.
        if isOwn, (try? Self.isFile(descriptor, at: path)) == true { unlink(path) }
    }

    /// The content, at most one byte more than the mark.
    private static func content(of descriptor: Int32) throws(PendingFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: mark.count + 1)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .system("read", errno) }
        return Array(bytes[..<count])
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
