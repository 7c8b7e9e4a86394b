// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The content of a file that the user named, such as a backup copy, regardless of its directory and permissions.
package struct RegularFile: Sendable {
    /// The whole content.
    package let bytes: [UInt8]
    /// A sentence that names the users who can read or change the file; nil if there are none.
    package let exposure: String?
    private let device: dev_t
    private let inode: ino_t

    /// Reads the file, and follows symbolic links. Opening never blocks on a FIFO or a device.
    ///
    /// - Throws: `PlatformError.tooLarge` above `maximumBytes`, `.unsafePermissions` if it is not a regular file.
    package init(reading path: String, maximumBytes: Int) throws(PlatformError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(
                path: path,
                reason: "is not a regular file",
                fix: "ls -ld \(ShellWord.quote(path))"
            )
        }
        guard facts.st_size <= maximumBytes else { throw .tooLarge(subject: path, maximumBytes: maximumBytes) }
        bytes = try OpenFile.readAll(descriptor, path: path, maximumBytes: maximumBytes)
        exposure = Self.exposure(facts, path)
        device = facts.st_dev
        inode = facts.st_ino
    }

    /// Whether another path names the same file.
    package func isSame(as path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_dev == device && facts.st_ino == inode
    }

    private static func exposure(_ facts: stat, _ path: String) -> String? {
        if facts.st_uid != geteuid() { return "\(ShellWord.quote(path)) belongs to user \(facts.st_uid)" }
        guard facts.st_mode & 0o077 != 0 else { return nil }
        return "\(ShellWord.quote(path)) is open to other users; try: \(Repair.close(path, mode: "600"))"
    }
}

/// Reads small text files that the kernel generates, such as those in `/proc`.
package enum TextFile {
    /// Reads a file.
    ///
    /// - Returns: nil if the file cannot be read or is longer than `maximumBytes`.
    package static func read(_ path: String, maximumBytes: Int) -> String? {
        bytes(path, maximumBytes: maximumBytes).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads the bytes of a file.
    ///
    /// - Returns: nil if the file cannot be read or is longer than `maximumBytes`.
    package static func bytes(_ path: String, maximumBytes: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return try? OpenFile.readAll(descriptor, path: path, maximumBytes: maximumBytes)
    }
}

/// Whole-file replacement of plain state files: after a crash there is the old content or the new, never neither.
package enum AtomicFile {
    private static let temporarySuffix = ".tmp"
    private static let temporaryRandomBytes = 8

    /// Writes a temporary file in the same directory, makes it durable and renames it to `name`.
    package static func write(_ bytes: [UInt8], to name: String, in directory: ProtectedDirectory) throws(PlatformError)
    {
        let temporary = try temporaryName(of: name)
        do throws(PlatformError) {
            let file = try ProtectedFile.create(temporary, in: directory)
            try file.writeAll(bytes)
            try file.synchronize()
            guard renameat(directory.descriptor, temporary, directory.descriptor, name) == 0 else {
                throw .system(call: "rename", subject: directory.path(of: name), errno: errno)
            }
        } catch {
            unlinkat(directory.descriptor, temporary, 0)
            throw error.about(directory.path(of: name), insteadOf: directory.path(of: temporary))
        }
        try directory.synchronize()
    }

    /// Reads a file.
    ///
    /// - Returns: nil if there is no such file.
    /// - Throws: the errors of `ProtectedFile.open`.
    package static func read(
        _ name: String,
        in directory: ProtectedDirectory,
        maximumBytes: Int
    ) throws(PlatformError) -> [UInt8]? {
        guard let file = try ProtectedFile.open(name, in: directory, maximumBytes: maximumBytes) else { return nil }
        return try file.readAll(maximumBytes: maximumBytes)
    }
}

/// The temporary files, which remain if a process is killed during a write.
extension AtomicFile {
    /// Returns a random name for the file that will replace `name`.
    ///
    /// - Throws: `PlatformError.system`.
    package static func temporaryName(
        of name: String,
        random: any RandomSource = SystemRandom()
    ) throws(PlatformError) -> String {
        let bytes = try random.bytes(temporaryRandomBytes)
        return temporaryPrefix(of: name) + HexText.encode(bytes) + temporarySuffix
    }

    /// Removes the temporary files of some names, as far as that is possible.
    ///
    /// - Parameter age: the time without a write after which a file is removed. Zero is for a caller with the lock of
    ///   all writers; otherwise a file may be in use.
    package static func removeStaleFiles(
        of names: [String],
        in directory: ProtectedDirectory,
        olderThan age: Duration = .zero
    ) {
        for entry in (try? directory.names()) ?? [] where names.contains(where: { isTemporary(entry, of: $0) }) {
            if age == .zero || isOlder(entry, than: age, in: directory) { unlinkat(directory.descriptor, entry, 0) }
        }
    }

    private static func temporaryPrefix(of name: String) -> String { ".\(name)." }

    private static func isTemporary(_ entry: String, of name: String) -> Bool {
        let prefix = temporaryPrefix(of: name)
        guard entry.hasPrefix(prefix), entry.hasSuffix(temporarySuffix) else { return false }
        let middle = entry.dropFirst(prefix.count).dropLast(temporarySuffix.count)
        return HexText.decode(middle)?.count == temporaryRandomBytes
    }

    private static func isOlder(_ name: String, than age: Duration, in directory: ProtectedDirectory) -> Bool {
        var facts = stat()
        guard fstatat(directory.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        return Int64(time(nil)) - Int64(facts.st_mtim.tv_sec) > age.components.seconds
    }
}
