// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import TableBrowser

@Suite("The relations of tables")
struct TableRelationsTests {
    private static func table(_ name: String, _ fields: String) -> String {
        let fields = fields.split(separator: " ").map { field in
            let parts = field.split(separator: ":")
            let isKey = parts.count > 2
            return "<F Name='\(parts[0])' DataType='dat\(parts[1])' InPrimaryKey='\(isKey)'/>"
        }
        return "<T Name='\(name)'><Fields>\(fields.joined())</Fields></T>"
    }

    private static func relation(
        _ detail: String,
        _ detailFields: String,
        _ master: String,
        _ masterFields: String
    ) -> String {
        """
        <R MasterDataTableName='\(master)' MasterFields='\(masterFields)' DetailDataTableName='\(detail)' \
        DetailFields='\(detailFields)'/>
        """
    }

    /// Clients, their orders, order details by two fields, workers with a chief.
    private static func relations() throws -> TableRelations {
        let tables = [
            table("Clients", "Id:AutoInc:k Code:WideString:k Memo:WideMemo City:WideString name:WideString"),
            table("Orders", "Id:AutoInc:k Year:Integer:k Client:Integer Worker:Integer"),
            table("Details", "Order:Integer OrderYear:Integer Product:Guid"),
            table("Workers", "Id:AutoInc:k Note:Memo LastName:WideString Chief:Integer"),
            table("Products", "Id:Guid:k Price:Currency"),
        ]
        let relations = [
            relation("Orders", "Client", "Clients", "Id"), relation("orders", "client", "clients", "ID"),
            relation("Details", "Order;OrderYear", "Orders", "Id;Year"), relation("Orders", "Worker", "Workers", "Id"),
            relation("Workers", "Chief", "Workers", "Id"), relation("Details", "Product", "Products", "Id"),
            relation("Details", "Order", "Orders", "Id;Year"), relation("Details", "", "Orders", ""),
        ]
        let xml = "<S><Tables>\(tables.joined())</Tables><Relationships>\(relations.joined())</Relationships></S>"
        return TableRelations(try DataSchema(parsing: xml))
    }

    private static func key(_ name: String, _ type: DataType) -> EditableField {
        var field = EditableField(name, type)
        field.isInPrimaryKey = true
        return field
    }

    /// Rows as new ones that the server does not know yet.
    private static func table(
        _ name: String,
        _ fields: [EditableField],
        _ rows: [[String: DataValue]]
    ) throws -> EditableTable {
        var table = try EditableTable(name: name, fields: fields)
        for row in rows { try table.append(row) }
        return table
    }

    private static func rows(_ table: EditableTable) -> [EditableRow] { table.rowIDs.compactMap { table.row($0) } }

    @Test("details and masters are found without case, each once, and unusable references are left out")
    func references() throws {
        let relations = try Self.relations()
        #expect(relations.details(of: "CLIENTS").map(\.detail) == ["Orders"])
        #expect(relations.details(of: "Orders").map(\.detailFields) == [["Order", "OrderYear"]])
        #expect(relations.details(of: "Workers").map(\.detailFields) == [["Worker"], ["Chief"]])
        #expect(relations.masters(of: "orders").map(\.master) == ["Clients", "Workers"])
        #expect(relations.details(of: "Products").count == 1 && relations.details(of: "Other").isEmpty)
    }

