// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SQLite

@Suite struct SQLiteAccessTests {
    private func database() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(.memory, .create)
        try database.execute(
            """
            CREATE TABLE a (x INTEGER); CREATE TABLE b (y INTEGER); INSERT INTO b VALUES (7);
            CREATE VIEW v AS SELECT y FROM b;
            """
        )
        return database
    }

    @Test(
        "a statement may use the tables that it is allowed to",
        arguments: [
            "SELECT x FROM a", "SELECT count(y) FROM V", "WITH o AS (SELECT x FROM a) SELECT x FROM o",
            "SELECT y FROM (SELECT y FROM v)", "INSERT INTO A VALUES (1)", "DELETE FROM a", "SELECT 1",
        ]
    )
    func allowed(sql: String) throws {
        let database = try database()
        var statement = try database.prepare(sql, allowing: SQLiteAccess(readable: ["v"], writable: ["a"]))
        while try statement.step() {}
    }

    @Test(
        "a statement that uses anything else is an error",
        arguments: [
            "SELECT y FROM b", "SELECT x, (SELECT y FROM b) FROM a", "INSERT INTO b VALUES (1)", "DROP TABLE a",
            "SELECT * FROM sqlite_schema", "PRAGMA user_version", "ATTACH ':memory:' AS c", "BEGIN",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n", "DELETE FROM v",
            "CREATE TABLE c (z)", "CREATE TEMP TABLE c (z)", "ANALYZE", "SELECT y FROM main.b",
            "WITH v AS (SELECT y FROM b) SELECT y FROM v", "/**/wItH v(z) AS (SELECT y FROM b) SELECT z FROM v",
            "WITH o AS (WITH v AS (SELECT y FROM b) SELECT y FROM v) SELECT y FROM o",
            "SELECT y FROM (WITH v AS (SELECT y FROM b) SELECT y FROM v)",
            "SELECT x, (WITH\"v\"AS MATERIALIZED(SELECT y FROM b)SELECT y FROM v) FROM a",
            "WITH v AS (SELECT y FROM b) INSERT INTO a SELECT y FROM v", "SELECT y FROM b AS v",
            "SELECT y FROM (SELECT y FROM b) AS v", "CREATE TEMP VIEW v AS SELECT y FROM b",
        ]
    )
    func denied(sql: String) throws {
        let database = try database()
        #expect(throws: SQLiteError.self) {
            _ = try database.prepare(sql, allowing: SQLiteAccess(readable: ["v"], writable: ["a"])).columnCount
        }
    }

    @Test("the tables that a statement changes are known before it runs")
    func changes() throws {
        let database = try database()
        try database.execute("CREATE TRIGGER t AFTER DELETE ON a BEGIN UPDATE b SET y = 1; END")
        for (sql, tables) in [
            ("DELETE FROM A", ["a", "b"]), ("INSERT INTO b SELECT x FROM a", ["b"]), ("SELECT y FROM v", []),
            ("REPLACE INTO a VALUES (1)", ["a"]),
        ] { #expect(try database.tablesChanged(by: sql) == Set(tables)) }
        #expect(try database.rows("SELECT count(*) FROM b") { try $0.integer(0) } == [1])
        #expect(throws: SQLiteError.self) { try database.tablesChanged(by: "DELETE FROM c") }
    }

    @Test("other statements of the connection are not restricted")
    func others() throws {
        let database = try database()
        _ = try? database.prepare("SELECT y FROM b", allowing: SQLiteAccess(readable: [])).columnCount
        #expect(try database.rows("SELECT y FROM b") { try $0.integer(0) } == [7])
        let statement = try database.prepare("SELECT y AS z, y + 1, :name FROM v")
        #expect(statement.isReadOnly && statement.parameterName(0) == ":name" && statement.parameterName(1) == nil)
        #expect(statement.origin(0)?.table == "b" && statement.origin(0)?.column == "y")
        #expect(statement.origin(1) == nil && statement.origin(9) == nil)
        #expect(try database.run("INSERT INTO a VALUES (1), (2)") == 2)
        #expect(try database.run("SELECT x FROM a") == 0)
        #expect(try !database.prepare("DELETE FROM a").isReadOnly)
    }
}
