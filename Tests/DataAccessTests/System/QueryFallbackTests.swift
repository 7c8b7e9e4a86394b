// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import SampleServer
import TestSupport
import Testing

/// The queries of the vendor's articles on DA LINQ, and one for each other part of DA SQL.
@Suite("Queries on servers without DA SQL")
struct QueryFallbackTests {
    private struct Query {
        let name: String
        let statement: String
        let parameters: [DataValue]
        let limit: Int?

        /// - Parameter parameters: the values of `:p0`, `:p1` and so on.
        init(_ name: String, _ statement: String, _ parameters: DataValue..., limit: Int? = nil) {
            self.name = name
            self.statement = statement
            self.parameters = parameters
            self.limit = limit
        }
    }

    private static var queries: [Query] {
        let orders = #"SELECT "o"."Id", "o"."Customer", "o"."Amount", "o"."Date" FROM "Orders" AS "o""#
        return [
            Query("all fields", #"SELECT * FROM "Customers" AS "c" ORDER BY "c"."Id""#),
            Query(
                "a condition",
                #"\#(orders) WHERE "o"."Customer" = :p0 AND "o"."Status" <> :p1 ORDER BY "o"."Id""#,
                .text("FJORD"),
                .integer(1)
            ),
            Query(
                "an amount",
                #"\#(orders) WHERE "o"."Amount" >= :p0 ORDER BY "o"."Id""#,
                .currency(scaled: 123_456_700)
            ),
            Query("a date", #"\#(orders) WHERE "o"."Date" > :p0 ORDER BY "o"."Id""#, .dateTime(days: 40_600)),
            Query("a pattern", "SELECT * FROM Customers WHERE Id LIKE 'P%' ORDER BY Id"),
            Query("a pattern in small letters", "SELECT * FROM Customers WHERE Id LIKE :p0", .text("p%")),
            Query(
                "a list",
                #"\#(orders) WHERE "o"."Status" IN (:p0, 3) OR "o"."Id" BETWEEN 5 AND :p1 ORDER BY "o"."Id""#,
                .integer(1),
                .integer(9)
            ),
            Query(
                "NULL",
                #"\#(orders) WHERE "o"."Customer" IS NULL AND NOT ("o"."Status" = 2) ORDER BY "o"."Id""#
            ),
            Query(
                "a left outer join with default if empty",
                #"""
                SELECT "c"."Id", "o"."Worker" FROM "Customers" AS "c"
                LEFT OUTER JOIN "Orders" AS "o" ON "o"."Customer" = "c"."Id" WHERE "c"."Id" = :p0
                """#,
                .text("PARIS")
            ),
            Query(
                "joins",
                #"""
                SELECT "o"."Id", "c"."Name", "s"."Name" AS "State" FROM "Orders" AS "o"
                INNER JOIN "Customers" AS "c" ON "o"."Customer" = "c"."Id"
                INNER JOIN "OrderStatus" AS "s" ON "s"."Id" = "o"."Status" ORDER BY "o"."Id"
                """#
            ),
            Query(
                "a group by one field",
                "SELECT Customer, COUNT(*) AS N FROM Orders GROUP BY Customer ORDER BY Customer"
            ),
            Query(
                "a group by several fields with all aggregates",
                """
                SELECT Status, Type, COUNT(DISTINCT Customer) AS N, SUM(Amount) AS S, MIN(Amount) AS L, MAX(Date) AS G,
                AVG(Amount) AS A FROM Orders GROUP BY Status, Type ORDER BY Status, Type DESC
                """
            ),
            Query(
                "a condition on groups",
                """
                SELECT Client, COUNT(*) AS N FROM Orders GROUP BY Client HAVING COUNT(*) > :p0
                ORDER BY COUNT(*) DESC, Client
                """,
                .integer(5)
            ),
            Query("distinct rows", "SELECT DISTINCT Status FROM Orders ORDER BY Status"),
            Query("a limit", #"\#(orders) ORDER BY "o"."Amount" DESC, "o"."Id""#, limit: 7),
            Query(
                "arithmetic and functions",
                "SELECT UPPER(Name) AS U, LOWER(City) AS L FROM Customers WHERE Id <> :p0 ORDER BY Id",
                .text("x")
            ),
            Query(
                "an expression",
                #"\#(orders) WHERE "o"."Status" * 2 - :p0 < "o"."Type" + :p1 ORDER BY "o"."Id""#,
                .integer(1),
                .integer(1)
            ),
        ]
    }

    @Test("a server with the defaults of Delphi answers every query with the same rows")
    func sameRows() async throws {
        try await withSampleService(.relativity) { complete in
            try await withSampleService(.delphi) { limited in
                for query in Self.queries {
                    let name = query.name
                    let (sent, expected) = try await Self.run(query, complete)
                    let (local, found) = try await Self.run(query, limited)
                    #expect(sent.note == nil && local.note?.step == .sql && local.note?.reason == .refused, "\(name)")
                    #expect(found.heads[0].columns.map(\.name) == expected.heads[0].columns.map(\.name), "\(name)")
                    #expect(found.rows.count == expected.rows.count, "\(name)")
                    #expect(name == "a pattern in small letters" || !found.rows.isEmpty, "\(name)")
                    for (row, other) in zip(found.rows, expected.rows) {
                        #expect(zip(row, other).allSatisfy(Self.isSame), "\(name): \(row), \(other)")
                    }
                }
            }
        }
    }

    @Test("TOP is understood here too")
    func top() async throws {
        for kind in [ServerKind.relativity, .delphi] {
            try await withSampleService(kind) { adapter in
                var rows = CollectedRows()
                let statement = "SELECT TOP 3 Id FROM Orders ORDER BY Id"
                let record = try await TableReader(adapter).run(statement: statement, into: &rows)
                #expect(rows.rows.count == 3 && record.rows == 3)
            }
        }
    }

    private static func run(
        _ query: Query,
        _ adapter: RemoteDataAdapter
    ) async throws -> (record: StatementRecord, rows: CollectedRows) {
        var rows = CollectedRows()
        let record = try await TableReader(adapter).run(
            statement: query.statement,
            parameters: query.parameters.enumerated().map { DataParameter("p\($0.offset)", $0.element) },
            limit: query.limit,
            into: &rows
        )
        return (record, rows)
    }

    /// In a statement that runs here, calculated amounts are 64-bit floats, and calculated dates are texts.
    private static func isSame(_ left: DataValue, _ right: DataValue) -> Bool {
        guard let first = number(left), let second = number(right) else { return left == right }
        return abs(first - second) <= 1e-12 * max(abs(first), 1)
    }

    private static func number(_ value: DataValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .float(let number): number
        case .currency(let scaled): Double(scaled) / 10_000
        case .dateTime(let days): Double(PredicateDate(days: days).milliseconds)
        case .text(let text): PredicateDate(text).map { Double($0.milliseconds) }
        default: nil
        }
    }
}