    @Test("a lookup has the field Name, otherwise the first text outside of the key that is no Memo")
    func lookups() throws {
        let relations = try Self.relations()
        #expect(
            relations.lookups(of: "orders") == [
                NameLookup(field: "Client", master: "Clients", key: "Id", name: "name"),
                NameLookup(field: "Worker", master: "Workers", key: "Id", name: "LastName"),
            ]
        )
        #expect(relations.lookups(of: "Details").isEmpty)
        #expect(relations.lookups(of: "Workers").map(\.field) == ["Chief"])
    }

    @Test("the condition of details has the key of the row; without a key there are none")
    func conditions() throws {
        let orders = try Self.table(
            "Orders",
            [Self.key("Id", .integer), Self.key("Year", .integer), EditableField("Client", .integer)],
            [
                ["Id": .integer(7), "Year": .integer(2020), "Client": .integer(3)],
                ["Id": .integer(8), "Year": .integer(1)],
            ]
        )
        let rows = Self.rows(orders)
        let relations = try Self.relations()
        let reference = try #require(relations.details(of: "Orders").first)
        #expect(reference.detailCondition(of: rows[0])?.description == "Order == 7 AND OrderYear == 2020")
        #expect(KeyReference("A", ["X"], to: "Orders", ["Client"]).detailCondition(of: rows[1]) == nil)
        #expect(KeyReference("A", ["X"], to: "Orders", ["Other"]).detailCondition(of: rows[0]) == nil)
    }

    @Test("a float that is no number has no details, and other values have literals")
    func literals() throws {
        let fields = [EditableField("F", .float), EditableField("T", .wideString), EditableField("D", .dateTime)]
        let table = try Self.table("M", fields, [["F": .float(.nan), "T": .text("it's"), "D": .dateTime(days: 2)]])
        let row = try #require(Self.rows(table).first)
        #expect(KeyReference("A", ["X"], to: "M", ["F"]).detailCondition(of: row) == nil)
        #expect(KeyReference("A", ["X"], to: "M", ["T"]).detailCondition(of: row)?.description == "X == 'it''s'")
        #expect(KeyReference("A", ["X"], to: "M", ["D"]).detailCondition(of: row)?.description == "X == 1900-01-01")
    }

    @Test("details are counted with pending changes, across number types, and not by NULL")
    func counts() throws {
        let clients = try Self.table(
            "Clients",
            [Self.key("Id", .largeInt), EditableField("Ref", .integer)],
            [["Id": .integer(1), "Ref": .integer(1)], ["Id": .integer(2)], ["Id": .integer(3), "Ref": .integer(9)]]
        )
        var loaded = try DataTable(name: "Orders", columns: [DataColumn("Id", .integer), DataColumn("Client", .word)])
        for (id, client) in [(1, 1), (2, 1), (3, 2), (4, 1)] as [(Int64, Int64)] {
            try loaded.append([.integer(id), .integer(client)])
        }
        try loaded.append([.integer(5), .null])
        let fields = [Self.key("Id", .integer), EditableField("Client", .word)]
        var orders = try EditableTable(name: "Orders", fields: fields, rows: [loaded.rows])
        let ids = Array(orders.rowIDs)
        try orders.remove(ids[0])
        try orders.set(["Client": .integer(2)], of: ids[1])
        try orders.append(["Id": .integer(6), "Client": .integer(3)])
        let counts = try DetailCounts(
            KeyReference("Orders", ["Client"], to: "Clients", ["Id"]),
            master: clients,
            details: orders
        )
        #expect(Self.rows(clients).map { counts.count(of: $0) } == [1, 2, 1])
        let byRef = try DetailCounts(
            KeyReference("Orders", ["Client"], to: "Clients", ["Ref"]),
            master: clients,
            details: orders
        )
        #expect(Self.rows(clients).map { byRef.count(of: $0) } == [1, 0, 0])
        #expect(throws: TableViewError.self) {
            try DetailCounts(KeyReference("Orders", ["Other"], to: "Clients", ["Id"]), master: clients, details: orders)
        }
    }

    @Test("a table can have details of its own, such as workers with a chief")
    func selfReference() throws {
        let workers = try Self.table(
            "Workers",
            [Self.key("Id", .integer), EditableField("Chief", .integer)],
            [
                ["Id": .integer(1)], ["Id": .integer(2), "Chief": .integer(1)],
                ["Id": .integer(3), "Chief": .integer(1)],
            ]
        )
        let reference = KeyReference("Workers", ["Chief"], to: "Workers", ["Id"])
        let counts = try DetailCounts(reference, master: workers, details: workers)
        #expect(Self.rows(workers).map { counts.count(of: $0) } == [2, 0, 0])
    }

    @Test("names of keys are those of the rows of a loaded master, with pending ones")
    func names() throws {
        let clients = try Self.table(
            "clients",
            [EditableField("Id", .integer), EditableField("Name", .wideString)],
            [["Id": .integer(1), "Name": .text("Ada")], ["Id": .integer(2)], ["Name": .text("no key")]]
        )
        let orders = try Self.table("Orders", [Self.key("id", .integer), EditableField("CLIENT", .integer)], [])
        let names = try Self.relations().names(for: orders, masters: ["clients": clients])
        #expect(names == ["CLIENT": [NamedKey(.integer(1), "Ada"), NamedKey(.integer(2), "")]])
    }
}
