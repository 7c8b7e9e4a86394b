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
}
