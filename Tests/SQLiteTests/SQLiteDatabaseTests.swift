// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestSupport
import Testing

@Suite("SQLite")
struct SQLiteDatabaseTests {
    private let folder = TemporaryDirectory()

    private struct Unwanted: Error {}

    private func table() throws(SQLiteError) -> SQLiteDatabase {
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute("CREATE TABLE T (Id INTEGER PRIMARY KEY, Value UNIQUE)")
        return database
    }

    private func values(_ database: borrowing SQLiteDatabase) throws -> [SQLiteValue] {
        try database.rows("SELECT Value FROM T ORDER BY Id") { try $0.value(0) }
    }

    @Test("values of every kind survive the round trip")
    func roundTrip() throws {
        let given: [SQLiteValue] = [
            nil, 0, .integer(.min), .integer(.max), 1.5, .real(-.infinity), "", "é\0b '\"; --", .blob([]),
            .blob([0, 255, 0]), .text(String(repeating: "x", count: 100_000)),
        ]
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute("CREATE TABLE T (Id INTEGER PRIMARY KEY, Value)")
        for value in given { #expect(try database.run("INSERT INTO T (Value) VALUES (?)", [value]) == 1) }
        #expect(try values(database) == given)
        #expect(try database.run("DELETE FROM T WHERE Id > ?", [3]) == given.count - 3)
    }

    @Test("a column is read as the requested type or rejected")
    func types() throws {
        let database = try SQLiteDatabase(.memory, .create)
        var statement = try database.prepare("SELECT 7 AS a, 1.5, 'x', x'00FF', NULL")
        #expect(statement.columnCount == 5 && statement.columnName(0) == "a" && statement.columnName(5) == nil)
        #expect(throws: SQLiteError.self) { try statement.value(0) }
        #expect(try statement.step())
        #expect(try statement.integer(0) == 7 && statement.real(0) == 7)
        #expect(try statement.real(1) == 1.5 && statement.text(2) == "x" && statement.blob(3) == [0, 255])
        #expect(try statement.integer(4) == nil && statement.real(4) == nil)
        #expect(try statement.text(4) == nil && statement.blob(4) == nil)
        for (column, expected) in [(1, "integer"), (2, "integer"), (3, "integer")] {
            let error = #expect(throws: SQLiteError.self) { try statement.integer(column) }
            #expect(error?.message.contains(expected) == true)
        }
        #expect(throws: SQLiteError.self) { try statement.text(0) }
        #expect(throws: SQLiteError.self) { try statement.blob(2) }
        #expect(throws: SQLiteError.self) { try statement.real(2) }
        for column in [-1, 5, Int.max] { #expect(throws: SQLiteError.self) { try statement.value(column) } }
        #expect(try !statement.step())
        #expect(throws: SQLiteError.self) { try statement.value(0) }
    }

    @Test("a statement runs again with other values, and keeps none from the last run")
    func reuse() throws {
        let database = try table()
        var insert = try database.prepare("INSERT INTO T (Value) VALUES (?)")
        for value in 1...3 {
            try insert.bind([.integer(Int64(value))])
            #expect(try !insert.step())
        }
        var select = try database.prepare("SELECT Id FROM T WHERE Id >= ? ORDER BY Id")
        try select.bind([2])
        #expect(try select.step() && select.integer(0) == 2)
        try select.bind([3])
        #expect(try select.step() && select.integer(0) == 3)
        #expect(try !select.step())
        #expect(try select.step(), "a new run with the same values")
        select.reset()
        #expect(throws: SQLiteError.self) { try select.value(0) }
    }

    @Test("a wrong number of values, no or several statements, and a NUL are rejected")
    func misuse() throws {
        let database = try table()
        for values in [[], [1, 2]] as [[SQLiteValue]] {
            #expect(throws: SQLiteError.self) { try database.run("INSERT INTO T (Value) VALUES (?)", values) }
        }
        for sql in ["", " ", "-- nothing", "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM T", "SELECT 1\0", "\0"] {
            #expect(throws: SQLiteError.self, "\(sql)") { try database.run(sql) }
        }
        #expect(throws: SQLiteError.self) { try database.execute("DELETE FROM T\0") }
        #expect(try database.rows("SELECT 1 ; \n") { try $0.integer(0) } == [1])
        for path in ["", "a\0b"] { #expect(throws: SQLiteError.self) { _ = try SQLiteDatabase(.file(path), .create) } }
    }

    @Test("an error has SQLite's code and message, and its kind")
    func errors() throws {
        let database = try table()
        try database.run("INSERT INTO T (Value) VALUES (1)")
        let unique = #expect(throws: SQLiteError.self) { try database.run("INSERT INTO T (Value) VALUES (1)") }
        #expect(unique?.isConstraint == true && unique?.code == 2_067)
        #expect(unique?.description == "UNIQUE constraint failed: T.Value (SQLite code 2067)")
        let syntax = #expect(throws: SQLiteError.self) { _ = try database.prepare("SELEC 1") }
        #expect(syntax?.message.contains("SELEC") == true && syntax?.isConstraint == false)
        folder.write(Array(repeating: 0x41, count: 4_096), to: "text", mode: 0o600)
        let text = try SQLiteDatabase(.file(folder.path(of: "text")), .readWrite)
        let notADatabase = #expect(throws: SQLiteError.self) { try text.execute("SELECT * FROM sqlite_master") }
        #expect(notADatabase?.code == 26)
    }

    @Test("a transaction is committed completely or rolled back completely")
    func transactions() throws {
        let database = try table()
        let count = try database.transaction { database in
            let isOpen = database.isInTransaction
            #expect(isOpen)
            try database.run("INSERT INTO T (Value) VALUES (1)")
            return try database.run("INSERT INTO T (Value) VALUES (2)")
        }
        #expect(count == 1 && !database.isInTransaction)
        #expect(throws: Unwanted.self) {
            try database.transaction { database in
                try database.run("DELETE FROM T")
                throw Unwanted()
            }
        }
        let nested = #expect(throws: SQLiteError.self) {
            try database.transaction { database in
                try database.run("DELETE FROM T")
                try database.transaction(.deferred) { _ in }
            }
        }
        #expect(nested?.message.contains("within a transaction") == true)
        #expect(throws: SQLiteError.self) {
            try database.transaction { database in
                try database.run("INSERT INTO T (Value) VALUES (3)")
                try database.run("INSERT OR ROLLBACK INTO T (Value) VALUES (2)")
            }
        }
        #expect(try values(database) == [1, 2] && !database.isInTransaction)
    }

