// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DataAccess

@Suite("Tables of a statement")
struct StatementNamesTests {
    @Test(
        "names after FROM, JOIN and a comma",
        arguments: [
            ("select 1", []), ("select a, b from T", ["T"]),
            ("SELECT * FROM a, b c, d WHERE x IN (1, 2)", ["a", "b", "d"]),
            ("select * from a join b on a.x = b.x left join \"c d\" using (x)", ["a", "b", "c d"]),
            ("select * from (select x from a, [b c]) t, `d`", ["a", "b c", "d"]),
            ("select 'from x', x -- from y\n from a /* from z */ , b order by 1, 2", ["a", "b"]),
            ("with t as (select * from a) select * from t, T", ["a", "t"]), ("select * from \"a\"\"b\"", ["a\"b"]),
            ("select * from (a, b)", ["a", "b"]), ("select * from a union select * from é", ["a", "é"]),
            ("select ' from", []), ("select * from a where b in (select c from d), e", ["a", "d", "e"]), ("from", []),
        ] as [(String, [String])]
    )
    func names(statement: String, expected: [String]) {
        #expect(StatementNames.tables(in: statement) == expected)
    }

    @Test(
        "the rows of a LIMIT outside of parentheses are known",
        arguments: [
            ("select * from a limit 3", 3), ("select * from a LIMIT 10 offset 2;", 10), ("select limit from a", nil),
            ("select * from (select * from a limit 3)", nil), ("select 'limit 3' from a -- limit 3", nil),
            ("select top 3 * from a", nil), ("select * from a limit :n", nil), ("select \"limit\" 3", nil),
        ] as [(String, Int?)]
    )
    func limit(statement: String, rows: Int?) {
        #expect(StatementNames.limit(in: statement) == rows)
    }

    @Test(
        "a query is known by its keyword",
        arguments: [
            ("select 1", true), (" -- x\n/* y */ SELECT 1", true), ("values (1)", true), ("", true),
            ("with t as (select 1) select * from t", true),
            ("with recursive t(x) as (values (1)) select replace(x, 1, 2) from t", true),
            ("with \"update\" as (select 1) select * from \"update\"", true), ("with", true),
            ("with t as (select 1) update a set b = 1", false), ("with t as (select 1) delete from a", false),
            ("with t as (select 1) insert into a select * from t", false), ("update a set b = 1", false),
            ("/* select */ delete from a", false), ("vacuum into 'select'", false), ("reindex", false),
            ("explain vacuum", false), ("\"select\" 1", false), (";vacuum", false),
        ] as [(String, Bool)]
    )
    func query(statement: String, isQuery: Bool) {
        #expect(StatementNames.isQuery(statement) == isQuery)
    }

    @Test(
        "TOP becomes a limit",
        arguments: [
            ("select top 5 Id from T", "select Id from T", 5),
            ("SELECT DISTINCT TOP 3 * FROM T", "SELECT DISTINCT * FROM T", 3),
            (" Select\nTop 0 x", " Select x", 0), ("select top from T", "select top from T", nil),
            ("select top, 5 from T", "select top, 5 from T", nil), ("top 5", "top 5", nil), ("", "", nil),
            ("select \"top\" 5", "select \"top\" 5", nil),
        ] as [(String, String, Int?)]
    )
    func top(statement: String, expected: String, count: Int?) {
        let found = StatementNames.withoutTop(statement)
        #expect(found.statement == expected && found.top == count)
    }
}
