// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import SQLite

/// A connection to the SQLite file of a schema. Calls block: do not call on the event loop.
final class SampleDatabase: Sendable {
    /// The version of the built-in tables. Files of earlier versions have 0.
    private static let version: Int64 = 1

    private let connection: Lock<SQLiteDatabase>

    /// Opens a file with made-up rows. Missing tables and rows are added; rows that exist are kept.
    ///
    /// - Parameter load: the requested number of rows of the large tables; 0 for a small database.
    /// - Throws: `SQLiteError` if the file cannot be opened, or is not a database.
    init(path: String, sample: SampleSet, load: Int = 0, collation: ServerCollation = .binary) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        try Self.prepare(database, collation)
        // Made-up rows need not survive a loss of power.
        try database.execute("PRAGMA synchronous = OFF")
        try database.transaction { database in
            let version = try database.rows("PRAGMA user_version") { try $0.integer(0) ?? 0 }.first ?? 0
            if version < Self.version {
                for table in sample.tables {
                    let all = sample.tables.map(\.table)
                    try database.execute(TableScript.create(table.table, sample.relationships, all))
                }
                try database.execute("PRAGMA user_version = \(Self.version)")
            }
            for table in sample.tables {
                try TableFill.fill(table, isNew: version < Self.version, load: load, database)
            }
        }
        connection = Lock(database)
    }

    /// Opens a file with tables. Missing tables are added without rows.
    ///
    /// - Throws: `SQLiteError` if the file cannot be opened, or is not a database.
    init(path: String, tables: [ServedTable], collation: ServerCollation = .binary) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        try Self.prepare(database, collation)
        try database.transaction { database in
            for table in tables { try database.execute(TableScript.create(table)) }
        }
        connection = Lock(database)
    }

    /// Opens an existing file.
    ///
    /// - Parameter original: the file to copy to the path before; nil opens the file as it is.
    /// - Throws: `SQLiteError` if the file does not exist, cannot be opened, or is not a database.
    init(
        file path: String,
        copyOf original: String? = nil,
        collation: ServerCollation = .binary,
        isDurable: Bool = true
    ) throws {
        if let original { try Self.copy(original, to: path) }
        let database = try SQLiteDatabase(.file(path), .readWrite)
        try Self.prepare(database, collation)
        if !isDurable { try database.execute("PRAGMA synchronous = OFF") }
        _ = try database.rows("SELECT count(*) FROM sqlite_schema") { try $0.integer(0) }
        connection = Lock(database)
    }

    /// Copies a database, of which other processes may be using the file. It is not changed.
    private static func copy(_ original: String, to path: String) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
        _ = try SQLiteDatabase(.file(original), .readOnly).run("VACUUM INTO ?", [.text(path)])
    }

    private static func prepare(_ database: borrowing SQLiteDatabase, _ collation: ServerCollation) throws {
        try database.execute("PRAGMA foreign_keys = ON")
        if collation != .nocase { try database.execute("PRAGMA case_sensitive_like = ON") }
    }

    /// Runs `body` with the connection, which no other call uses meanwhile.
    func use<Result: Sendable>(_ body: (borrowing SQLiteDatabase) throws -> Result) throws -> Result {
        try connection.withLock { database in try body(database) }
    }
}
