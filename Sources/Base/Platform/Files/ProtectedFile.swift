// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// An open regular file of a `ProtectedDirectory`. It is closed when its owner drops it.
package struct ProtectedFile: ~Copyable, Sendable {
    /// The descriptor of the open file.
    package let descriptor: Int32
    /// The path, for messages only.
    package let path: String

    /// Opens an existing file for reading.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `PlatformError.unsafePermissions` unless it is a regular file with one link that this user owns and
    ///   no other can access; `.tooLarge` above `maximumBytes`.
    package static func open(
        _ name: String,
        in directory: ProtectedDirectory,
        maximumBytes: Int
    ) throws(PlatformError) -> ProtectedFile? {
        // O_NONBLOCK: opening a FIFO must not block before it is rejected.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = openat(directory.descriptor, name, flags)
        let path = directory.path(of: name)
        guard descriptor >= 0 else {
            let code = errno
            if code == ENOENT { return nil }
            throw refusal(of: name, in: directory, errno: code)
        }
        let file = ProtectedFile(descriptor: descriptor, path: path)
        try file.check(maximumBytes: maximumBytes)
        return file
    }

    /// Creates a file with mode 0600. Fails if it exists.
    package static func create(_ name: String, in directory: ProtectedDirectory) throws(PlatformError) -> ProtectedFile
    {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = openat(directory.descriptor, name, flags, 0o600)
        let path = directory.path(of: name)
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        return ProtectedFile(descriptor: descriptor, path: path)
    }

    /// Opens a file for reading and writing, creating it with mode 0600 if it is missing. The checks are those of
    /// `open`.
    package static func openOrCreate(
        _ name: String,
        in directory: ProtectedDirectory,
        maximumBytes: Int
    ) throws(PlatformError) -> ProtectedFile {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let descriptor = openat(directory.descriptor, name, flags, 0o600)
        let path = directory.path(of: name)
        guard descriptor >= 0 else { throw refusal(of: name, in: directory, errno: errno) }
        let file = ProtectedFile(descriptor: descriptor, path: path)
        try file.check(maximumBytes: maximumBytes)
        return file
    }

    /// Returns the error for a name that cannot be opened.
    private static func refusal(of name: String, in directory: ProtectedDirectory, errno code: Int32) -> PlatformError {
        let path = directory.path(of: name)
        switch code {
        // The target of a link has the content.
        case ELOOP where faccessat(directory.descriptor, name, F_OK, 0) == 0:
            return .unsafePermissions(path: path, reason: "is a symbolic link", fix: Repair.separate(path))
        case ELOOP, EISDIR, ENXIO:
            return .unsafePermissions(path: path, reason: "is not a regular file", fix: Repair.moveAway(path))
        default: return .system(call: "open", subject: path, errno: code)
        }
    }

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    private borrowing func check(maximumBytes: Int) throws(PlatformError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(path: path, reason: "is not a regular file", fix: Repair.moveAway(path))
        }
        guard facts.st_uid == geteuid() else {
            throw .unsafePermissions(path: path, reason: "belongs to user \(facts.st_uid)", fix: Repair.own(path))
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw .unsafePermissions(path: path, reason: "is open to other users", fix: Repair.close(path, mode: "600"))
        }
        // The count is 0 if the file was replaced after it was opened; its content is still complete.
        guard facts.st_nlink <= 1 else {
            throw .unsafePermissions(path: path, reason: "has \(facts.st_nlink) names", fix: Repair.separate(path))
        }
        guard facts.st_size <= maximumBytes else { throw .tooLarge(subject: path, maximumBytes: maximumBytes) }
    }

    /// Acquires a lock on the whole file for this open file description, without waiting. Closing the file releases
    /// it.
    ///
    /// - Returns: false while another open file holds it.
    package borrowing func tryLock() throws(PlatformError) -> Bool {
        let result = relx_try_lock(descriptor)
        guard result != -EAGAIN, result != -EACCES else { return false }
        guard result == 0 else { throw .system(call: "fcntl", subject: path, errno: -result) }
        return true
    }

    /// Reads the whole file.
    ///
    /// - Throws: `PlatformError.tooLarge` if the file is larger than `maximumBytes`, or grows while it is read.
    package borrowing func readAll(maximumBytes: Int) throws(PlatformError) -> [UInt8] {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_size <= maximumBytes else { throw .tooLarge(subject: path, maximumBytes: maximumBytes) }
        // One byte more than expected, to notice that the file grows.
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size) + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { room in
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
                return pread(descriptor, rest.baseAddress, rest.count, filled)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(call: "read", subject: path, errno: errno)
            }
            if count == 0 { break }
            filled += count
        }
        guard filled < bytes.count else { throw .tooLarge(subject: path, maximumBytes: bytes.count - 1) }
        bytes.removeLast(bytes.count - filled)
        return bytes
    }

    /// Writes all bytes from the start, and truncates the file after them.
    package borrowing func writeAll(_ bytes: [UInt8]) throws(PlatformError) {
        try write(bytes, at: 0)
        try truncate(to: bytes.count)
    }

    private borrowing func write(_ bytes: [UInt8], at start: Int) throws(PlatformError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[written...])
                return pwrite(descriptor, rest.baseAddress, rest.count, start + written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(call: "write", subject: path, errno: errno)
            }
            written += count
        }
    }

    /// Makes the content durable. A failure is final for this descriptor: the kernel may have dropped the pages, so
    /// it is never tried again.
    package borrowing func synchronize() throws(PlatformError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", subject: path, errno: errno) }
    }
}

extension ProtectedFile {
    /// Returns the size in bytes.
    package borrowing func size() throws(PlatformError) -> Int {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        return Int(facts.st_size)
    }

    /// Writes all bytes after the first `size` ones. On failure the file is truncated to `size`, as far as that is
    /// possible.
    package borrowing func append(_ bytes: [UInt8], at size: Int) throws(PlatformError) {
        do throws(PlatformError) {
            try write(bytes, at: size)
        } catch {
            ftruncate(descriptor, size)
            throw error
        }
    }

    /// Removes all bytes after the first `size` ones.
    package borrowing func truncate(to size: Int) throws(PlatformError) {
        guard ftruncate(descriptor, size) == 0 else {
            throw .system(call: "ftruncate", subject: path, errno: errno)
        }
    }

    /// Like `synchronize`, without the file's timestamps.
    package borrowing func synchronizeData() throws(PlatformError) {
        guard fdatasync(descriptor) == 0 else { throw .system(call: "fdatasync", subject: path, errno: errno) }
    }

    /// Acquires the lock of `tryLock`, retrying every 2 milliseconds. Blocks the thread.
    ///
    /// - Throws: `PlatformError.system` with `EWOULDBLOCK` if another open file holds it for longer than `patience`.
    package borrowing func awaitLock(atMost patience: Duration) throws(PlatformError) {
        let started = ContinuousClock.now
        while try !tryLock() {
            guard ContinuousClock.now - started < patience else {
                throw .system(call: "lock", subject: path, errno: EWOULDBLOCK)
            }
            poll(nil, 0, 2)
        }
    }
}
