// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import EventLoops
import Glibc
import JSON
import LocalAPI
import NIOCore
import NIOPosix
import Platform
import Varlink

/// The pending sets of the user. One call uses a set at a time; others wait. Files are read and written on a thread of its
/// own, because that blocks until the disk has them.
actor PendingSets {
    /// The limits of the sets on disk and in memory.
    struct Limits {
        var sets = 64
        /// Changes of one set, and rows of one edit.
        var changes = 10_000
        /// Bytes of the values of one set, about.
        var bytes = 16 << 20

        /// Bytes of the rows that an edit or an apply reads.
        static let read = 64 << 20
    }

    nonisolated let limits: Limits
    private let path: String
    private let loop: any EventLoop
    private let disk: NIOThreadPool
    /// One call at a time for each set.
    private let turns: Turnstile<String>

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - path: a directory, which is made for the first set.
    ///   - disk: has one thread, so that one file is written after the other.
    init(_ path: String, limits: Limits = Limits(), on loop: any EventLoop, disk: NIOThreadPool) {
        self.path = path
        self.limits = limits
        self.loop = loop
        self.disk = disk
        turns = Turnstile(on: loop)
    }

    /// Calls `body` with a set, which it may save or remove. Without a file the set is empty.
    ///
    /// - Parameter codePage: that of the server; nil for the one of the file.
    /// - Throws: `InvalidParameter`; `DataError.pendingFailed`; the errors of the body.
    nonisolated func use<Result: Sendable>(
        _ name: String,
        _ codePage: CodePage? = nil,
        _ body: (inout PendingSet) async throws -> Result
    ) async throws -> Result {
        guard Self.isValid(name) else { throw VarlinkError.invalidParameter("pending") }
        let ticket = try await enter(name)
        do {
            let result = try await open(name, codePage, body)
            await leave(ticket)
            return result
        } catch {
            await leave(ticket)
            throw error
        }
    }

    private nonisolated func open<Result>(
        _ name: String,
        _ codePage: CodePage?,
        _ body: (inout PendingSet) async throws -> Result
    ) async throws -> Result {
        var set = try await disk.perform { [path, limits, disk] in
            try PendingSet(name, in: path, codePage, limits, disk)
        }
        // Before the next call opens it. The thread may still have a reference to it.
        defer { set.file.close() }
        return try await body(&set)
    }

    /// The sets, by name.
    ///
    /// - Throws: `DataError.pendingFailed`.
    nonisolated func list() async throws -> [DataAPI.PendingSet] {
        try await disk.perform { [path] in
            guard access(path, F_OK) == 0 else { return [] }
            return try PendingSet.failing("") {
                let directory = try ProtectedDirectory(path)
                return try PendingSet.names(in: directory).compactMap { name in
                    try PendingSet.failing(name) { try PendingFacts(name, in: directory)?.record(name) }
                }
            }
        }
    }

    private func enter(_ name: String) async throws -> Turnstile<String>.Ticket {
        let ticket = turns.enter(name)
        try await turns.wait(ticket)
        return ticket
    }

    private func leave(_ ticket: Turnstile<String>.Ticket) { turns.leave(ticket) }

    private static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.first != UInt8(ascii: ".")
            && ASCII.isWord(Substring(name), marks: "._-")
    }
}

/// The facts about a set that its file of changes does not have.
struct PendingFacts: Sendable, Hashable {
    private static let version: Int64 = 1
    private static let mostBytes = 4 << 10

    var revision: Int64
    let place: PendingFilePlace

    /// The facts of a new set. Revisions continue from the clock, so that a set does not have the revisions of an earlier
    /// one of the same name.
    init(_ place: PendingFilePlace) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        revision = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        self.place = place
    }

    /// Reads the facts; nil if there is no such set.
    init?(_ name: String, in directory: ProtectedDirectory) throws {
        guard
            let bytes = try AtomicFile.read(
                Self.file(of: name),
                in: directory,
                maximumBytes: Self.mostBytes
            )
        else { return nil }
        let limits = JSONLimits(depth: 4, bytes: Self.mostBytes)
        guard let json = try JSONValue(parsing: bytes, limits: limits).objectValue,
            try json.integer("version") == Self.version
        else { throw PendingFileError.otherFormat }
        revision = try json.integer("revision")
        // It must not overflow when it is increased.
        guard (0..<1 << 62).contains(revision) else { throw PendingFileError.otherFormat }
        place = PendingFilePlace(endpoint: try json.string("endpoint"), service: try json.string("service"))
    }

    func write(_ name: String, in directory: ProtectedDirectory) throws(PlatformError) {
        let json: JSONObject = [
            "version": .integer(Self.version), "revision": .integer(revision), "endpoint": .string(place.endpoint),
            "service": .string(place.service),
        ]
        try AtomicFile.write(Array(json.text.utf8), to: Self.file(of: name), in: directory)
    }

    func record(_ name: String) -> DataAPI.PendingSet {
        DataAPI.PendingSet(name: name, revision: revision, endpoint: place.endpoint, service: place.service)
    }

    static let suffix = ".json"

    static func file(of name: String) -> String { name + suffix }
}

/// A pending set in use: a file of changes, and next to it a file of facts.
struct PendingSet: Sendable {
    let name: String
    /// The changes. They are kept by `save`.
    var changes: ChangeSet
    private(set) var facts: PendingFacts?
    private let directory: ProtectedDirectory
    private let limits: PendingSets.Limits
    private let disk: NIOThreadPool
    fileprivate let file: PendingFile

    /// The file for an apply.
    var store: some ChangeStore { PendingStore(file: file, disk: disk) }

