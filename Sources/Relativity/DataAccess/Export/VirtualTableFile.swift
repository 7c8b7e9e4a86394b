// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import SQLite

/// An SQLite file whose tables are virtual tables of a server, for programs that load the extension `relativity`.
///
/// It has the names of the server and its tables, and no login: which one is used is decided by the user who opens it.
package struct VirtualTableFile: Sendable {
    /// The names of tables in the file.
    package private(set) var tables: [String] = []
    /// The names of tables that SQLite cannot have: the name differs from an earlier one only in its case, begins with
    /// `sqlite_`, or has a NUL.
    package private(set) var omitted: [String] = []

    /// Writes a file that only the user can read.
    ///
    /// - Parameters:
    ///   - path: a symbolic link is followed.
    ///   - server: the name of the server, as the extension sends it to the Data API.
    ///   - replaces: whether a file that exists is replaced.
    /// - Throws: `ExportError`, `SQLiteError`.
    package init(_ path: String, server: String, tables names: [String], replaces: Bool) throws {
        let destination = try PartFile.resolved(path)
        guard replaces || access(destination, F_OK) != 0 else { throw ExportError.exists(path: path) }
        guard !PartFile.hasLog(destination) else { throw ExportError.busy(path: path) }
        var part = try PartFile(for: destination, mode: 0o600)
        try write(server, names, to: part.path)
        try part.commit(replacing: replaces)
    }

    private mutating func write(_ server: String, _ names: [String], to path: String) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        // The file is discarded if it is interrupted.
        try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN IMMEDIATE")
        var known: Set<NameKey> = []
        for name in names {
            let isReserved = NameMatch.isSimilar("\(name.prefix(7))", "sqlite_") || name.utf8.contains(0)
            guard !isReserved, known.insert(NameKey(name)).inserted else {
                omitted.append(name)
                continue
            }
            let (server, table) = (ExportedTable.quote(server, "'"), ExportedTable.quote(name, "'"))
            let sql = "CREATE VIRTUAL TABLE \(ExportedTable.quote(name)) USING relativity(\(server), \(table))"
            try database.addVirtualTable(name, sql)
            tables.append(name)
        }
        try database.execute("COMMIT")
    }
}
