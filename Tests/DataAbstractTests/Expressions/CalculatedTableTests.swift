// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import DataAbstract

@Suite struct CalculatedTableTests {
    private static let orders: [DataColumn] = [
        DataColumn("Id", .integer), DataColumn("State", .smallInt), DataColumn("Client", .integer),
        DataColumn("Site", .string), DataColumn("Discount", .currency),
    ]
    private static let clients: [DataColumn] = [
        DataColumn("Number", .largeInt), DataColumn("Branch", .wideString), DataColumn("Name", .wideString),
        DataColumn("Rate", .float), DataColumn("Huge", .largeUInt),
    ]
    private static let details: [DataColumn] = [
        DataColumn("Order", .integer), DataColumn("Price", .currency), DataColumn("Amount", .integer),
    ]
    private static let tables = ["Clients": clients, "OrderDetails": details]

    private static let states = LookupField(
        "StateName",
        ["State"],
        in: .list([
            LookupEntry(PredicateParserTests.number("0"), "Open"),
            LookupEntry(PredicateParserTests.number("1"), "Sent"),
            LookupEntry(PredicateParserTests.number("2"), "Gone"),
            LookupEntry(PredicateParserTests.number("3"), "Gone"),
        ]),
        missing: "Unknown state"
    )

    private static func calculated(_ name: String, _ text: String, as type: DataType? = nil) throws -> CalculatedField {
        CalculatedField(name, try Expression(parsing: text), as: type)
    }

