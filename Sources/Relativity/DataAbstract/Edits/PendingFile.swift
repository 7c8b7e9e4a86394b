// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import NIOCore
import Platform

/// The reason why a pending file cannot be read or written.
public enum PendingFileError: Error, Hashable, Sendable {
    /// Another process, or another object of this one, has the file open.
    case inUse
    /// A file has the name of the lock file and is none; it is not changed.
    case notLock(_ path: String)
    /// The file is not a pending file, or one of a later version.
    case otherFormat
    /// The file was changed by something else, at this byte. Nothing is lost that was saved before it, but the file is not
    /// used and not changed.
    case damaged(offset: Int)
    /// The file or a record is larger than 2 GiB.
    case tooLarge
    /// A text of the place is longer than its limit.
    case invalidPlace
    /// A call of the system failed.
    case system(_ call: String, _ errno: Int32)
}

extension PendingFileError: CustomStringConvertible {
    /// A sentence fragment.
    public var description: String {
        switch self {
        case .inUse: "the pending file is in use"
        case .notLock(let path): "\(path) exists and is no lock of relativityd: rename one of both files"
        case .otherFormat: "not a pending file, or one of a later version"
        case .damaged(let offset): "damaged pending file, at byte \(offset)"
        case .tooLarge: "pending changes of more than 2 GiB"
        case .invalidPlace: "the name of the server or of the data service is too long"
        case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
        }
    }
}

/// The place of pending changes: a server and one of its data services.
public struct PendingFilePlace: Hashable, Sendable {
    /// The most bytes of UTF-8 of each text.
    public static let longestText = 1_024

    /// Identifies the endpoint.
    public let endpoint: String
    /// The name of the data service.
    public let service: String

    /// Creates a place.
    public init(endpoint: String, service: String) {
        self.endpoint = endpoint
        self.service = service
    }

    var texts: [String] { [endpoint, service] }
    var isShort: Bool { texts.allSatisfy { $0.utf8.count <= Self.longestText } }
}

/// Pending changes in a file, which survive the end of the process at any moment.
///
/// A change is appended and made durable before `save` returns. If the file has become much longer than its content, it is
/// written aside and renamed. A file `PATH.lock` prevents two users at a time; the last one removes it.
///
/// Saving blocks the thread until the file is durable. `close` and the end of the object end the use of the file.
public final class PendingFile: Sendable {
    /// Bytes of records after which the file is written again, unless the changes themselves are as large.
    private static let slack = 256 << 10

    private struct State: Sendable {
        var journal: PendingJournal
        /// -1 if there is no file yet.
        var descriptor: Int32 = -1
        /// Nil after `close`.
        var lock: LockFile?
        var length = 0
        var snapshotLength = 0
        /// Whether the file must be written again, because it ends in an incomplete record or a write failed. The kernel
        /// may have dropped what it had accepted.
        var isStale = false

        init(_ codePage: CodePage?) {
            journal = PendingJournal(codePage: codePage)
        }
    }

    /// The path.
    public let path: String
    /// The changes in the file when it was opened; nil if it did not exist or was empty. Rows have to be refreshed from
    /// the server.
    public let changes: ChangeSet?
    /// Whether the last record was incomplete, because a process ended while it wrote it. It was never confirmed.
    public let wasTorn: Bool
    /// The place of the changes; nil if the file has none. A caller with changes for another place must refuse the
    /// file.
    public let place: PendingFilePlace?
    private let codePage: CodePage?
    private let state: Lock<State>

    /// Opens a file. It is created by the first `save`.
    ///
    /// - Parameters:
    ///   - place: the place that is noted in a new file. An existing file keeps its own, or none.
    ///   - codePage: in which 8-bit text is read; nil for the one of the file.
    ///   - patience: how long to wait while the file is in use. It blocks the thread.
    /// - Throws: `invalidPlace` if a text of the place is longer than `PendingFilePlace.longestText`.
    public init(
        _ path: String,
        place: PendingFilePlace? = nil,
        codePage: CodePage? = nil,
        waiting patience: Duration = .zero
    ) throws(PendingFileError) {
        guard place?.isShort ?? true else { throw .invalidPlace }
        self.path = path
        self.codePage = codePage
        var state = State(codePage)
        state.lock = try LockFile.locked(path + ".lock", waiting: patience)
        state.journal.place = place
        (changes, wasTorn) = try Self.read(path, &state)
        self.place = state.journal.place
        self.state = Lock(state)
    }

