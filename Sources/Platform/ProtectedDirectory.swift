// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A directory that is ours alone, opened once; everything in it is reached through the descriptor, so that
/// replacing a directory on the way to it changes nothing.
package final class ProtectedDirectory: Sendable {
    /// As it was given; for messages only.
    package let path: String
    package let descriptor: Int32

    /// - Parameter creating: makes the directory, and those above it, with mode 0700 where they are missing.
    /// - Throws: `PlatformError.unsafePermissions` unless it is a real directory, ours, and closed to all others.
    package init(_ path: String, creating: Bool = false) throws(PlatformError) {
        if creating { try Self.create(path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            guard code == ENOTDIR || code == ELOOP else {
                throw .system(call: "open", subject: path, errno: code)
            }
            throw .unsafePermissions(path: path, reason: "is not a directory of its own", fix: Repair.moveAway(path))
        }
        do {
            try Self.check(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(PlatformError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .system(call: "fstat", subject: path, errno: errno) }
        guard facts.st_uid == geteuid() else {
            throw .unsafePermissions(
                path: path,
                reason: "belongs to user \(facts.st_uid)",
                fix: Repair.own(path)
            )
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw .unsafePermissions(path: path, reason: "is open to other users", fix: Repair.close(path, mode: "700"))
        }
    }

    private static func create(_ path: String) throws(PlatformError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let code = errno
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw .system(call: "mkdir", subject: path, errno: code)
        }
        try create(String(path[..<slash]))
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", subject: path, errno: errno)
        }
    }

    /// The path of one of its files, for messages only.
    package func path(of name: String) -> String { path + "/" + name }

    /// Makes renames and removals in this directory durable.
    package func synchronize() throws(PlatformError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", subject: path, errno: errno) }
    }

    /// The names of what is in it, without `.` and `..`.
    package func names() throws(PlatformError) -> [String] {
        // Its own descriptor: closedir closes the one it is given, and a position is shared with duplicates.
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
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .system(call: "readdir", subject: path, errno: errno) }
        return names
    }

    /// Renames a file, replacing what has the new name.
    package func rename(_ name: String, to newName: String) throws(PlatformError) {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw .system(call: "rename", subject: path(of: name), errno: errno)
        }
    }

    /// Removes a file; that it is not there is not an error.
    package func remove(_ name: String) throws(PlatformError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .system(call: "unlink", subject: path(of: name), errno: errno)
        }
    }
}
