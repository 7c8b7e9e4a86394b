// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import TestSupport
import Testing

@testable import SampleServer

/// Edits that are applied to the sample server through an adapter.
@Suite struct ChangeApplyTests {
    private func table(_ name: String, _ adapter: RemoteDataAdapter) async throws -> EditableTable {
        let schema = try DataSchema(parsing: try await adapter.tableSchema([name]))
        return try EditableTable(try await adapter.table(TableRequest(name)), schema: schema.table(name))
    }

    private func values(_ table: EditableTable) -> [[DataValue]] { table.rowIDs.compactMap { table.row($0)?.values } }

    @Test("inserts, updates and deletes arrive, with keys and defaults", arguments: [ServerKind.relativity, .noWhere])
    func simple(kind: ServerKind) async throws {
        try await SampleAdapter.with {
            $0.kind = kind
        } _: { adapter, _ in
            let users = try await table("Users", adapter)
            var set = try ChangeSet([users, try await table("Deps", adapter)])
            try set.edit("Users") { table throws(EditError) in
                _ = try table.append(["Name": .text("Zoë")])
                try table.set(["Role": .null, "Type": .integer(9)], of: RowID(1))
                try table.remove(RowID(0))
            }
            try set.edit("Deps") { table throws(EditError) in
                do throws(EditError) {
                    try table.set("DepName", of: RowID(0), to: .text(String(repeating: "x", count: 51)))
                    throw .inFlight
                } catch {
                    guard error == .tooLong(field: "DepName", limit: 50, found: 51) else { throw error }
                }
                try table.set("DepName", of: RowID(0), to: .text("Sales & Co"))
            }
            let server = AdapterChangeServer(adapter, capabilities: kind == .noWhere ? [] : .where)
            let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&set)
            #expect(report.failure == nil && report.accepted.count == 4 && report.calls == 1 && !set.hasChanges)
            for name in ["Users", "Deps"] {
                let fresh = try await table(name, adapter)
                #expect(try values(fresh) == values(#require(set.table(name))))
            }
            #expect(
                try values(#require(set.table("Users"))).last?.dropFirst() == [.text("Zoë"), .text("Developer"), .null]
            )
        }
    }

    @Test("a new order and its details are one call with a relationship, and two without", arguments: [true, false])
    func masterAndDetails(isRelated: Bool) async throws {
        try await SampleAdapter.with(schema: "PCTrade") {
            $0.kind = isRelated ? .relativity : .delphi
        } _: { adapter, _ in
            let tables = try await [table("Orders", adapter), table("OrderDetails", adapter)]
            var references = KeyReference.references(of: try DataSchema(parsing: try await adapter.schema()))
            #expect(references.isEmpty != isRelated)
            if !isRelated { references = [try #require(KeyReference("OrderDetails.Order=Orders.Id"))] }
            var set = try ChangeSet(tables, references: references)
            let guid = DataValue.text("01234567-89ab-cdef-0123-456789abcdef")
            let order = try set.edit("Orders") { table throws(EditError) in
                try table.append(["Number": guid, "Date": .dateTime(days: 44000.5), "Client": .integer(1)])
            }
            let details = try set.edit("OrderDetails") { table throws(EditError) -> [RowID] in
                var rows: [RowID] = []
                for product in 1...2 as ClosedRange<Int64> {
                    rows.append(
                        try table.append([
                            "Order": .integer(-1), "Product": .integer(product), "Price": .currency(scaled: 12_500),
                            "Total": .currency(scaled: 12_500),
                        ])
                    )
                }
                return rows
            }
            let server = AdapterChangeServer(adapter)
            let report = try await ApplyRunner(server, store: PendingFile?.none).apply(&set)
            #expect(report.accepted.count == 3 && report.calls == (isRelated ? 1 : 2) && !set.hasChanges)
            let note = ApplyNote.separateTransactions(first: ["Orders"], later: ["OrderDetails"])
            #expect(report.notes == (isRelated ? [] : [note]))
            let key = try #require(set.table("Orders")?.row(order)).value("Id")
            for detail in details {
                #expect(try #require(set.table("OrderDetails")?.row(detail)).value("Order") == key)
            }
            let fresh = try await table("OrderDetails", adapter)
            #expect(try values(fresh) == values(#require(set.table("OrderDetails"))))
        }
    }

    @Test("a row that another client changed is a conflict, and is applied after a refresh")
    func conflicts() async throws {
        try await SampleAdapter.with { adapter, _ in
            var mine = try ChangeSet([try await table("Deps", adapter)])
            var theirs = mine
            try theirs.edit("Deps") { table throws(EditError) in
                try table.set("DepPhone", of: RowID(0), to: .text("1"))
            }
            let runner = ApplyRunner(AdapterChangeServer(adapter), store: PendingFile?.none)
            #expect(try await runner.apply(&theirs).accepted.count == 1)
            try mine.edit("Deps") { table throws(EditError) in
                try table.set("DepName", of: RowID(0), to: .text("Mine"))
                try table.set("DepName", of: RowID(1), to: .text("Other"))
            }
            var report = try await runner.apply(&mine)
            let phoneType = try #require(mine.table("Deps")?.fields.first { $0.name == "DepPhone" }?.type)
            let phone = EditConflict.Field(
                name: "DepPhone",
                type: phoneType,
                old: .text("+1 555 0100"),
                mine: .text("+1 555 0100"),
                theirs: .text("1")
            )
            #expect(report.conflicts.map(\.fields) == [[phone]] && report.accepted.count == 1)
            #expect(mine.changedRows.map(\.row) == [RowID(0)])
            let rows = try await adapter.table(TableRequest("Deps")).rows
            let conflicts = try mine.edit("Deps") { table throws(EditError) in try table.refresh([rows]) }
            #expect(conflicts.isEmpty && mine.hasChanges)
            report = try await runner.apply(&mine)
            #expect(report.accepted.count == 1 && !mine.hasChanges)
            let fresh = try await table("Deps", adapter)
            #expect(values(fresh)[0] == [.integer(1), .text("Mine"), .text("1")])
        }
    }

    @Test("510 rows are compared in several reads, and a server that cannot be reached got nothing")
    func manyRows() async throws {
        try await SampleAdapter.with(schema: "PCTrade") {
            $0.load = 600
        } _: { adapter, running in
            var set = try ChangeSet([try await table("OrderDetails", adapter)])
            try set.edit("OrderDetails") { table throws(EditError) in
                for row in Array(table.rowIDs).prefix(510) { try table.set("Quantity", of: row, to: .integer(77)) }
            }
            let runner = ApplyRunner(AdapterChangeServer(adapter), store: PendingFile?.none)
            #expect(try await runner.apply(&set).accepted.count == 510)
            try set.edit("OrderDetails") { table throws(EditError) in
                _ = try table.append([
                    "Order": .integer(1), "Product": .integer(1), "Price": .currency(scaled: 1),
                    "Total": .currency(scaled: 1),
                ])
            }
            await running.stop()
            // After a failed call there is no kept connection, on which the server might have got the next one.
            await #expect(throws: DataAdapterError.self) { try await adapter.schema() }
            let report = try await runner.apply(&set)
            guard case .notSent = report.failure else {
                Issue.record("\(String(describing: report.failure))")
                return
            }
            #expect(set.phase == .idle && set.changedRows.count == 1)
        }
    }
}
