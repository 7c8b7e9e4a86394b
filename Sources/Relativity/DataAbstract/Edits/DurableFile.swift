// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import Platform

/// Files of the user that are written aside and renamed: after a crash there is the old content or the new one.
enum DurableFile {
    /// The most bytes of a file.
    static let mostBytes = Int(Int32.max)
    private static let hugePage = 2 << 20

    /// Opens a regular file.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `otherFormat` if it is not a regular file; `system`.
    static func open(_ path: String, _ access: Int32 = O_RDONLY) throws(PendingFileError) -> Int32? {
        let descriptor = Glibc.open(path, access | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .system("open", errno) }
            return nil
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .otherFormat
        }
        return descriptor
    }

    /// Reads to the end of an open file.
    ///
    /// - Throws: `tooLarge`, `system`.
    static func readAll(_ descriptor: Int32) throws(PendingFileError) -> ByteBuffer {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system("fstat", errno) }
        guard facts.st_size <= mostBytes else { throw .tooLarge }
        var bytes = ByteBuffer()
        // One byte more, so that the end is found without growth.
        bytes.reserveCapacity(Int(facts.st_size) + 1)
        bytes.withUnsafeMutableWritableBytes(useHugePages)
        while bytes.readableBytes <= mostBytes {
            var code: Int32 = 0
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 1) { space in
                let count = Glibc.read(descriptor, space.baseAddress, space.count)
                code = count < 0 ? errno : 0
                return max(0, count)
            }
            if code == EINTR { continue }
            guard code == 0 else { throw .system("read", code) }
            if count == 0 { return bytes }
        }
        throw .tooLarge
    }

    /// Without huge pages the first access to each page takes as long as the reading. A failure has no effect.
    private static func useHugePages(_ space: UnsafeMutableRawBufferPointer) {
        guard space.count > hugePage, let start = space.baseAddress else { return }
        let skipped = -Int(bitPattern: start) & 4_095
        madvise(start + skipped, (space.count - skipped) & ~4_095, MADV_HUGEPAGE)
    }

    /// Reads a file.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: the errors of `open` and `readAll`.
    static func read(_ path: String) throws(PendingFileError) -> ByteBuffer? {
        guard let descriptor = try open(path) else { return nil }
        defer { close(descriptor) }
        return try readAll(descriptor)
    }

    /// Replaces a file durably, with mode 0600.
    ///
    /// - Returns: the descriptor of the new file.
    /// - Throws: `system`. The path has then the file of before.
    static func replace(_ path: String, with bytes: ByteBuffer) throws(PendingFileError) -> Int32 {
        var descriptor: Int32 = -1
        do throws(PlatformError) {
            var file = try AsideFile(for: path, mode: 0o600)
            descriptor = file.descriptor
            let code = bytes.withUnsafeReadableBytes { OpenFile.writeAll($0, to: descriptor) }
            guard code == 0 else { throw .system(call: "write", subject: path, errno: code) }
            try file.commit()
            return descriptor
        } catch {
            if descriptor >= 0 { close(descriptor) }
            guard case .system(let call, _, let errno) = error else { throw .system("open", EIO) }
            throw .system(call, errno)
        }
    }

    /// Appends bytes durably.
    ///
    /// - Throws: `system`.
    static func write(_ bytes: ByteBuffer, to descriptor: Int32) throws(PendingFileError) {
        let code = bytes.withUnsafeReadableBytes { OpenFile.writeAll($0, to: descriptor) }
        guard code == 0 else { throw .system("write", code) }
        guard fsync(descriptor) == 0 else { throw .system("fsync", errno) }
    }

    /// Removes a file. It is not an error if there is none.
    ///
    /// - Throws: `system`.
    static func remove(_ path: String) throws(PendingFileError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system("unlink", errno) }
    }

    /// Makes renames and removals in the directory of a file durable.
    ///
    /// - Throws: `system`.
    static func synchronizeDirectory(of path: String) throws(PendingFileError) {
        let descriptor = Glibc.open(UserPath.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system("fsync", errno) }
    }
}
