// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import SQLite

/// A file that is written next to its destination and renamed when it is complete. Unless it can be resumed, it is
/// removed when its owner drops it, and after a crash by the next export to the same destination.
struct PartFile: ~Copyable {
    let path: String
    private let destination: String
    private let descriptor: Int32
    private let isResumable: Bool
    private var isCommitted = false

    /// Creates the file, or opens that of an interrupted export. A user who cannot read the file that it will
    /// replace cannot read it either.
    ///
    /// - Parameters:
    ///   - destination: a path of `resolved`.
    ///   - mode: the permissions, without those that the process withholds (umask).
    ///   - continues: whether the content of an interrupted export is kept.
    /// - Throws: `busy` if another process writes the file that would be resumed; `notPart` if it is not one of an
    ///   interrupted export; `notRegular`; `system`, with EPERM if that file belongs to another user.
    init(
        for destination: String,
        mode: mode_t = 0o666,
        isResumable: Bool = false,
        continues: Bool = true
    ) throws(ExportError) {
        self.destination = destination
        self.isResumable = isResumable
        if !isResumable { Self.removeStale(destination) }
        while true {
            let path = isResumable ? Self.resumablePath(destination) : "\(destination).part-\(Self.randomSuffix)"
            if let kind = Self.obstacle(at: path) { throw .notRegular(path: path, kind) }
            let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (isResumable ? 0 : O_EXCL)
            let descriptor = open(path, flags, mode)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw .system(call: "open", path: path, errno: errno) }
            let code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
            var facts = stat()
            // Another process may have removed the file before it was locked.
            if code == 0, fstat(descriptor, &facts) == 0, facts.st_nlink > 0 {
                do throws(ExportError) {
                    try Self.prepare(descriptor, path, facts, destination, continues: continues)
                } catch {
                    close(descriptor)
                    throw error
                }
                self.path = path
                self.descriptor = descriptor
                return
            }
            close(descriptor)
            guard code == 0 || code == EWOULDBLOCK else {
                // A file system without locks.
                if !isResumable { unlink(path) }
                throw .system(call: "flock", path: path, errno: code)
            }
            if code != 0, isResumable { throw .busy(path: path) }
        }
    }

    /// Creates a file in a directory, which gets no other name.
    ///
    /// - Throws: `system`.
    init(in directory: String) throws(ExportError) {
        do throws(PlatformError) {
            (descriptor, path) = try TemporaryFiles.named(in: directory)
        } catch {
            throw ExportError(error, directory)
        }
        (destination, isResumable) = (path, false)
    }

    /// Removes the name, so that the file disappears with its owner.
    func removeName() { unlink(path) }

    /// Writes the content to a descriptor.
    ///
    /// - Returns: 0, or the `errno` of the call that failed.
    /// - Throws: `system` if the content cannot be read.
    func write(to output: Int32) throws(ExportError) -> Int32 {
        do throws(PlatformError) {
            guard lseek(descriptor, 0, SEEK_SET) == 0 else {
                throw .system(call: "lseek", subject: path, errno: errno)
            }
            while case let bytes = try OpenFile.readPart(descriptor, path: path), !bytes.isEmpty {
                let code = bytes.withUnsafeBytes { OpenFile.writeAll($0, to: output) }
                if code != 0 { return code }
            }
            return 0
        } catch {
            throw ExportError(error, path)
        }
    }

    private static func prepare(
        _ descriptor: Int32,
        _ path: String,
        _ facts: stat,
        _ destination: String,
        continues: Bool
    ) throws(ExportError) {
        guard facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(), facts.st_nlink == 1 else {
            throw .system(call: "open", path: path, errno: EPERM)
        }
        guard facts.st_size == 0 || isInterrupted(path) else { throw .notPart(path: path) }
        if !continues {
            unlink(path + "-journal")
            guard ftruncate(descriptor, 0) == 0 else { throw .system(call: "ftruncate", path: path, errno: errno) }
        }
        var existing = stat()
        guard stat(destination, &existing) == 0 else { return }
        guard fchmod(descriptor, facts.st_mode & 0o777 & (existing.st_mode | 0o600)) == 0 else {
            throw .system(call: "fchmod", path: path, errno: errno)
        }
    }

    /// Whether a file is that of an interrupted export: it has the table of the progress, or becomes empty, because the
    /// process was killed before its first transaction had ended.
    private static func isInterrupted(_ path: String) -> Bool {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = ?"
        let hasTable = try? SQLiteDatabase(.file(path), .readWrite).rows(sql, [.text(SQLiteExport.stateTable)]) { _ in
            true
        }
        var facts = stat()
        return hasTable?.isEmpty == false || stat(path, &facts) == 0 && facts.st_size == 0
    }

    deinit {
        if !isCommitted, !isResumable { Self.remove(path) }
        close(descriptor)
    }

    /// Makes the content durable and gives the file its real name.
    ///
    /// - Throws: `exists`, `notRegular`, `system`. The file then remains, if it can be resumed.
    mutating func commit(replacing: Bool) throws(ExportError) {
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", path: path, errno: errno) }
        guard !Self.hasLog(destination) else { throw .busy(path: destination) }
        try replacing ? rename() : link()
        isCommitted = true
        let folder = open(UserPath.folder(of: destination), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        guard folder >= 0, fsync(folder) == 0 else { throw .system(call: "fsync", path: destination, errno: errno) }
    }

    private static func resumablePath(_ destination: String) -> String { "\(destination).part" }

    /// Returns the path without symbolic links, so that the file is replaced and not a link to it.
    ///
    /// - Throws: `notRegular`; `system` if its directory does not exist.
    static func resolved(_ path: String) throws(ExportError) -> String {
        let place: UserPath
        do throws(PlatformError) {
            place = try UserPath(path)
        } catch {
            throw ExportError(error, path)
        }
        guard case .file(let resolved) = place else { throw .notRegular(path: path, .descriptor) }
        if let kind = obstacle(at: resolved) { throw .notRegular(path: path, kind) }
        return resolved
    }

    /// Whether a database has changes in a write-ahead log, which would become changes of the file that replaces it.
    static func hasLog(_ path: String) -> Bool {
        var facts = stat()
        return stat(path + "-wal", &facts) == 0 && facts.st_size > 0
    }

    /// The identity, the size and the last change of a file; nil if there is none.
    static func state(of path: String) -> String? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        let change = facts.st_mtim
        return "\(facts.st_dev):\(facts.st_ino):\(facts.st_size):\(change.tv_sec).\(change.tv_nsec)"
    }

    /// Whether nothing was written yet.
    var isEmpty: Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_size == 0
    }

    /// The kind of what is at a path; nil for a regular file, which can be replaced, and for none.
    private static func obstacle(at path: String) -> FileKind? {
        let kind = FileKind(of: path, followsLinks: false)
        return kind == .regular ? nil : kind
    }

    /// Ten hexadecimal digits.
    private static var randomSuffix: String { String(UInt64.random(in: 1 << 36..<1 << 40), radix: 16) }

    /// Whether a name ends as this type ends them, so that no other file is removed.
    private static func isSuffix(_ text: some Collection<UInt8>) -> Bool {
        text.count == 10
            && text.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    private func rename() throws(ExportError) {
        if let kind = Self.obstacle(at: destination) { throw .notRegular(path: destination, kind) }
        guard Glibc.rename(path, destination) == 0 else {
            throw .system(call: "rename", path: destination, errno: errno)
        }
    }

    /// Unlike a rename, a link does not replace a file.
    private func link() throws(ExportError) {
        if Glibc.link(path, destination) == 0 {
            unlink(path)
            return
        }
        let code = errno
        // Some file systems have no links.
        let isUnsupported = code == EPERM || code == EOPNOTSUPP
        guard isUnsupported, access(destination, F_OK) != 0 else {
            let exists = code == EEXIST || isUnsupported
            throw exists ? .exists(path: destination) : .system(call: "link", path: destination, errno: code)
        }
        try rename()
    }

    /// Removes a database with its journal.
    private static func remove(_ path: String) {
        unlink(path)
        unlink(path + "-journal")
    }

    /// Removes the files of exports to the same destination that were killed: those that no process has locked.
    private static func removeStale(_ destination: String) {
        let folder = UserPath.folder(of: destination)
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        let name = destination.split(separator: "/").last.map(String.init) ?? ""
        while let entry = readdir(directory) {
            let found = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = found.hasSuffix("-journal") ? String(found.dropLast("-journal".count)) : found
            guard path.hasPrefix(name + ".part-"), isSuffix(path.utf8.dropFirst(name.utf8.count + ".part-".utf8.count))
            else { continue }
            guard obstacle(at: "\(folder)/\(path)") == nil else { continue }
            let descriptor = open("\(folder)/\(path)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove("\(folder)/\(path)") }
            if descriptor >= 0 { close(descriptor) }
        }
    }
}

extension ExportError {
    /// - Parameter path: the path of the file.
    fileprivate init(_ error: PlatformError, _ path: String) {
        self =
            if case .system(let call, _, let errno) = error {
                .system(call: call, path: path, errno: errno)
            } else {
                .system(call: "open", path: path, errno: EIO)
            }
    }
}
