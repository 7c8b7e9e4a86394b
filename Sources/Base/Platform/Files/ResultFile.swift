// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The destination of a result, at a path that the user named.
package enum ResultPlace: Hashable, Sendable {
    /// An open descriptor of this process.
    case descriptor(Int32)
    /// A pipe, or a terminal or a similar device, which is written to and not replaced.
    case stream(String)
    /// A regular file, or one that does not exist yet. The path has no symbolic links.
    case file(String)

    /// - Parameter path: `-` is standard output.
    /// - Throws: `PlatformError.notRegular` for anything else, such as a directory, a disk or a socket; `.system`.
    package init(_ path: String) throws(PlatformError) {
        switch path == "-" ? .descriptor(STDOUT_FILENO) : try UserPath(path) {
        case .descriptor(let number): self = .descriptor(number)
        case .file(let place):
            switch FileKind(of: place) {
            case nil, .regular: self = .file(place)
            case .characterDevice, .fifo: self = .stream(place)
            case let kind?: throw .notRegular(path: path, kind)
            }
        }
    }

    /// Opens the place itself for writing. A file is created, or loses its content. The descriptor belongs to the caller.
    ///
    /// - Parameter path: the path for error messages.
    /// - Throws: `PlatformError.system`.
    package func open(_ path: String) throws(PlatformError) -> Int32 {
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
    package var isTerminal: Bool {
        switch self {
        case .descriptor(let number): return isatty(number) == 1
        case .file: return false
        case .stream(let path):
            // A pipe that is opened and closed has ended for its reader.
            guard FileKind(of: path) == .characterDevice else { return false }
            let descriptor = Glibc.open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return isatty(descriptor) == 1
        }
    }
}

/// A result that is written to a path that the user named. What is no regular file is written to as it is. A file is removed
/// when its owner drops it before it is complete.
package struct ResultFile: ~Copyable {
    /// The open file.
    package let descriptor: Int32
    private let path: String
    /// The file of `create` that is removed if the result is not complete.
    private let created: String?
    /// The file of `init(replacing:)`, and its destination.
    private var aside: AsideFile?
    private let final: String?
    private var isComplete = false

    /// Opens a file that is written to the side, and gets its name when it is complete. A file that exists is replaced
    /// then, and its permissions stay.
    ///
    /// - Throws: the errors of `ResultPlace.init`; `PlatformError.system`.
    package init(replacing path: String) throws(PlatformError) {
        let place = try ResultPlace(path)
        if case .file(let final) = place {
            try self.init(path, aside: final)
        } else {
            try self.init(path, writingTo: place)
        }
    }

    /// Calls `body` with a file of `init(replacing:)`.
    ///
    /// - Parameter body: receives a descriptor, and returns an exit status. Unless it returns success, nothing remains of
    ///   the file.
    /// - Throws: the errors of `init(replacing:)`; `PlatformError`; the error of `body`.
    package static func replace(_ path: String, _ body: (Int32) throws -> Int32) throws -> Int32 {
        var file = try ResultFile(replacing: path)
        let status = try body(file.descriptor)
        if status == EXIT_SUCCESS { try file.complete() }
        return status
    }

    /// Writes a file that must not exist, not even as a symbolic link. If `body` fails, the file is removed.
    ///
    /// - Throws: the errors of `ResultPlace.init`; `PlatformError`, also if the file exists; the error of `body`.
    package static func create<R>(
        _ path: String,
        mode: UInt32,
        _ body: (borrowing ResultFile) throws -> R
    ) throws -> R {
        let place = try ResultPlace(path)
        guard case .file = place else { return try body(ResultFile(path, writingTo: place)) }
        var file = try ResultFile(creating: path, mode: mode)
        let result = try body(file)
        try file.complete()
        return result
    }

    /// Opens what is no regular file.
    private init(_ path: String, writingTo place: ResultPlace) throws(PlatformError) {
        descriptor = try place.open(path)
        (self.path, created, final) = (path, nil, nil)
    }

    /// - Parameter path: the path for error messages.
    private init(_ path: String, aside final: String) throws(PlatformError) {
        let file = try AsideFile(for: final, mode: 0o666)
        var existing = stat()
        if stat(final, &existing) == 0 {
            // Users who cannot read the file that is replaced cannot read the new one. Another group gets nothing.
            let isOwnerKept = fchown(file.descriptor, existing.st_uid, existing.st_gid) == 0
            guard fchmod(file.descriptor, existing.st_mode & (isOwnerKept ? 0o777 : 0o707)) == 0 else {
                let code = errno
                close(file.descriptor)
                throw .system(call: "fchmod", subject: path, errno: code)
            }
        }
        (descriptor, self.path, created, self.final) = (file.descriptor, path, nil, final)
        aside = consume file
    }

    private init(creating path: String, mode: mode_t) throws(PlatformError) {
        // No property is set before, so that nothing removes a file that exists.
        let opened = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode)
        guard opened >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        (descriptor, self.path, created, final) = (opened, path, path, nil)
    }

    deinit {
        if let created, !isComplete { unlink(created) }
        close(descriptor)
    }

    /// Gives the file its name.
    ///
    /// - Throws: `PlatformError.notRegular` if something else is there now; `.system`.
    package mutating func complete() throws(PlatformError) {
        if let final {
            if let kind = FileKind(of: final), kind != .regular { throw .notRegular(path: path, kind) }
            try aside?.commit()
        }
        isComplete = true
    }

    /// Writes text in UTF-8.
    package func write(_ text: String) throws(PlatformError) {
        let code = Array(text.utf8).withUnsafeBytes { OpenFile.writeAll($0, to: descriptor) }
        guard code == 0 else { throw PlatformError.system(call: "write", subject: path, errno: code) }
    }

    /// Writes bytes.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(PlatformError) {
        let code = OpenFile.writeAll(bytes, to: descriptor)
        guard code == 0 else { throw .system(call: "write", subject: path, errno: code) }
    }

    /// Whether the result is a file of its own, which can be read.
    package var isFile: Bool { created != nil }

    /// Makes the content durable, and the name as far as the file system can. Without effect for what is no regular file.
    package func synchronize() throws(PlatformError) {
        guard let created else { return }
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", subject: path, errno: errno) }
        let directory = open(UserPath.folder(of: created), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}
