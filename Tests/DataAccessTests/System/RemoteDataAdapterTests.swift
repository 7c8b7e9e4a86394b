// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore
import Testing

@testable import SampleServer

@Suite struct RemoteDataAdapterTests {
    @Test("schemas are returned as XML, of everything, of tables and of commands")
    func schemas() async throws {
        try await SampleAdapter.with { adapter, _ in
            #expect(try await adapter.schema().contains("<Name>Users</Name>"))
            let tables = try await adapter.tableSchema(["Deps"])
            #expect(tables.contains("<Name>DepName</Name>") && !tables.contains("<Name>Users</Name>"))
            #expect(try await adapter.commandSchema(["CountUsers"]).contains("<Name>Role</Name>"))
            #expect(try await adapter.datasetScripts(["Deps"]).contains("<Deps "))
        }
    }

    @Test("tables are read one or several at a time, plain, selected, filtered, sorted and limited")
    func tables() async throws {
        try await SampleAdapter.with { adapter, _ in
            let deps = try await adapter.table(TableRequest("Deps"))
            #expect(deps.name == "Deps" && deps.schema != nil && deps.rows.count > 2)
            #expect(try await adapter.table(TableRequest("Deps", rowLimit: 2)).rows.count == 2)
            let columns = try await adapter.table(TableRequest("Deps", rowLimit: 0, includesSchema: false))
            #expect(columns.rows.isEmpty && columns.schema == nil && columns.columns.count == deps.columns.count)

            let condition = WhereExpression.binary(
                .greater,
                .field("DepId"),
                .constant("1", type: "Integer")
            )
            let selection = DynamicSelection(
                fields: ["DepName"],
                condition: condition,
                order: FieldOrder("DepName", isDescending: true)
            )
            let found = try await adapter.table(TableRequest("Deps", .dynamic(selection)))
            #expect(found.columns.map(\.name) == ["DepName"] && found.rows.count == deps.rows.count - 1)
            let names = found.rows.map { "\($0[0])" }
            #expect(names == names.sorted(by: >))

            let sql = TableRequest(
                "Few",
                .sql("SELECT DepId FROM Deps WHERE DepId = :p0"),
                parameters: [DataParameter("p0", .integer(2))]
            )
            let several = try await adapter.tables([TableRequest("Users"), sql, TableRequest("Deps")])
            #expect(several.map(\.name) == ["Users", "Few", "Deps"])
            #expect(several[1].rows.map { $0[0] } == [.integer(2)])
            #expect(several[2].rows.elementsEqual(deps.rows))
        }
    }

    @Test("a large table arrives in batches, compressed or not", arguments: [nil, 4096])
    func large(compressingFrom: Int?) async throws {
        try await SampleAdapter.with(schema: "PCTrade") {
            $0.load = 20_000
            $0.compressingFrom = compressingFrom
        } _: { adapter, _ in
            let whole = try await adapter.table(TableRequest("Orders"))
            #expect(whole.rows.count >= 20_000)
            var events = 0
            var rows = 0
            let reply = try await adapter.data([TableRequest("Orders")])
            for try await event in reply {
                events += 1
                guard case .rows(let batch) = event else { continue }
                for index in stride(from: 0, to: batch.count, by: 997) {
                    #expect(batch[index] == whole.rows[rows + index])
                }
                rows += batch.count
            }
            #expect(rows == whole.rows.count && events > 5)
            let progress = reply.progress
            #expect(progress.bytesReceived > 100_000 && progress.bytesReceived == progress.bytesExpected, "\(progress)")
        }
    }

    @Test("commands and SQL are executed, with output parameters")
    func commands() async throws {
        try await SampleAdapter.with { adapter, _ in
            let role = DataParameter("Role", .text("none"))
            let counted = try await adapter.execute(command: "CountUsers", parameters: [role])
            #expect(counted.outputs == [DataParameter("Count", .integer(0))])
            let set = [DataParameter("DepId", .integer(1)), DataParameter("Phone", .text("12-34"))]
            #expect(try await adapter.executePlain(command: "SetDepPhone", parameters: set) == 1)

            let query = "SELECT DepPhone FROM Deps WHERE DepId = 1"
            var phones: [DataValue] = []
            for try await event in try await adapter.sqlData(query) {
                if case .rows(let rows) = event { phones += rows.map { $0[0] } }
            }
            #expect(phones == [.text("12-34")])
            #expect(try await adapter.executeSQL("UPDATE Deps SET DepPhone = NULL WHERE DepId = 1") == 1)
        }
    }

    @Test("changes are applied")
    func update() async throws {
        try await SampleAdapter.with { adapter, _ in
            let deps = try await adapter.table(TableRequest("Deps"))
            let old = Array(deps.rows[0])
            var new = old
            new[try #require(deps.column("DepName"))] = .text("renamed")
            var delta = Delta(name: "Deps", fields: deps.columns, keys: ["DepId"])
            try delta.append(.update, recordID: 1, old: old, new: new)
            var deltas = DeltaStream()
            deltas.deltas = [delta]
            let reply = try await adapter.update(deltas)
            #expect(reply.deltas.allSatisfy { $0.changes.allSatisfy { $0.status == .resolved } })
            let table = try await adapter.table(TableRequest("Deps"))
            #expect(table.rows.contains { Array($0) == new })
        }
    }

    @Test("an exception of the server is an error with its class, text and status")
    func exceptions() async throws {
        try await SampleAdapter.with { adapter, _ in
            for call in [0, 1] {
                do {
                    if call == 0 { _ = try await adapter.data([TableRequest("Missing")]) }
                    if call == 1 { _ = try await adapter.tableSchema(["Missing"]) }
                    Issue.record("no error")
                } catch DataAdapterError.exception(let exception) {
                    #expect(exception.message.contains("Missing") && exception.status == 500)
                    #expect(!exception.className.isEmpty && !exception.isFromDaemon)
                }
            }
        }
    }
}
