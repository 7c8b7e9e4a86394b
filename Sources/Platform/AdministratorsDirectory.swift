// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A directory of files that the administrator lays down for all users. What is in it counts only as far as nobody but
/// root can have written it.
package struct AdministratorsDirectory: ~Copyable {
    /// How root looks from inside a user namespace that has no name for it, as systemd's PrivateUsers= makes one.
    private static let overflowUser: uid_t = 65_534

    package let path: String
    private let descriptor: Int32
    private let isRootNamed: Bool

    /// - Returns: nil where there is no such directory.
    /// - Throws: `PlatformError.unsafePermissions` if it is not root's, or others may write to it.
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

    /// The names of what is in it, sorted by bytes, without hidden ones.
    package borrowing func names() throws(PlatformError) -> [String] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        guard let stream = fdopendir(own) else {
            let code = errno
            close(own)
            throw .system(call: "fdopendir", subject: path, errno: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        // The only way in which readdir tells an error from the end.
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .system(call: "readdir", subject: path, errno: errno) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Reads one file, which may be a symbolic link: what it leads to is judged.
    ///
    /// - Throws: `PlatformError.unsafePermissions` for what is no regular file of root's, `.tooLarge`.
    package borrowing func read(_ name: String, maximumBytes: Int) throws(PlatformError) -> [UInt8] {
        let path = path + "/" + name
        // O_NONBLOCK: a FIFO in its place must not hold us up before it is refused.
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        defer { close(file) }
        let facts = try Self.check(file, path, isRootNamed: isRootNamed)
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unsafePermissions(path: path, reason: "is not a regular file", fix: Repair.moveAway(path))
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(call: "read", subject: path, errno: errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else { throw .tooLarge(subject: path, maximumBytes: maximumBytes) }
        }
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
                fix: Repair.giveToRoot(path)
            )
        }
        guard facts.st_mode & 0o022 == 0 else {
            throw .unsafePermissions(
                path: path,
                reason: "can be written by others than root",
                fix: Repair.keepOthersFromWriting(path)
            )
        }
        return facts
    }

    /// Whether user 0 of this user namespace is somebody: else root's files look like those of every stranger.
    private static var isRootNamed: Bool {
        guard let map = TextFile.read("/proc/self/uid_map", maximumBytes: 64 << 10) else { return true }
        return map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    }
}
