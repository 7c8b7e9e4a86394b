// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SampleServer
import Testing

@testable import DataAccess

/// Rows that a consumer received, as values.
private struct Values: RowConsumer {
    var head: TableHead?
    var rows: [[DataValue]] = []

    mutating func begin(_ table: TableHead) { head = table }

    mutating func add(_ rows: DataRows, _ indices: [Int]?) {
        self.rows += (indices ?? Array(rows.indices)).map { Array(rows[$0]) }
    }

    mutating func finish() {}
}

@Suite("Lookup and calculated fields of a read") struct ExtraFieldsTests {
    private func view(_ table: String, _ lookups: [String], _ calculated: [String] = []) throws -> TableView {
        try TableView(table, lookups: lookups, calculated: calculated, references: [])
    }

    private func read(_ adapter: RemoteDataAdapter, _ view: TableView, _ query: TableQuery) async throws -> Values {
        let reader = TableReader(adapter)
        let fields = try await reader.extraFields(view, of: query)
        var rows = ExtraFieldRows(Values(), fields)
        _ = try await reader.read(fields.query, into: &rows)
        #expect(rows.consumer.head?.columns == fields.columns)
        return rows.consumer
    }

    @Test(
        "lookups and sums follow the fields of the table, with and without features of the server",
        arguments: [ServerKind.relativity, .noWhere]
    )
    func all(_ kind: ServerKind) async throws {
        try await withSampleService(kind) { adapter in
            var view = try self.view(
                "Orders",
                ["ClientName=Client:Clients.Id:Name", "Seller=Worker:Workers.Id:LastName:nobody"],
                [
                    "Sum:Currency=coalesce(sum(OrderDetails.Total), 0)", "Twice=Sum * 2",
                    "City=substring(ClientName, 1, 1)",
                ]
            )
            // This server shows no relationships.
            if kind == .noWhere { view.references = [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])] }
            view.lookups.append(LookupField("State", ["Status"], in: .list([LookupEntry(.text("1"), "new")])))
            var query = TableQuery("Orders")
            query.limit = 600
            query.order = [FieldOrder("Id", isDescending: true)]
            let found = try await self.read(adapter, view, query)
            let orders = try await adapter.table(TableRequest("Orders"))
            let names = orders.columns.map(\.name) + ["ClientName", "Seller", "State", "Sum", "Twice", "City"]
            #expect(found.head?.columns.map(\.name) == names)
            #expect(found.head?.columns.suffix(3).map(\.type) == [.currency, .currency, .wideString])
            #expect(found.head?.schema?.fields.first?.isInPrimaryKey == true && found.head?.schema?.fields.count == 15)

            let clients = try await adapter.table(TableRequest("Clients"))
            let workers = try await adapter.table(TableRequest("Workers"))
            var sums: [DataValue: Int64] = [:]
            for detail in try await adapter.table(TableRequest("OrderDetails")).rows {
                guard case .currency(let scaled) = detail[6] else { continue }
                sums[detail[1], default: 0] += scaled
            }
            func name(_ table: DataTable, _ key: DataValue, _ column: Int) -> DataValue? {
                table.rows.first { $0[0] == key }?[column]
            }
            #expect(!found.rows.isEmpty && found.rows.count == min(600, orders.rows.count))
            for row in found.rows {
                let (client, worker, sum) = (row[5], row[6], sums[row[0]] ?? 0)
                let clientName = try #require(name(clients, client, 1))
                let extra: [DataValue] = [
                    clientName, name(workers, worker, 2) ?? .text("nobody"),
                    row[3] == .integer(1) ? .text("new") : .null, .currency(scaled: sum), .currency(scaled: 2 * sum),
                    clientName.text.map { .text(String($0.prefix(1))) } ?? .null,
                ]
                #expect(Array(row.suffix(6)) == extra, "\(row)")
            }
        }
    }

    @Test("a selection names fields of both kinds, in its order, and reads what they need")
    func selection() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            var query = TableQuery("Users")
            query.fields = ["Department", "name", "Shout"]
            query.predicate = try Expression(predicate: "Id <= 2")
            let view = try self.view("Users", ["Department=Type:Deps.DepId:DepName"], ["Shout=upper(Name)"])
            let found = try await self.read(adapter, view, query)
            #expect(found.head?.columns.map(\.name) == ["Department", "Name", "Shout"])
            #expect(
                found.rows == [
                    [.text("Sales"), .text("Ada"), .text("ADA")], [.text("Sales"), .text("Grace"), .text("GRACE")],
                ]
            )
            query.fields = ["Shout", "Nonsense"]
            let known = try await TableReader(adapter).head(of: "Users").columns.map(\.name)
            let unknown = UnknownName("Nonsense", among: known + ["Department", "Shout"])
            await #expect(throws: ReadError.unknownField(table: "Users", field: unknown)) {
                try await TableReader(adapter).extraFields(view, of: query)
            }
        }
    }

    @Test("the name of a field of the table is refused, also of one that is not read, and so is an unknown table")
    func refused() async throws {
        try await withSampleService(schema: "Simple") { adapter in
            let reader = TableReader(adapter)
            var query = TableQuery("Users")
            for fields in [[], ["Id"], ["Id", "ROLE"]] {
                query.fields = fields
                await #expect(throws: TableViewError.existingField("ROLE")) {
                    try await reader.extraFields(try self.view("Users", [], ["ROLE=1"]), of: query)
                }
            }
            query.fields = []
            await #expect(throws: DataAdapterError.self) {
                try await reader.extraFields(try self.view("Users", ["X=Id:Nonsense.Id:Name"]), of: query)
            }
            await #expect(throws: TableViewError.self) {
                try await reader.extraFields(try self.view("Users", [], ["X=Nonsense + 1"]), of: query)
            }
            var limited = reader
            limited.options.maximumRows = 3
            await #expect(throws: ReadError.tooManyRows(table: "Deps", limit: 3)) {
                try await limited.extraFields(try self.view("Users", ["X=Type:Deps.DepId:DepName"]), of: query)
            }
        }
    }
}

extension DataValue {
    fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
