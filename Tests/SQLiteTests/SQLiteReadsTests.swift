// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SQLite

@Suite struct SQLiteReadsTests {
    private func reads(_ sql: String) throws -> [String: Set<String>] {
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute("CREATE TABLE a (x, y, z); CREATE TABLE b (x, k); CREATE TABLE c (x)")
        var reads = SQLiteReads(["A", "b"])
        _ = try database.prepare(query: sql, &reads)
        return reads.columns
    }

    @Test("the tables and columns of a query are found")
    func columns() throws {
        #expect(try reads("SELECT x FROM a WHERE Y > 1") == ["a": ["x", "y"]])
        #expect(try reads("SELECT * FROM b") == ["b": ["x", "k"]])
        #expect(try reads("SELECT count(*) FROM a") == ["a": []])
        #expect(try reads("SELECT p.z FROM a AS p JOIN b ON p.x = b.k") == ["a": ["z", "x"], "b": ["k"]])
        #expect(try reads("WITH t AS (SELECT x FROM a) SELECT t.x FROM t") == ["a": ["x"]])
        #expect(try reads("WITH t AS (SELECT x FROM a) SELECT count(*) FROM t") == ["a": ["x"]])
        #expect(try reads("SELECT 1") == [:])
    }

    @Test(
        "anything except reading the tables is refused",
        arguments: [
            "SELECT x FROM c", "DELETE FROM a", "INSERT INTO a VALUES (1, 2, 3)", "PRAGMA user_version",
            "ATTACH 'x' AS y", "SELECT name FROM sqlite_master", "CREATE TABLE d (x)", "BEGIN",
            "SELECT count(*) FROM sqlite_master", "SELECT count(*) FROM pragma_table_list",
        ]
    )
    func refused(sql: String) {
        #expect(throws: SQLiteError.self) { try reads(sql) }
    }
}