    private static func view() throws -> TableView {
        TableView(
            "Orders",
            lookups: [
                states,
                LookupField(
                    "ClientName",
                    ["Client", "Site"],
                    in: .table("Clients", keys: ["Number", "Branch"], result: "Name")
                ),
                LookupField("Rate", ["Client"], in: .table("Clients", keys: ["Number"], result: "Rate")),
                LookupField("Huge", ["Client"], in: .table("Clients", keys: ["Number"], result: "Huge")),
                LookupField("Label", ["Twice"], in: .list([LookupEntry(PredicateParserTests.number("10"), "ten")])),
            ],
            calculated: [
                try calculated("Net", "Total - coalesce(Discount, 0)"),
                try calculated("Total", "coalesce(sum(OrderDetails.Price * OrderDetails.Amount), 0)", as: .currency),
                try calculated("Twice", "Id * 2"),
                try calculated("Title", "StateName + ' ' + text(Id)"),
            ],
            references: [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])]
        )
    }

    private static func loaded() throws -> CalculatedTable {
        var table = try CalculatedTable(view(), columns: orders, tables: tables)
        var clients = SourceTable(Self.clients)
        try clients.append([
            [.integer(7), .text("Bern"), .text("Ärzte"), .float(1.5), .unsigned(.max)],
            [.integer(7), .text("Basel"), .text("Müller"), .float(2), .null],
            [.integer(8), .text("Bern"), .text("Same"), .null, .null],
            [.integer(9), .text("Bern"), .text("Same"), .null, .null],
            [.integer(3_000_000_000), .text("Bern"), .text("Far"), .null, .null],
        ])
        var details = SourceTable(Self.details)
        try details.append([[.integer(5), .currency(scaled: 20_000), .integer(3)]])
        try table.load(["Clients": clients, "OrderDetails": details])
        return table
    }

    private static func order(
        _ id: Int64,
        _ state: Int64?,
        _ client: Int64?,
        _ site: String?,
        _ discount: Int64?
    ) -> [DataValue] {
        [
            .integer(id), state.map { .integer($0) } ?? .null, client.map { .integer($0) } ?? .null,
            site.map { .text($0) } ?? .null, discount.map { .currency(scaled: $0) } ?? .null,
        ]
    }

    @Test("extra fields are computed in order of dependency, for values and for rows")
    func values() throws {
        let table = try Self.loaded()
        #expect(
            table.extraColumns.map(\.name) == [
                "StateName", "ClientName", "Rate", "Huge", "Label", "Net", "Total", "Twice", "Title",
            ]
        )
        #expect(
            table.extraColumns.map(\.type) == [
                .wideString, .wideString, .float, .largeUInt, .wideString, .currency, .currency, .largeInt, .wideString,
            ]
        )
        #expect(table.tables == ["Clients", "OrderDetails"])
        let rows: [(row: [DataValue], extra: [DataValue])] = [
            (
                Self.order(5, 1, 7, "Basel", 10_000),
                [
                    .text("Sent"), .text("Müller"), .float(1.5), .unsigned(.max), .text("ten"),
                    .currency(scaled: 50_000),
                    .currency(scaled: 60_000), .integer(10), .text("Sent 5"),
                ]
            ),
            (
                Self.order(1, 9, 7, nil, nil),
                [
                    .text("Unknown state"), .null, .float(1.5), .unsigned(.max), .null, .currency(scaled: 0),
                    .currency(scaled: 0),
                    .integer(2), .text("Unknown state 1"),
                ]
            ),
            (
                Self.order(0, nil, nil, "Bern", nil),
                [
                    .text("Unknown state"), .null, .null, .null, .null, .currency(scaled: 0), .currency(scaled: 0),
                    .integer(0),
                    .text("Unknown state 0"),
                ]
            ),
        ]
        var stream = try DataTable(name: "Orders", columns: Self.orders)
        for (row, extra) in rows {
            #expect(try table.extraValues(row) == extra)
            try stream.append(row)
        }
        var found: [[DataValue]] = []
        try table.forEachRow(of: stream.rows, indices: [2, 0]) { found.append($0) }
        #expect(found == [rows[2].extra, rows[0].extra])
    }

    @Test("a table that was not read is empty, and one can be read again")
    func loading() throws {
        var table = try CalculatedTable(Self.view(), columns: Self.orders, tables: Self.tables)
        let row = Self.order(5, 1, 7, "Basel", nil)
        #expect(try table.extraValues(row)[6] == .currency(scaled: 0) && table.extraValues(row)[1].isNull)
        var details = SourceTable(Self.details)
        try details.append([[.integer(5), .currency(scaled: 20_000), .integer(3)]])
        try table.load(["OrderDetails": details])
        #expect(try table.extraValues(row)[6] == .currency(scaled: 60_000))
        try table.load(["OrderDetails": SourceTable(Self.details)])
        #expect(try table.extraValues(row)[6] == .currency(scaled: 0))
        #expect(throws: ExpressionError.self) { try table.load(["Clients": details]) }
    }

    private static func error(_ view: TableView) -> TableViewError? {
        #expect(throws: TableViewError.self) { try CalculatedTable(view, columns: orders, tables: tables) }
    }

    @Test("a name that exists is refused, in any case", arguments: ["Id", "ID", "", "twice"])
    func existingNames(name: String) throws {
        let field = try Self.calculated(name, "1")
        #expect(
            Self.error(TableView("Orders", calculated: [try Self.calculated("Twice", "2"), field]))
                == .existingField(name)
        )
    }

    @Test("fields that need each other are refused")
    func cycles() throws {
        let view = TableView(
            "Orders",
            calculated: [
                try Self.calculated("a", "b"), try Self.calculated("b", "C + 1"), try Self.calculated("c", "[B] * D"),
                try Self.calculated("d", "Id"),
            ]
        )
        #expect(Self.error(view) == .cycle(["b", "c"]))
        #expect(Self.error(TableView("Orders", calculated: [try Self.calculated("a", "-a")])) == .cycle(["a"]))
    }

    @Test("a field that does not fit the tables is refused by its name")
    func invalidFields() throws {
        func lookup(_ source: [String], _ content: LookupField.Content, missing: String? = nil) -> TableViewError? {
            Self.error(TableView("Orders", lookups: [LookupField("x", source, in: content, missing: missing)]))
        }
        let name = LookupField.Content.table("Clients", keys: ["Number"], result: "Name")
        #expect(lookup([], name) == .keyCount(field: "x") && lookup(["Id", "Client"], name) == .keyCount(field: "x"))
        #expect(
            lookup(["Nothing"], name)
                == .lookup(
                    field: "x",
                    .unknownField(UnknownName("Nothing", among: Self.orders.map(\.name)), table: nil, column: 1)
                )
        )
        #expect(
            lookup(["Id"], .table("None", keys: ["a"], result: "b"))
                == .lookup(field: "x", .unknownTable(UnknownName("None", among: Self.tables.keys.sorted()), column: 1))
        )
        let unknown = ExpressionError.unknownField(
            UnknownName("a", among: Self.clients.map(\.name)),
            table: "Clients",
            column: 1
        )
        #expect(lookup(["Id"], .table("Clients", keys: ["a"], result: "Name")) == .lookup(field: "x", unknown))
        #expect(lookup(["Id"], .table("Clients", keys: ["Number"], result: "a")) == .lookup(field: "x", unknown))
        for content in [
            LookupField.Content.table("Clients", keys: ["Name"], result: "Name"),
            .table("Clients", keys: ["Rate"], result: "Name"),
        ] {
            guard case .lookup("x", .mismatch) = lookup(["Id"], content) else {
                Issue.record("\(content)")
                continue
            }
        }
        let rate = lookup(["Id"], .table("Clients", keys: ["Number"], result: "Rate"), missing: "none")
        guard case .lookup("x", .mismatch) = rate else {
            Issue.record("\(String(describing: rate))")
            return
        }
        for key: PredicateValue in [.text("a"), PredicateParserTests.number("1.5"), .boolean(true)] {
            #expect(lookup(["Id"], .list([LookupEntry(key, "t")])) == .key(field: "x", key))
        }
        let wrong = TableView("Orders", calculated: [try Self.calculated("x", "Id + Site")])
        let error = Self.error(wrong)
        guard case .expression("x", .mismatch(_, column: 4)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a view names the fields of other tables that it reads")
    func matchedFields() throws {
        var view = TableView("Orders", references: [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])])
        view.lookups = [
            LookupField("Name", ["Client", "Site"], in: .table("Clients", keys: ["Number", "Branch"], result: "Name"))
        ]
        view.calculated = [
            try Self.calculated("Sum", "sum(OrderDetails.Price)"),
            try Self.calculated("Most", "max(ORDERDETAILS.Amount where ORDERDETAILS.Price > 1 and State = 1)"),
            try Self.calculated("All", "count(Workers where true)"),
        ]
        let expected: [String: Set<String>] = [
            "Clients": ["Number", "Branch", "Name"], "OrderDetails": ["Order", "Price", "Amount"], "Workers": [],
        ]
        #expect(view.matchedFields == expected)
    }
}
