// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Glibc
import Locks
import NIOCore
import Platform
import SQLite

/// Pending changes in an SQLite file, which survive the end of the process at any moment.
///
/// `save` returns when the changes are durable. A file that is new, empty or of 0.2.0 is written aside and renamed, so
/// that an old one stays until the new one is durable. A file `PATH.lock` prevents two users at a time, also of 0.2.0; the
/// last one removes it. Other programs can read the file meanwhile.
///
/// Saving blocks the thread until the file is durable. `close` and the end of the object end the use of the file.
package final class PendingFile: Sendable {
    /// How long relativityd waits for the lock of another program.
    private static let busyTimeout = Duration.seconds(5)

    private struct State: ~Copyable {
        /// Nil if the file is new, or of 0.2.0, until the first save.
        var database: PendingDatabase?
        /// Nil after `close`.
        var lock: LockFile?
    }

    /// The content of a pending file.
    package struct Content: Sendable {
        /// The changes; nil if the file does not exist or is empty. Rows have to be refreshed from the server.
        package internal(set) var changes: ChangeSet?
        /// Whether 0.2.0 has left an incomplete record. It was never confirmed.
        package internal(set) var isTorn = false
        /// The place of the changes; nil if the file has none. A caller with changes for another place must refuse the
        /// file.
        package internal(set) var place: PendingFilePlace?
    }

    private struct Opened: ~Copyable {
        var content: Content
        /// Nil if the next save must write a new file.
        var database: PendingDatabase?
    }

    /// The path.
    package let path: String
    /// What the file had when it was opened, or the place for a new one.
    package let content: Content
    private let busyTimeout: Duration
    private let state: Lock<State>

    /// Opens a file. It is created by the first `save`.
    ///
    /// - Parameters:
    ///   - place: the place that is noted in a new file. An existing file keeps its own, or none.
    ///   - codePage: in which 8-bit text is read; nil for the one of the file.
    ///   - busyTimeout: how long this process waits for the lock of another program.
    /// - Throws: `invalidPlace` if a text of the place is longer than `PendingFilePlace.longestText`.
    package init(
        _ path: String,
        place: PendingFilePlace? = nil,
        codePage: CodePage? = nil,
        busyTimeout: Duration = PendingFile.busyTimeout
    ) throws(PendingFileError) {
        guard place?.isShort ?? true else { throw .invalidPlace }
        (self.path, self.busyTimeout) = (path, busyTimeout)
        let lock = try LockFile(path + ".lock")
        var opened = try Self.read(path, codePage, busyTimeout)
        if opened.content.changes == nil { opened.content.place = place }
        content = opened.content
        state = Lock(State(database: opened.database.take(), lock: lock))
    }

    /// Ends the use of the file, so that it can be opened again. Later saves fail.
    package func close() {
        state.withLock { state in
            state.database = nil
            state.lock = nil
        }
    }

    /// Reads a file that may be read-only, or in use. Then the content is that of a confirmed save.
    ///
    /// - Parameter codePage: in which 8-bit text is read; nil for the one of the file.
    package static func content(of path: String, codePage: CodePage? = nil) throws(PendingFileError) -> Content {
        try read(path, codePage, busyTimeout).content
    }

    /// Reads a file.
    private static func read(
        _ path: String,
        _ codePage: CodePage?,
        _ busyTimeout: Duration
    ) throws(PendingFileError) -> Opened {
        do {
            guard var database = try PendingDatabase.open(path, busyTimeout: busyTimeout),
                let found = try database.read(codePage)
            else { return Opened(content: Content()) }
            return Opened(content: Content(changes: found.changes, place: found.place), database: database)
        } catch let error as SQLiteError where error.isNotADatabase {
            return Opened(content: try readOld(path, codePage))
        } catch {
            throw PendingFileError(error)
        }
    }

    /// Reads a file of 0.2.0.
    private static func readOld(_ path: String, _ codePage: CodePage?) throws(PendingFileError) -> Content {
        guard let bytes = try DurableFile.read(path) else { return Content() }
        var journal = PendingJournal(codePage: codePage)
        let (changes, length) = try journal.read(bytes)
        return Content(changes: changes, isTorn: length < bytes.readableBytes, place: journal.place)
    }

    /// Saves what changed since the last time, and returns when it is durable. A set must be saved by one file only.
    ///
    /// - Throws: `changed`, `locked`, `tooLarge`, `database`, `system`. The file then has the content of before or the new
    ///   one, and the next save writes what is missing.
    package func save(_ changes: inout ChangeSet) throws(PendingFileError) {
        do {
            try state.withLock { state in
                guard state.lock != nil else { throw PendingFileError.system("flock", EBADF) }
                if state.database != nil {
                    try state.database?.save(changes)
                } else {
                    // SQLite would take it for that of the new file.
                    guard access(path + "-journal", F_OK) != 0 else {
                        throw PendingFileError.notOurs(path + "-journal")
                    }
                    let image = try PendingDatabase.image(of: changes, content.place)
                    Glibc.close(try DurableFile.replace(path, with: image))
                    state.database = try PendingDatabase.open(path, busyTimeout: busyTimeout)
                    try DurableFile.synchronizeDirectory(of: path)
                }
            }
        } catch {
            throw PendingFileError(error)
        }
        changes.markSaved()
    }

    /// Removes the file.
    ///
    /// - Throws: `system`.
    package func remove() throws(PendingFileError) {
        try state.withLock { state throws(PendingFileError) in
            state.database = nil
            try DurableFile.remove(path)
            try DurableFile.synchronizeDirectory(of: path)
        }
    }
}

extension PendingFile: ChangeStore {}

extension PendingFileError {
    fileprivate init(_ error: any Error) {
        switch error {
        case let error as PendingFileError: self = error
        case let error as SQLiteError where error.isBusy: self = .locked
        case let error as SQLiteError where error.isNotADatabase: self = .otherFormat
        case let error as SQLiteError where error.isTooBig: self = .tooLarge
        case let error as SQLiteError: self = .database("\(error)")
        default: self = .tooLarge
        }
    }
}