    fileprivate init(
        _ name: String,
        in path: String,
        _ codePage: CodePage?,
        _ limits: PendingSets.Limits,
        _ disk: NIOThreadPool
    ) throws {
        self.name = name
        self.limits = limits
        self.disk = disk
        (directory, facts, file) = try Self.failing(name) {
            let directory = try ProtectedDirectory(path, creating: true)
            let facts = try PendingFacts(name, in: directory)
            // Without facts the file is the rest of a set that was removed.
            if facts == nil { try directory.remove(Self.file(of: name)) }
            return (directory, facts, try PendingFile(directory.path(of: Self.file(of: name)), codePage: codePage))
        }
        changes = try file.changes ?? ChangeSet([])
    }

    private static func file(of name: String) -> String { name + ".pending" }

    /// The names of the sets.
    fileprivate static func names(in directory: ProtectedDirectory) throws -> [String] {
        try directory.names().filter { $0.hasSuffix(PendingFacts.suffix) && !$0.hasPrefix(".") }
            .map { String($0.dropLast(PendingFacts.suffix.count)) }.sorted()
    }

    /// - Throws: `DataError.pendingNotFound`.
    func known() throws -> PendingFacts {
        guard let facts else {
            throw DataError.pendingNotFound(message: "no pending set '\(name)'", pending: name)
        }
        return facts
    }

    /// Compares the state that a caller has seen.
    ///
    /// - Parameter revision: nil if there must be no set.
    /// - Throws: `DataError.pendingChanged`.
    func check(revision: Int64?) throws {
        guard facts?.revision != revision else { return }
        throw DataError.pendingChanged(
            message: facts.map { "the pending set has revision \($0.revision)" } ?? "no pending set '\(name)'",
            pending: name,
            revision: facts?.revision
        )
    }

    /// Checks that the set is for this server, and that no change is undecided.
    ///
    /// - Throws: `DataError.pendingElsewhere`, `DataError.outcomeUnknown`.
    func check(isFor place: PendingFilePlace, isDecided: Bool = true) throws {
        guard let facts else { return }
        guard facts.place == place else {
            throw DataError.pendingElsewhere(
                message: "the pending set is for another server or service",
                pending: name,
                endpoint: facts.place.endpoint,
                service: facts.place.service
            )
        }
        guard !isDecided || changes.undecidedRows.isEmpty else {
            throw DataError.outcomeUnknown(
                message: "the outcome of earlier changes is unknown",
                pending: name,
                revision: facts.revision
            )
        }
    }

    /// Keeps the changes, or removes a set without changes.
    ///
    /// - Returns: the new revision; nil if the set was removed.
    /// - Throws: `DataError.pendingFull`, `DataError.pendingFailed`. Then the changes of before are kept, perhaps with a new
    ///   revision.
    mutating func save(for place: PendingFilePlace) async throws -> Int64? {
        try await onDisk { set in
            guard set.changes.hasChanges else {
                try set.removeNow()
                return nil
            }
            try set.checkLimits()
            let revision = try set.advanceNow(for: place)
            try Self.failing(set.name) { try set.file.save(&set.changes) }
            return revision
        }
    }

    /// Makes the revisions that callers have seen invalid, before the changes become others.
    mutating func advance(for place: PendingFilePlace) async throws -> Int64 {
        try await onDisk { try $0.advanceNow(for: place) }
    }

    mutating func remove() async throws { try await onDisk { try $0.removeNow() } }

    /// Calls `body` on the thread for files.
    private mutating func onDisk<Result: Sendable>(
        _ body: @escaping @Sendable (inout PendingSet) throws -> Result
    ) async throws -> Result {
        let before = self
        let (result, after) = try await disk.perform {
            var set = before
            let result = Swift.Result { try body(&set) }
            return (result, set)
        }
        self = after
        return try result.get()
    }

    private mutating func advanceNow(for place: PendingFilePlace) throws -> Int64 {
        var facts = facts ?? PendingFacts(place)
        facts.revision += 1
        try Self.failing(name) { try facts.write(name, in: directory) }
        self.facts = facts
        return facts.revision
    }

    private mutating func removeNow() throws {
        try Self.failing(name) {
            try directory.remove(PendingFacts.file(of: name))
            try file.remove()
        }
        facts = nil
    }

    private func checkLimits() throws {
        let rows = changes.pendingRows
        let bytes = rows.reduce(0) { $0 + $1.byteCount }
        let sets = facts == nil ? try Self.failing(name) { try Self.names(in: directory).count } : 0
        for (content, count, limit) in [
            ("sets", sets + 1, limits.sets), ("changes", rows.count, limits.changes), ("bytes", bytes, limits.bytes),
        ] where count > limit {
            throw DataError.pendingFull(
                message: "too many \(content): the limit is \(limit)",
                content: content,
                limit: Int64(limit)
            )
        }
    }

    /// Throws failures of the disk as `DataError.pendingFailed`.
    fileprivate static func failing<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DataError where error.code == .pendingFailed {
            throw error
        } catch {
            throw DataError.pendingFailed(
                message: "cannot use the pending set: \(Printable("\(error)"))",
                pending: name
            )
        }
    }
}

/// The file of a set, which is written on the thread for files.
private struct PendingStore: ChangeStore {
    let file: PendingFile
    let disk: NIOThreadPool

    func save(_ changes: inout ChangeSet) async throws(PendingFileError) {
        let before = changes
        let saved: (changes: ChangeSet, error: PendingFileError?)
        do {
            saved = try await disk.perform { [file] in
                var changes = before
                do throws(PendingFileError) {
                    try file.save(&changes)
                    return (changes, nil)
                } catch {
                    return (changes, error)
                }
            }
        } catch {
            // The process ends.
            throw .system("write", ECANCELED)
        }
        changes = saved.changes
        if let error = saved.error { throw error }
    }
}
