// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A directory that only its owner, the user of this process, can access. It is opened once. Its entries are accessed
/// through the descriptor, so that replacing a directory on the path has no effect.
package final class ProtectedDirectory: Sendable {
    /// The path as it was given, for messages only.
    package let path: String
    /// The descriptor of the open directory.
    package let descriptor: Int32

    /// Opens the directory.
    ///
    /// - Parameter creating: creates the directory, and missing ones above it, with mode 0700.
    /// - Throws: `PlatformError.unsafePermissions` unless it is a real directory that this user owns and no other user
    ///   can access.
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

    /// Creates a directory, and missing ones above it, with mode 0700. An existing directory is not changed.
    package static func create(_ path: String) throws(PlatformError) {
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

    /// Returns the path of an entry, for messages only.
    package func path(of name: String) -> String { path + "/" + name }

    /// Makes renames and removals in this directory durable.
    package func synchronize() throws(PlatformError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", subject: path, errno: errno) }
    }

    /// Returns the names of its entries, without `.` and `..`.
    package func names() throws(PlatformError) -> [String] {
        try DirectoryNames.all(in: descriptor, path: path)
    }

    /// Renames a file, replacing a file that has the new name.
    package func rename(_ name: String, to newName: String) throws(PlatformError) {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw .system(call: "rename", subject: path(of: name), errno: errno)
        }
    }

    /// Removes a file. It is not an error if there is none.
    package func remove(_ name: String) throws(PlatformError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .system(call: "unlink", subject: path(of: name), errno: errno)
        }
    }
}

extension ProtectedDirectory {
    /// Renames a file that the next save would overwrite. No earlier file has the new name.
    ///
    /// - Parameter word: the state of the file, which becomes a part of its name.
    /// - Returns: the new path, for messages.
    package func setAside(_ name: String, as word: String = "damaged") throws(PlatformError) -> String {
        let taken = Set(try names())
        var number = 1
        while taken.contains("\(name).\(word)-\(number)") { number += 1 }
        try rename(name, to: "\(name).\(word)-\(number)")
        return path(of: "\(name).\(word)-\(number)")
    }
}

/// Listings of directories.
package enum DirectoryNames {
    /// Returns the names in an open directory, without `.` and `..`, in no order.
    ///
    /// - Parameter path: for errors.
    package static func all(in descriptor: Int32, path: String) throws(PlatformError) -> [String] {
        // A separate descriptor, because closedir closes it and duplicates share their position.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        guard let stream = fdopendir(own) else {
            let code = errno
            close(own)
            throw .system(call: "fdopendir", subject: path, errno: code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        // readdir reports an error only through errno.
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

    /// Returns the sorted names in a directory, without those that begin with a dot.
    ///
    /// - Throws: `PlatformError.system`.
    package static func visible(in directory: String) throws(PlatformError) -> [String] {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", subject: directory, errno: errno) }
        defer { close(descriptor) }
        return try all(in: descriptor, path: directory).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// Returns the names of `visible`; none if the directory cannot be read.
    package static func of(_ directory: String) -> [String] { (try? visible(in: directory)) ?? [] }
}
