// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import SampleServer

/// Queries that the sample server answers, compared with the same computation on all rows.
@Suite struct DataQueryExecutionTests {
    private static let orders = QuerySource("Orders", as: "o")
    private static let customers = QuerySource("Customers", as: "c")

    /// An order as the tests compute with it.
    private struct Order {
        let id: DataValue
        let status: Int64
        let type: Int64
        let customer: DataValue
        let amount: Int64
        let date: Double
    }

    private func orders(_ adapter: RemoteDataAdapter) async throws -> [Order] {
        let table = try await adapter.table(TableRequest("Orders"))
        let columns = try ["Id", "Status", "Type", "Customer", "Amount", "Date"].map {
            try #require(table.column($0))
        }
        return try table.rows.map { row in
            let cells = columns.map { row[$0] }
            guard case .integer(let status) = cells[1], case .integer(let type) = cells[2],
                case .currency(let amount) = cells[4], case .dateTime(let date) = cells[5]
            else { throw DataAdapterError.closed }
            return Order(id: cells[0], status: status, type: type, customer: cells[3], amount: amount, date: date)
        }
    }

    private func rows(_ query: DataQuery, _ adapter: RemoteDataAdapter) async throws -> [[DataValue]] {
        try await adapter.table(try query.request("R")).rows.map(Array.init)
    }

    @Test("conditions of every form select the same rows as here")
    func conditions() async throws {
        try await SampleAdapter.with(schema: "PCTrade") {
            $0.load = 300
        } _: { adapter, _ in
            let all = try await orders(adapter)
            let o = Self.orders
            let middle = all[all.count / 2]
            let known = try #require(all.map(\.customer).first { !$0.isNull })
            let cases: [(QueryCondition, (Order) -> Bool)] = [
                (o["Status"] == 1, { $0.status == 1 }), (o["Status"] != 1, { $0.status != 1 }),
                (o["Amount"] > DataValue.currency(scaled: middle.amount), { $0.amount > middle.amount }),
                (o["Date"] <= DataValue.dateTime(days: middle.date), { $0.date <= middle.date }),
                (o["Status"] == 1 && o["Type"] == 2, { $0.status == 1 && $0.type == 2 }),
                (
                    (o["Status"] == 1 || o["Status"] == 2) && !(o["Type"] == 2),
                    { [1, 2].contains($0.status) && $0.type != 2 }
                ),
                (o["Status"].isIn([1, 3]), { [1, 3].contains($0.status) }), (o["Status"].isIn([]), { _ in false }),
                (o["Status"].isBetween(2, 3), { (2...3).contains($0.status) }),
                (o["Customer"].isNull, { $0.customer.isNull }), (o["Customer"].isNotNull, { !$0.customer.isNull }),
                (o["Customer"] == known, { $0.customer == known }),
                (o["Status"] + o["Type"] == 3, { $0.status + $0.type == 3 }),
                (o["Status"] * 2 - 1 < o["Type"], { $0.status * 2 - 1 < $0.type }),
            ]
            for (index, (condition, isExpected)) in cases.enumerated() {
                let query = DataQuery(from: o).where(condition).select(o["Id"]).order(by: .ascending(o["Id"]))
                let found = try await rows(query, adapter).map { $0[0] }
                #expect(found == all.filter(isExpected).map(\.id), "\(index)")
            }
            let names = DataQuery(from: Self.customers).where(Self.customers["Id"].isLike("P%"))
            let paris = try await rows(names, adapter)
            #expect(!paris.isEmpty && paris.allSatisfy { "\($0[0])".contains("\"P") })
        }
    }

    @Test("a left outer join with a group gives counts, sums, least, greatest and average values")
    func groups() async throws {
        try await SampleAdapter.with(schema: "PCTrade") {
            $0.load = 300
        } _: { adapter, _ in
            let all = try await orders(adapter)
            let (o, c) = (Self.orders, Self.customers)
            let query = DataQuery(from: c)
                .leftJoin(o, on: o["Customer"] == c["Id"])
                .group(by: c["Id"])
                .select(c["Id"], .count(o["Id"]).named("N"), .sum(o["Amount"]).named("Total"))
                .select(.min(o["Amount"]), .max(o["Amount"]), .average(o["Amount"]).named("Mean"))
                .order(by: .ascending(c["Id"]))
            let found = try await rows(query, adapter)
            let customers = try await adapter.table(TableRequest("Customers")).rows.map { $0[0] }
            #expect(found.count == customers.count && customers.contains(.text("PARIS")))
            for row in found {
                let amounts = all.filter { $0.customer == row[0] }.map(\.amount)
                #expect(row[1] == .integer(Int64(amounts.count)))
                guard let least = amounts.min(), let greatest = amounts.max() else {
                    #expect(row[2...] == [.null, .null, .null, .null])
                    continue
                }
                #expect(row[2] == .currency(scaled: amounts.reduce(0, +)))
                #expect(row[3] == .currency(scaled: least) && row[4] == .currency(scaled: greatest))
                guard case .float(let mean) = row[5] else {
                    Issue.record("no average")
                    continue
                }
                #expect(abs(mean - Double(amounts.reduce(0, +)) / Double(amounts.count) / 10_000) < 1e-6)
            }
        }
    }

    @Test("groups of several fields, conditions on groups, orders of several values, distinct rows and limits")
    func several() async throws {
        try await SampleAdapter.with(schema: "PCTrade") {
            $0.load = 300
        } _: { adapter, _ in
            let all = try await orders(adapter)
            let o = Self.orders
            let grouped = DataQuery(from: o)
                .group(by: o["Status"], o["Type"])
                .having(.count() > 5)
                .select(o["Status"].named("S"), o["Type"], .count().named("N"))
                .order(by: .descending(o["Status"]), .ascending(o["Type"]))
            let groups = Dictionary(grouping: all) { [$0.status, $0.type] }.filter { $0.value.count > 5 }
            let expected = groups.keys.sorted { ($1[0], $0[1]) < ($0[0], $1[1]) }.map { key in
                [key[0], key[1], Int64(groups[key]?.count ?? 0)].map { DataValue.integer($0) }
            }
            #expect(expected.count > 2)
            #expect(try await rows(grouped, adapter) == expected)
            let table = try await adapter.table(try grouped.limit(2).request("R"))
            #expect(table.columns.map(\.name) == ["S", "Type", "N"])
            #expect(table.rows.map(Array.init) == Array(expected.prefix(2)))

            let statuses = DataQuery(from: o).select(o["Status"]).distinct().order(by: .ascending(o["Status"]))
            let different = Set(all.map(\.status)).sorted().map { [DataValue.integer($0)] }
            #expect(try await rows(statuses, adapter) == different)
        }
    }

    @Test("tables and aliases with odd names do not change a statement")
    func names() async throws {
        try await SampleAdapter.with { adapter, _ in
            for name in [#"Deps"; x"#, "a--b", "]x[", "'"] {
                do {
                    _ = try await rows(DataQuery(from: QuerySource(name)), adapter)
                    Issue.record("no error")
                } catch DataAdapterError.exception(let exception) {
                    #expect(exception.message.contains(name))
                }
            }
            let odd = QuerySource("Deps", as: #"a" "b:c"#)
            let found = try await rows(DataQuery(from: odd).select(odd["DepId"].named("[x] \"y")), adapter)
            #expect(!found.isEmpty)
        }
    }
}
