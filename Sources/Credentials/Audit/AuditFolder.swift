// SPDX-License-Identifier: Apache-2.0

import Platform

/// The files of the log: `audit.jsonl`, and up to four older files named by the number of their first line. All calls
/// block.
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

    /// The content of one file.
    struct Content: Sendable {
        let name: String
        let bytes: [UInt8]

        /// The length of an incomplete last line, without a line feed, that a crash left.
        var tornBytes: Int { bytes.count - (bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) }

        /// The complete lines, without their line feeds.
        var lines: [ArraySlice<UInt8>] {
            bytes.dropLast(tornBytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        }
    }

    init(path: String) throws(PlatformError) {
        directory = try ProtectedDirectory(path, creating: true)
    }

    /// Runs `body` under the lock that excludes writes by other processes.
    func locked<R>(_ body: () throws(PlatformError) -> R) throws(PlatformError) -> R {
        let file = try ProtectedFile.openOrCreate(Self.lockName, in: directory, maximumBytes: 0)
        try file.awaitLock(atMost: Self.patience)
        return try withExtendedLifetime(file, body)
    }

    /// Reads one file.
    ///
    /// - Returns: nil if there is no such file.
    func read(_ name: String) throws(PlatformError) -> Content? {
        // The limit is twice the size of a full file. A larger file was not written by this program and is refused.
        try AtomicFile.read(name, in: directory, maximumBytes: 2 * Self.fileBytes).map {
            Content(name: name, bytes: $0)
        }
    }

    /// Reads all files: oldest first, the current one last.
    func readAll() throws(PlatformError) -> [Content] {
        var all: [Content] = []
        // Only a crash before the oldest file is removed can leave one more file than `olderFiles`.
        for name in try older().suffix(Self.olderFiles + 1) + [Self.fileName] {
            if let content = try read(name) { all.append(content) }
        }
        return all
    }

    func current() throws(PlatformError) -> ProtectedFile {
        try ProtectedFile.openOrCreate(Self.fileName, in: directory, maximumBytes: 2 * Self.fileBytes)
    }

    /// The names of the older files, oldest first.
    func older() throws(PlatformError) -> [String] {
        try directory.names().filter { Self.firstSequence(of: $0) != nil }.sorted()
    }

    /// Renames the current file to the name of an older one.
    ///
    /// - Parameter first: the number of its first line.
    /// - Returns: the number of the first line that is kept after `removeSurplus`.
    func setAside(first: UInt64) throws(PlatformError) -> UInt64 {
        let number = String(first)
        let padded = String(repeating: "0", count: max(0, Self.digits - number.utf8.count)) + number
        try directory.rename(Self.fileName, to: Self.prefix + padded + Self.suffix)
        return try older().suffix(Self.olderFiles).first.flatMap(Self.firstSequence) ?? first
    }

    /// Removes surplus older files. Call it after the new file has recorded the rotation.
    func removeSurplus() throws(PlatformError) {
        try directory.synchronize()
        for name in try older().dropLast(Self.olderFiles) { try directory.remove(name) }
    }

    /// The number of the first line in an older file, from the file's name; nil if the name is not that of an older
    /// file.
    static func firstSequence(of name: String) -> UInt64? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
        return middle.utf8.count == digits ? UInt64(middle) : nil
    }
}
