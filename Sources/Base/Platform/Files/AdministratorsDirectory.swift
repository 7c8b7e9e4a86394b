// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A directory of files that the administrator installs for all users. A file is used only if no user except root can
/// have written it.
package struct AdministratorsDirectory: ~Copyable {
    /// The owner that files of root appear to have inside a user namespace that does not map root, such as one made
    /// by systemd's `PrivateUsers=`.
    private static let overflowUser: uid_t = 65_534

    /// The path as it was given.
    package let path: String
    private let descriptor: Int32
    private let isRootNamed: Bool

    /// - Returns: nil if there is no such directory.
    /// - Throws: `PlatformError.unsafePermissions` if root does not own it, or if other users may write to it.
    package init?(_ path: String) throws(PlatformError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let code = errno
        isRootNamed = Self.isRootNamed
        guard descriptor >= 0 else {
            if code == ENOENT { return nil }
            throw .system(call: "open", subject: path, errno: code)
        }
        _ = try Self.check(descriptor, path, isRootNamed: isRootNamed)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the names of its entries, sorted by bytes, without hidden ones.
    package borrowing func names() throws(PlatformError) -> [String] {
        try DirectoryNames.all(in: descriptor, path: path)
            .filter { !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Reads one file. A symbolic link is followed, and its target is checked.
    ///
    /// - Throws: `PlatformError.unsafePermissions` unless it is a regular file that only root can write; `.tooLarge`
    ///   above `maximumBytes`.
    package borrowing func read(_ name: String, maximumBytes: Int) throws(PlatformError) -> [UInt8] {
        let path = path + "/" + name
        // O_NONBLOCK: opening a FIFO must not block before it is rejected.
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        defer { close(file) }
        let facts = try Self.check(file, path, isRootNamed: isRootNamed)
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(path: path, reason: "is not a regular file", fix: Repair.moveAway(path))
        }
        return try OpenFile.readAll(file, path: path, maximumBytes: maximumBytes)
    }

    private static func check(
        _ descriptor: Int32,
        _ path: String,
        isRootNamed: Bool
    ) throws(PlatformError) -> stat {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_uid == (isRootNamed ? 0 : overflowUser) else {
            throw .unsafePermissions(
                path: path,
                reason: "belongs to user \(facts.st_uid), not to root",
                fix: Repair.changeOwnerToRoot(path)
            )
        }
        guard facts.st_mode & 0o022 == 0 else {
            throw .unsafePermissions(
                path: path,
                reason: "can be written by others than root",
                fix: Repair.denyOthersWriting(path)
            )
        }
        return facts
    }

    /// Whether this user namespace maps user 0. Otherwise root's files have the same owner as those of every unmapped
    /// user.
    private static var isRootNamed: Bool {
        guard let map = TextFile.read("/proc/self/uid_map", maximumBytes: 64 << 10) else { return true }
        return map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    }
}
