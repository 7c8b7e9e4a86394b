// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import SampleServer
import TestSupport
import Testing

@Suite("Statements")
struct StatementTests {
    @Test("only the columns that a statement uses are read, and their types remain")
    func columns() async throws {
        try await withSampleService(.delphi) { adapter in
            var features = ServerFeatures()
            features[.daSQL] = FeatureFinding(false, .probed)
            let reader = TableReader(adapter, features: features)
            let statement = "SELECT Price, InStock, Name, SUM(Price), 'x' || Id FROM products WHERE Id = :id"
            var rows = CollectedRows()
            let id = DataParameter("Id", .integer(3))
            let record = try await reader.run(statement: statement, parameters: [id], into: &rows)
            #expect(record.note?.reason == .lacks(.daSQL))
            guard case .dynamic(let selection) = record.tables[0].request.selection else {
                Issue.record("all columns")
                return
            }
            #expect(selection.fields == ["Id", "Name", "Price", "InStock"])
            #expect(
                rows.heads[0].columns.map(\.type) == [.currency, .boolean, .wideString, .currency, .wideString]
            )
            let table = try await adapter.table(TableRequest("Products"))
            let price = try #require(table.column("Price"))
            #expect(rows.rows.count == 1)
            #expect(rows.rows[0][0] == table.rows[2][price] && rows.rows[0][4] == .text("x3"))
        }
    }

    @Test("a join across servers")
    func join() async throws {
        try await withSampleService(.relativity) { office in
            try await withSampleService(.noWhere) { shop in
                let statement = "SELECT c.Name, o.Id FROM c JOIN o ON o.Client = c.Id ORDER BY o.Id"
                let reader = StatementReader(
                    statement,
                    [
                        StatementTable("c", TableReader(office), table: "Clients"),
                        StatementTable("o", TableReader(shop), table: "Orders"),
                    ]
                )
                var rows = CollectedRows()
                let record = try await reader.run(limit: 5, into: &rows)
                #expect(rows.rows.count == 5 && record.rows == 5)
                #expect(record.tables.map(\.table) == ["Clients", "Orders"])
                let clients = try await office.table(TableRequest("Clients"))
                let orders = try await shop.table(TableRequest("Orders"))
                let client = try #require(orders.column("Client"))
                let first = clients.rows.first { $0[0] == orders.rows[0][client] }
                #expect(rows.rows[0] == [first?[1] ?? .null, orders.rows[0][0]])
            }
        }
    }

    @Test("a wrong statement gives the words of the server, or of SQLite")
    func wrong() async throws {
        try await withSampleService(.relativity) { adapter in
            var rows = CollectedRows()
            await #expect(throws: DataAdapterError.self) {
                try await TableReader(adapter).run(statement: "SELECT Nothing FROM Clients", into: &rows)
            }
            #expect(rows.heads.isEmpty)
        }
        try await withSampleService(.delphi) { adapter in
            var rows = CollectedRows()
            let error = await #expect(throws: StatementError.self) {
                try await TableReader(adapter).run(statement: "SELECT Nothing FROM Clients", into: &rows)
            }
            #expect(error?.description.contains("SQLite code") == true)
            var local = ReadOptions()
            local.isLocal = true
            for wrong in ["DELETE FROM Clients WHERE Id IN (SELECT Id FROM Orders)", "UPDATE Clients SET Id = 1"] {
                await #expect(throws: StatementError.notAQuery, "\(wrong)") {
                    try await TableReader(adapter, options: local).run(statement: wrong, into: &rows)
                }
            }
            await #expect(throws: StatementError.noParameter(":x")) {
                try await TableReader(adapter).run(statement: "SELECT Id FROM Clients WHERE Id = :x", into: &rows)
            }
            var options = ReadOptions()
            options.maximumRows = 3
            await #expect(throws: ReadError.tooManyRows(table: "Clients", limit: 3)) {
                try await TableReader(adapter, options: options)
                    .run(statement: "SELECT COUNT(*) FROM Clients", into: &rows)
            }
            options.serverOnly = true
            let note = ReadNote(table: "", step: .sql, reason: .refused)
            await #expect(throws: ReadError.notOnServer(note)) {
                try await TableReader(adapter, options: options).run(statement: "SELECT Id FROM Clients", into: &rows)
            }
        }
    }
}
