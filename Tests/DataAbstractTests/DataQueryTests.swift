// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@Suite struct DataQueryTests {
    private static let orders = QuerySource("Orders", as: "o")
    private static let clients = QuerySource("Clients")

    /// The statement of a condition, without the parts around it.
    private func text(_ condition: QueryCondition) throws -> (String, [DataValue]) {
        let request = try DataQuery(from: Self.orders).where(condition).request("R")
        guard case .sql(let statement) = request.selection else { return ("", []) }
        let start = #"SELECT * FROM "Orders" AS "o" WHERE "#
        #expect(statement.hasPrefix(start))
        return (String(statement.dropFirst(start.count)), request.parameters.map(\.value))
    }

    @Test("values are parameters, and parentheses stand only where operators need them")
    func conditions() throws {
        let (a, b, c) = (Self.orders["A"], Self.orders["B"], Self.orders["C"])
        let cases: [(QueryCondition, String, [DataValue])] = [
            (a == 1, #""o"."A" = :p0"#, [.integer(1)]),
            (a != b && b < 2.5, #""o"."A" <> "o"."B" AND "o"."B" < :p0"#, [.float(2.5)]),
            (
                (a > 1 || b >= "x") && c <= true, #"("o"."A" > :p0 OR "o"."B" >= :p1) AND "o"."C" <= :p2"#,
                [.integer(1), .text("x"), .boolean(true)]
            ),
            (
                a == 1 && b == 2 && c == 3, #""o"."A" = :p0 AND "o"."B" = :p1 AND "o"."C" = :p2"#,
                [.integer(1), .integer(2), .integer(3)]
            ),
            (
                a == 1 && (b == 2 && c == 3), #""o"."A" = :p0 AND ("o"."B" = :p1 AND "o"."C" = :p2)"#,
                [.integer(1), .integer(2), .integer(3)]
            ),
            (
                !(a == 1) || !(a.isNull && b.isNotNull),
                #"NOT ("o"."A" = :p0) OR NOT ("o"."A" IS NULL AND "o"."B" IS NOT NULL)"#, [.integer(1)]
            ),
            (a.isLike("x%"), #""o"."A" LIKE :p0"#, [.text("x%")]),
            (a.isIn([1, "x"]), #""o"."A" IN (:p0, :p1)"#, [.integer(1), .text("x")]),
            (a.isIn([]), "1 = 0", []),
            (
                a.isBetween(DataValue.currency(scaled: 5), 7), #""o"."A" BETWEEN :p0 AND :p1"#,
                [.currency(scaled: 5), .integer(7)]
            ),
            (
                (a + b) * 2 - (c - 1) == 0, #"("o"."A" + "o"."B") * :p0 - ("o"."C" - :p1) = :p2"#,
                [.integer(2), .integer(1), .integer(0)]
            ),
            (a + b * 2 > c / 2, #""o"."A" + "o"."B" * :p0 > "o"."C" / :p1"#, [.integer(2), .integer(2)]),
            (a.uppercased == b.lowercased, #"UPPER("o"."A") = LOWER("o"."B")"#, []),
        ]
        for (condition, expected, values) in cases {
            let written = try text(condition)
            #expect(written.0 == expected)
            #expect(written.1 == values)
        }
    }

    @Test("a query has joins, groups, conditions on groups, orders, distinct rows and a limit")
    func complete() throws {
        let (o, c) = (Self.orders, Self.clients)
        let query = DataQuery(from: c)
            .leftJoin(o, on: o["Client"] == c["Id"])
            .join(QuerySource("Status", as: "s"), on: QuerySource("Status", as: "s")["Id"] == o["Status"])
            .where(c["Name"] > "a").where(c["Id"] == 1 || c["Id"] == 2)
            .group(by: c["Name"], o["Status"])
            .having(.count() > 1)
            .select(c["Name"], o["Status"].named("State"), .count().named("N"))
            .select(.sum(o["Amount"]), .min(o["Amount"]), .max(o["Amount"]), .average(o["Amount"]))
            .select(.count(o["Amount"], isDistinct: true))
            .order(by: .descending(.count()), .ascending(c["Name"]))
            .distinct()
            .limit(7)
        let request = try query.request("Result", includesSchema: false)
        #expect(request.table == "Result" && request.rowLimit == 7 && !request.includesSchema)
        let expected = #"""
            SELECT DISTINCT "Clients"."Name", "o"."Status" AS "State", COUNT(*) AS "N", SUM("o"."Amount"), \#
            MIN("o"."Amount"), MAX("o"."Amount"), AVG("o"."Amount"), COUNT(DISTINCT "o"."Amount") FROM "Clients" \#
            LEFT OUTER JOIN "Orders" AS "o" ON "o"."Client" = "Clients"."Id" \#
            INNER JOIN "Status" AS "s" ON "s"."Id" = "o"."Status" \#
            WHERE "Clients"."Name" > :p0 AND ("Clients"."Id" = :p1 OR "Clients"."Id" = :p2) \#
            GROUP BY "Clients"."Name", "o"."Status" HAVING COUNT(*) > :p3 \#
            ORDER BY COUNT(*) DESC, "Clients"."Name"
            """#
        #expect(request.selection == .sql(expected))
        #expect(request.parameters.map(\.name) == ["p0", "p1", "p2", "p3"])
    }

    @Test("names are quoted, and an empty one is rejected")
    func names() throws {
        let odd = QuerySource(#"a"b"#)
        let request = try DataQuery(from: odd).select(odd["x y; --"]).request("R")
        #expect(request.selection == .sql(#"SELECT "a""b"."x y; --" FROM "a""b""#))
        #expect(throws: DataQueryError.emptyName) { try DataQuery(from: QuerySource("")).request("R") }
        #expect(throws: DataQueryError.emptyName) { try DataQuery(from: odd).select(odd["a\0b"]).request("R") }
    }

    @Test("a long chain of conditions is written, a deep nesting is rejected")
    func depth() throws {
        let field = Self.orders["A"]
        var chain = field == 0
        var nested = field == 0
        for number in 1...1000 {
            chain = chain && field == number
            nested = !(nested || field == number)
        }
        #expect(try text(chain).1.count == 1001)
        #expect(throws: DataQueryError.tooDeep(limit: 200)) { try text(nested) }
    }
}
