// SPDX-License-Identifier: Apache-2.0

import Platform
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

    @Test("functions are those of a list; others are refused", arguments: ["SELECT *", "SELECT x"])
    func functions(start: String) throws {
        for good in ["length(x)", "X LIKE 'a%'", "json_extract(x, '$.a')", "row_number() OVER ()", "strftime('%Y', x)"]
        {
            #expect(throws: Never.self, "\(good)") { try reads("\(start), \(good) FROM a") }
        }
        for bad in [
            "fts3_tokenizer('simple')", "load_extension('x')", "sqlite_source_id()", "sqlite_compileoption_get(1)",
            "last_insert_rowid()", "changes()", "total_changes()", "sqlite_offset(x)", "rtreecheck('x')", "snippet(x)",
        ] {
            #expect(throws: SQLiteError.self, "\(bad)") { try reads("\(start), \(bad) FROM a") }
        }
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
