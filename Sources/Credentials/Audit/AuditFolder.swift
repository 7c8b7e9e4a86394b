// SPDX-License-Identifier: Apache-2.0

import Platform

/// The files of the log: `audit.jsonl`, and up to four older ones named by their first line. All calls block.
struct AuditFolder: Sendable {
    static let fileName = "audit.jsonl"
    static let fileBytes = 1 << 20
    static let olderFiles = 4
    private static let lockName = "audit.lock"
    private static let patience = Duration.seconds(2)
    private static let prefix = "audit."
    private static let suffix = ".jsonl"
    private static let digits = 20

    let directory: ProtectedDirectory

    /// One file as it was read.
    struct Content: Sendable {
        let name: String
        let bytes: [UInt8]

        /// What a crash left of a last line that has no line feed.
        var tornBytes: Int { bytes.count - (bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) }

        /// Its whole lines without their line feeds.
        var lines: [ArraySlice<UInt8>] {
            bytes.dropLast(tornBytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        }
    }

    init(path: String) throws(PlatformError) {
        directory = try ProtectedDirectory(path, creating: true)
    }

    /// Keeps other processes from writing meanwhile.
    func locked<R>(_ body: () throws(PlatformError) -> R) throws(PlatformError) -> R {
        let file = try ProtectedFile.openOrCreate(Self.lockName, in: directory, maximumBytes: 0)
        try file.awaitLock(atMost: Self.patience)
        return try withExtendedLifetime(file, body)
    }

    /// - Returns: nil if there is none.
    func read(_ name: String) throws(PlatformError) -> Content? {
        // Twice the size: a file above it was not written by us, and is refused rather than read.
        try AtomicFile.read(name, in: directory, maximumBytes: 2 * Self.fileBytes).map {
            Content(name: name, bytes: $0)
        }
    }

    /// Oldest first, the current one last.
    func readAll() throws(PlatformError) -> [Content] {
        var all: [Content] = []
        // More than these only a crash can leave behind, in the moment before the oldest is removed.
        for name in try older().suffix(Self.olderFiles + 1) + [Self.fileName] {
            if let content = try read(name) { all.append(content) }
        }
        return all
    }

    func current() throws(PlatformError) -> ProtectedFile {
        try ProtectedFile.openOrCreate(Self.fileName, in: directory, maximumBytes: 2 * Self.fileBytes)
    }

    /// Names of the files before the current one, oldest first.
    func older() throws(PlatformError) -> [String] {
        try directory.names().filter { Self.firstSequence(of: $0) != nil }.sorted()
    }

    /// Sets the current file aside.
    ///
    /// - Parameter first: the number of its first line.
    /// - Returns: the number of the first line that is kept when `removeSurplus` was called.
    func setAside(first: UInt64) throws(PlatformError) -> UInt64 {
        let number = String(first)
        let padded = String(repeating: "0", count: max(0, Self.digits - number.utf8.count)) + number
        try directory.rename(Self.fileName, to: Self.prefix + padded + Self.suffix)
        return try older().suffix(Self.olderFiles).first.flatMap(Self.firstSequence) ?? first
    }

    /// Removes what is older than the files that are kept, after the new file has said so.
    func removeSurplus() throws(PlatformError) {
        try directory.synchronize()
        for name in try older().dropLast(Self.olderFiles) { try directory.remove(name) }
    }

    /// - Returns: nil for a name that is none of an older file.
    static func firstSequence(of name: String) -> UInt64? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        return middle.utf8.count == digits ? UInt64(middle) : nil
    }
}
