// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// The destination of a result, at a path that the user named.
enum ResultPlace: Hashable {
    /// An open descriptor of this process.
    case descriptor(Int32)
    /// A pipe, or a terminal or a similar device, which is written to and not replaced.
    case stream(String)
    /// A regular file, or one that does not exist yet. The path has no symbolic links.
    case file(String)

    /// - Parameter path: `-` is standard output.
    /// - Throws: a usage failure for anything else, such as a directory, a disk or a socket; `PlatformError`.
    init(_ path: String) throws {
        switch path == "-" ? .descriptor(STDOUT_FILENO) : try UserPath(path) {
        case .descriptor(let number): self = .descriptor(number)
        case .file(let place):
            var facts = stat()
            guard stat(place, &facts) == 0 else {
                self = .file(place)
                return
            }
            switch facts.st_mode & S_IFMT {
            case S_IFCHR, S_IFIFO: self = .stream(place)
            case S_IFREG: self = .file(place)
            default: throw Self.refusal(path)
            }
        }
    }

    static func refusal(_ path: String) -> Failure {
        Failure(.usage, "\(Printable(path)) exists and is no regular file")
    }

    /// Opens the place itself for writing. A file is created, or loses its content. The descriptor belongs to the caller.
    ///
    /// - Parameter path: the path for error messages.
    /// - Throws: `PlatformError.system`.
    func open(_ path: String) throws(PlatformError) -> Int32 {
        let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY
        let descriptor =
            switch self {
            case .descriptor(let number): fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            case .stream(let place): Glibc.open(place, flags)
            case .file(let place): Glibc.open(place, flags | O_CREAT | O_TRUNC, 0o666)
            }
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        return descriptor
    }

    /// Whether what is written appears on a terminal.
    var isTerminal: Bool {
        switch self {
        case .descriptor(let number): return isatty(number) == 1
        case .file: return false
        case .stream(let path):
            var facts = stat()
            // A pipe that is opened and closed has ended for its reader.
            guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFCHR else { return false }
            let descriptor = Glibc.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return isatty(descriptor) == 1
        }
    }
}

/// A result that is written to a path that the user named. What is no regular file is written to as it is.
struct ResultFile: ~Copyable {
    let descriptor: Int32
    private let path: String
    /// The file that is removed if the result is not complete; nil for what is no regular file.
    private let created: String?

    /// Writes a file to the side, and gives it its name when it is complete. A file that exists is replaced.
    ///
    /// - Parameter body: receives a descriptor, and returns an exit status. Unless it returns success, nothing remains of
    ///   the file.
    /// - Throws: the errors of `ResultPlace.init`; `PlatformError`; the error of `body`.
    static func replace(_ path: String, _ body: (Int32) throws -> Int32) throws -> Int32 {
        let place = try ResultPlace(path)
        guard case .file(let final) = place else {
            let file = try ResultFile(path, writingTo: place)
            return try body(file.descriptor)
        }
        let file = try ResultFile(creating: "\(final).\(getpid()).part", mode: 0o666, for: path)
        return try file.keepingIfComplete { file in
            let status = try body(file.descriptor)
            guard status == ExitStatus.done.rawValue else {
                file.remove()
                return status
            }
            guard case .file = try ResultPlace(final) else { throw ResultPlace.refusal(path) }
            try file.rename(to: final)
            return status
        }
    }

    /// Writes a file that must not exist, not even as a symbolic link. If `body` fails, the file is removed.
    ///
    /// - Throws: the errors of `ResultPlace.init`; `PlatformError`, also if the file exists; the error of `body`.
    static func create<R>(_ path: String, mode: mode_t, _ body: (borrowing ResultFile) throws -> R) throws -> R {
        let place = try ResultPlace(path)
        guard case .file = place else { return try body(ResultFile(path, writingTo: place)) }
        return try ResultFile(creating: path, mode: mode, for: path).keepingIfComplete(body)
    }

    /// Opens what is no regular file.
    private init(_ path: String, writingTo place: ResultPlace) throws(PlatformError) {
        (self.path, created) = (path, nil)
        descriptor = try place.open(path)
    }

    /// - Parameter path: the path for error messages.
    private init(creating file: String, mode: mode_t, for path: String) throws(PlatformError) {
        (self.path, created) = (path, file)
        descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode)
        guard descriptor >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
    }

    deinit { close(descriptor) }

    private func keepingIfComplete<R>(_ body: (borrowing ResultFile) throws -> R) throws -> R {
        do {
            return try body(self)
        } catch {
            remove()
            throw error
        }
    }

    private func remove() {
        if let created { unlink(created) }
    }

    private func rename(to final: String) throws(PlatformError) {
        guard let created, fsync(descriptor) == 0, Glibc.rename(created, final) == 0 else {
            throw .system(call: "rename", subject: path, errno: errno)
        }
    }

    func write(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes { try write($0) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        let code = OpenFile.writeAll(bytes, to: descriptor)
        guard code == 0 else { throw PlatformError.system(call: "write", subject: path, errno: code) }
    }

    /// Whether the result is a file of its own, which can be read.
    var isFile: Bool { created != nil }

    /// Makes the content durable, and the name as far as the file system can. Without effect for what is no regular file.
    func synchronize() throws(PlatformError) {
        guard let created else { return }
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", subject: path, errno: errno) }
        let end = created.lastIndex(of: "/")
        let directory = open(
            end.map { $0 == created.startIndex ? "/" : String(created[..<$0]) } ?? ".",
            O_RDONLY | O_DIRECTORY | O_CLOEXEC
        )
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}
