// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import SampleServer
import TestSupport
import Testing

/// The queries of the vendor's articles on DA LINQ, and one for each other part of the builder.
@Suite("Queries on servers without DA SQL")
struct QueryFallbackTests {
    private static let orders = QuerySource("Orders", as: "o")
    private static let customers = QuerySource("Customers", as: "c")

    private static var queries: [(name: String, query: DataQuery)] {
        let (o, c) = (orders, customers)
        let status = QuerySource("OrderStatus", as: "s")
        let byId = QueryOrder.ascending(o["Id"])
        let all = DataQuery(from: o).select(o["Id"], o["Customer"], o["Amount"], o["Date"])
        return [
            ("all fields", DataQuery(from: c).order(by: .ascending(c["Id"]))),
            ("a condition", all.where(o["Customer"] == "FJORD" && o["Status"] != 1).order(by: byId)),
            ("an amount", all.where(o["Amount"] >= DataValue.currency(scaled: 123_456_700)).order(by: byId)),
            ("a date", all.where(o["Date"] > DataValue.dateTime(days: 40_600)).order(by: byId)),
            ("a pattern", DataQuery(from: c).where(c["Id"].isLike("P%")).order(by: .ascending(c["Id"]))),
            ("a pattern in small letters", DataQuery(from: c).where(c["Id"].isLike("p%"))),
            ("a list", all.where(o["Status"].isIn([1, 3]) || o["Id"].isBetween(5, 9)).order(by: byId)),
            ("NULL", all.where(o["Customer"].isNull && !(o["Status"] == 2)).order(by: byId)),
            (
                "a left outer join with default if empty",
                DataQuery(from: c).leftJoin(o, on: o["Customer"] == c["Id"]).where(c["Id"] == "PARIS")
                    .select(c["Id"], o["Worker"])
            ),
            (
                "joins",
                DataQuery(from: o).join(c, on: o["Customer"] == c["Id"]).join(status, on: status["Id"] == o["Status"])
                    .select(o["Id"], c["Name"], status["Name"].named("State")).order(by: byId)
            ),
            (
                "a group by one field",
                DataQuery(from: o).group(by: o["Customer"]).select(o["Customer"], .count().named("N"))
                    .order(by: .ascending(o["Customer"]))
            ),
            (
                "a group by several fields with all aggregates",
                DataQuery(from: o).group(by: o["Status"], o["Type"])
                    .select(o["Status"], o["Type"], .count(o["Customer"], isDistinct: true).named("N"))
                    .select(.sum(o["Amount"]).named("S"), .min(o["Amount"]).named("L"), .max(o["Date"]).named("G"))
                    .select(.average(o["Amount"]).named("A")).order(by: .ascending(o["Status"]), .descending(o["Type"]))
            ),
            (
                "a condition on groups",
                DataQuery(from: o).group(by: o["Client"]).having(.count() > 5).select(o["Client"], .count().named("N"))
                    .order(by: .descending(.count()), .ascending(o["Client"]))
            ),
            ("distinct rows", DataQuery(from: o).select(o["Status"]).distinct().order(by: .ascending(o["Status"]))),
            ("a limit", all.order(by: .descending(o["Amount"]), byId).limit(7)),
            (
                "arithmetic and functions",
                DataQuery(from: c).select(c["Name"].uppercased.named("U"), c["City"].lowercased.named("L"))
                    .where(c["Id"] != "x").order(by: .ascending(c["Id"]))
            ),
            ("an expression", all.where(o["Status"] * 2 - 1 < o["Type"] + 1).order(by: byId)),
        ]
    }

    @Test("a server with the defaults of Delphi answers every query with the same rows")
    func sameRows() async throws {
        try await withSampleService(.relativity) { complete in
            try await withSampleService(.delphi) { limited in
                for (name, query) in Self.queries {
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
        _ query: DataQuery,
        _ adapter: RemoteDataAdapter
    ) async throws -> (record: StatementRecord, rows: CollectedRows) {
        let request = try query.request("Result")
        guard case .sql(let statement) = request.selection else { throw ReadError.missingTable("") }
        var rows = CollectedRows()
        let record = try await TableReader(adapter).run(
            statement: statement,
            parameters: request.parameters,
            limit: request.rowLimit.map(Int.init),
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
