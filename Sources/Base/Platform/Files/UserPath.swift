// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A path that the user named, after its symbolic links.
///
/// `/dev/stdin`, `/dev/stdout`, `/dev/fd/N` and links to them are descriptors of this process. They are used as they are:
/// a regular file that is opened again would be read or overwritten from its beginning, and a socket has no name to open.
package enum UserPath: Hashable, Sendable {
    /// An open descriptor of this process.
    case descriptor(Int32)
    /// A path without symbolic links. Nothing may exist there.
    case file(String)

    private static let mostLinks = 40

    /// Follows the links of a path. The last one may lead to a file that does not exist.
    ///
    /// - Throws: `PlatformError.system` if the directory of the file does not exist, or for too many links.
    package init(_ path: String) throws(PlatformError) {
        var rest = path
        for _ in 0..<Self.mostLinks {
            let (folder, name) = Self.parts(of: rest)
            guard let directory = Self.real(folder) else { throw .system(call: "open", subject: path, errno: errno) }
            if Self.hasDescriptors(directory), let number = Int32(name) {
                self = .descriptor(number)
                return
            }
            let place = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
            // A link in /proc is no path.
            guard !directory.hasPrefix("/proc/"), let target = Self.target(of: place) else {
                self = .file(name.isEmpty ? rest : place)
                return
            }
            rest = target.hasPrefix("/") ? target : "\(directory)/\(target)"
        }
        throw .system(call: "open", subject: path, errno: ELOOP)
    }

    /// Opens a path for reading. The descriptor is close-on-exec and belongs to the caller.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: `PlatformError.system`.
    package static func openForReading(_ path: String) throws(PlatformError) -> Int32 {
        let descriptor =
            switch path == "-" ? .descriptor(STDIN_FILENO) : try UserPath(path) {
            case .descriptor(let number): fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            case .file(let place): open(place, O_RDONLY | O_CLOEXEC | O_NOCTTY)
            }
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        return descriptor
    }

    /// Reads all of a file, a pipe or a device.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: `PlatformError.system`; `.tooLarge` above `maximumBytes`.
    package static func read(_ path: String, maximumBytes: Int) throws(PlatformError) -> [UInt8] {
        let descriptor = try openForReading(path)
        defer { close(descriptor) }
        return try OpenFile.readAll(descriptor, path: path, maximumBytes: maximumBytes)
    }

    /// The path of the directory that a path names an entry of; `.` for a name alone.
    package static func folder(of path: String) -> String { parts(of: path).folder }

    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    private static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    private static func target(of path: String) -> String? {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &text, text.count)
        return count > 0 ? String(validating: text[..<count], as: UTF8.self) : nil
    }

    /// Whether a directory is that of the descriptors of this process.
    private static func hasDescriptors(_ directory: String) -> Bool {
        let process = "/proc/\(getpid())"
        return directory == process + "/fd" || directory.hasPrefix(process + "/task/") && directory.hasSuffix("/fd")
    }
}

/// What a path leads to.
package enum FileKind: String, Sendable, Hashable {
    case regular = "a regular file"
    case directory = "a directory"
    case fifo = "a FIFO"
    case socket = "a socket"
    case characterDevice = "a character device"
    case blockDevice = "a block device"
    case link = "a symbolic link"
    /// An open descriptor, such as `/dev/stdout`.
    case descriptor = "a descriptor of this process"

    /// The kind of the file at a path, after symbolic links unless `followsLinks` is false.
    ///
    /// - Returns: nil if there is none, or if it cannot be examined.
    package init?(of path: String, followsLinks: Bool = true) {
        var facts = stat()
        guard followsLinks ? stat(path, &facts) == 0 : lstat(path, &facts) == 0 else { return nil }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFIFO: self = .fifo
        case S_IFSOCK: self = .socket
        case S_IFBLK: self = .blockDevice
        case S_IFLNK: self = .link
        default: self = .characterDevice
        }
    }
}

extension UserPath {
    /// Checks a path of a file that is changed, not only read or written once, and follows its links.
    ///
    /// - Parameter kinds: the permitted kinds of a file that exists.
    /// - Returns: the path; that of the file if it is a link.
    /// - Throws: `PlatformError.notRegular`.
    package static func ownFile(
        _ path: String,
        _ kinds: Set<FileKind> = [.regular]
    ) throws(PlatformError) -> String {
        // A path whose directory is missing is an error when it is opened.
        guard let found = try? UserPath(path) else { return path }
        guard case .file(let place) = found else { throw .notRegular(path: path, .descriptor) }
        if let kind = FileKind(of: place), !kinds.contains(kind) { throw .notRegular(path: path, kind) }
        return FileKind(of: path, followsLinks: false) == .link ? place : path
    }
}