    @Test("a connection without write or create access neither writes nor creates a file")
    func access() throws {
        let path = folder.path(of: "database")
        for access in [SQLiteDatabase.Access.readOnly, .readWrite] {
            #expect(throws: SQLiteError.self) { _ = try SQLiteDatabase(.file(path), access) }
        }
        try SQLiteDatabase(.file(path), .create).execute("CREATE TABLE T (Value)")
        let reader = try SQLiteDatabase(.file(path), .readOnly)
        #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO T VALUES (1)") }
        try SQLiteDatabase(.file(path), .readWrite).execute("INSERT INTO T VALUES (1)")
        #expect(try values(try SQLiteDatabase(.file(path), .readOnly), of: "Value") == [1])
    }

    private func values(_ database: borrowing SQLiteDatabase, of column: String) throws -> [SQLiteValue] {
        try database.rows("SELECT \(column) FROM T") { try $0.value(0) }
    }

    @Test("a locked database is reported as busy, and an immediate transaction holds the lock from its beginning")
    func busy() throws {
        let path = folder.path(of: "database")
        let first = try SQLiteDatabase(.file(path), .create)
        try first.execute("CREATE TABLE T (Value)")
        let second = try SQLiteDatabase(.file(path), .readWrite, busyTimeout: .zero)
        try first.transaction { first in
            let error = #expect(throws: SQLiteError.self) { try second.run("INSERT INTO T VALUES (2)") }
            #expect(error?.isBusy == true)
        }
        try second.run("INSERT INTO T VALUES (2)")
        #expect(try values(first, of: "Value") == [2])
    }

    @Test("the schema of a file calls no function with side effects, and no statement damages the file's structure")
    func hardened() throws {
        let database = try table()
        #expect(throws: SQLiteError.self) {
            try database.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_master")
        }
        #expect(try database.rows("PRAGMA trusted_schema") { try $0.integer(0) } == [0])
    }
}