    deinit { close() }

    /// Ends the use of the file, so that it can be opened again. Later saves fail.
    public func close() {
        state.withLock { state in
            if state.descriptor >= 0 { Glibc.close(state.descriptor) }
            (state.descriptor, state.lock) = (-1, nil)
        }
    }

    /// The content of a pending file that is not changed.
    public struct Content: Sendable {
        /// The changes; nil if the file does not exist or is empty.
        public let changes: ChangeSet?
        /// Whether the last record is incomplete.
        public let isTorn: Bool
        /// The place of the changes; nil if the file has none.
        public let place: PendingFilePlace?
    }

    /// Reads a file that may be read-only, or in use. Then the content is that of a confirmed save.
    ///
    /// - Parameter codePage: in which 8-bit text is read; nil for the one of the file.
    public static func content(
        of path: String,
        codePage: CodePage? = nil
    ) throws(PendingFileError) -> Content {
        var state = State(codePage)
        let (changes, isTorn) = try read(path, &state, O_RDONLY)
        if state.descriptor >= 0 { Glibc.close(state.descriptor) }
        return Content(changes: changes, isTorn: isTorn, place: state.journal.place)
    }

    private static func read(
        _ path: String,
        _ state: inout State,
        _ access: Int32 = O_RDWR
    ) throws(PendingFileError) -> (ChangeSet?, Bool) {
        guard let descriptor = try DurableFile.open(path, access) else { return (nil, false) }
        do throws(PendingFileError) {
            let bytes = try DurableFile.readAll(descriptor)
            // A caller may have made the file with mktemp(1).
            guard bytes.readableBytes > 0 else {
                Glibc.close(descriptor)
                return (nil, false)
            }
            let (set, length) = try state.journal.read(bytes)
            (state.descriptor, state.length, state.snapshotLength) = (descriptor, length, length)
            state.isStale = length < bytes.readableBytes
            return (set, length < bytes.readableBytes)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    /// Saves what changed since the last time, and returns when it is durable. A set must be saved by one file only.
    ///
    /// - Throws: `tooLarge`, `system`. The file then has the content of before or the new one, and the next save writes
    ///   all of it.
    public func save(_ changes: inout ChangeSet) throws(PendingFileError) {
        try state.withLock { state throws(PendingFileError) in
            guard state.lock != nil else { throw .system("flock", EBADF) }
            let isLong = state.length - state.snapshotLength > max(Self.slack, state.snapshotLength)
            if state.descriptor < 0 || state.isStale || changes.hasUnsavedTables || isLong {
                return try replace(&state, &changes)
            }
            state.isStale = true
            let record = try state.journal.changes(of: &changes)
            try DurableFile.write(record, to: state.descriptor)
            state.length += record.readableBytes
            state.isStale = false
        }
    }

    /// Removes the file.
    ///
    /// - Throws: `system`.
    public func remove() throws(PendingFileError) {
        try state.withLock { state throws(PendingFileError) in
            try DurableFile.remove(path)
            if state.descriptor >= 0 { Glibc.close(state.descriptor) }
            let lock = state.lock
            state = State(codePage)
            (state.lock, state.journal.place) = (lock, place)
            try DurableFile.synchronizeDirectory(of: path)
        }
    }

    /// Writes the whole file aside and renames it.
    private func replace(_ state: inout State, _ changes: inout ChangeSet) throws(PendingFileError) {
        state.isStale = true
        let bytes = try state.journal.snapshot(of: &changes)
        let descriptor = try DurableFile.replace(path, with: bytes)
        if state.descriptor >= 0 { Glibc.close(state.descriptor) }
        (state.descriptor, state.length, state.snapshotLength) = (descriptor, bytes.readableBytes, bytes.readableBytes)
        try DurableFile.synchronizeDirectory(of: path)
        state.isStale = false
    }
}

extension PendingFile: ChangeStore {}
