// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import DataAbstract

@Suite struct AggregateTests {
    private static let orders: [DataColumn] = [
        DataColumn("Id", .autoInc), DataColumn("Client", .wideString), DataColumn("Factor", .currency),
    ]
    private static let details: [DataColumn] = [
        DataColumn("Order", .largeInt), DataColumn("Client", .string), DataColumn("Price", .currency),
        DataColumn("Amount", .integer), DataColumn("Size", .float), DataColumn("Exact", .decimal),
        DataColumn("Day", .dateTime), DataColumn("Name", .wideString), DataColumn("Photo", .blob),
    ]
    private static let scope = ExpressionScope(
        table: "Orders",
        columns: orders,
        tables: ["OrderDetails": details, "orders": orders],
        references: [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])]
    )

    private static func detail(
        _ order: Int64?,
        _ client: String,
        _ price: Int64?,
        _ amount: Int64?,
        _ size: Double = 1,
        _ exact: String = "1.5",
        _ day: Double = 43_831,
        _ name: String = "n"
    ) -> [DataValue] {
        [
            order.map { .integer($0) } ?? .null, .text(client), price.map { .currency(scaled: $0) } ?? .null,
            amount.map { .integer($0) } ?? .null, .float(size), DataDecimal(exact).map { .decimal($0) } ?? .null,
            .dateTime(days: day), .text(name), .null,
        ]
    }

    private static let rows: [[DataValue]] = [
        detail(1, "a", 10_000, 2), detail(1, "a", 25_000, 3, .nan, "2.25", 43_832, "é"), detail(1, "b", nil, 4, 3),
        detail(2, "b", 70_000, 1, 5, "-1", 43_000, "z"), detail(nil, "c", 10_000, 100), detail(4, "c", .max, 1),
        detail(4, "c", .max, 1),
    ]

    private static func expression(_ text: String) throws -> OneExpression {
        try OneExpression(
            text,
            columns: scope.columns,
            of: scope.table,
            tables: scope.tables,
            references: scope.references
        )
    }

    /// Computes an expression for an order, with half of the details in a stream and half as values.
    private static func value(_ text: String, _ order: [DataValue]) throws -> DataValue {
        var expression = try Self.expression(text)
        var stream = try DataTable(name: "OrderDetails", columns: details)
        for row in rows { try stream.append(row) }
        var table = SourceTable(details)
        table.append(stream.rows, indices: [0, 1, 2])
        try table.append(Array(rows.dropFirst(3)))
        var others = SourceTable(orders)
        try others.append([order, order])
        try expression.load(["OrderDetails": table, "orders": others])
        return try expression.value(order)
    }

    private static func order(_ id: Int64?, _ client: String = "a") -> [DataValue] {
        [id.map { .integer($0) } ?? .null, .text(client), .currency(scaled: 10_000)]
    }

    private static func decimal(_ text: String) -> DataValue { DataDecimal(text).map { .decimal($0) } ?? .null }

    @Test(
        "an aggregate is computed from the rows that match",
        arguments: [
            (
                "sum(OrderDetails.Price * OrderDetails.Amount where OrderDetails.Order = Id)", 1,
                .currency(scaled: 95_000)
            ),
            ("sum(OrderDetails.Price * OrderDetails.Amount)", 1, .currency(scaled: 95_000)),
            ("sum(orderdetails.price)", 2, .currency(scaled: 70_000)), ("sum(OrderDetails.Price)", 3, .null),
            ("coalesce(sum(OrderDetails.Price), 0)", 3, .currency(scaled: 0)), ("sum(OrderDetails.Price)", 4, .null),
            ("sum(OrderDetails.Price)", nil, .null), ("count(OrderDetails)", nil, .integer(0)),
            ("count(OrderDetails)", 1, .integer(3)), ("count(OrderDetails)", 3, .integer(0)),
            ("count(OrderDetails.Price)", 1, .integer(2)), ("count(OrderDetails.Photo)", 1, .integer(0)),
            ("sum(OrderDetails.Amount)", 1, .integer(9)), ("sum(OrderDetails.Size)", 1, .float(4)),
            ("sum(OrderDetails.Exact)", 1, decimal("5.25")), ("avg(OrderDetails.Amount)", 1, decimal("3")),
            ("avg(OrderDetails.Price)", 1, decimal("1.7500")), ("avg(OrderDetails.Size)", 1, .float(2)),
            ("avg(OrderDetails.Exact)", 1, decimal("1.75")), ("avg(OrderDetails.Price)", 3, .null),
            ("min(OrderDetails.Price)", 1, .currency(scaled: 10_000)), ("max(OrderDetails.Size)", 1, .float(3)),
            ("max(OrderDetails.Day)", 1, .dateTime(days: 43_832)), ("max(OrderDetails.Name)", 1, .text("é")),
            ("min(OrderDetails.Name)", 3, .null),
            ("count(OrderDetails where Id = OrderDetails.Order AND OrderDetails.Amount > 2)", 1, .integer(2)),
            ("count(OrderDetails where OrderDetails.Order = Id AND OrderDetails.Client = Client)", 1, .integer(2)),
            ("count(OrderDetails where upper(OrderDetails.Client) = upper(Client))", 9, .integer(2)),
            ("count(OrderDetails where OrderDetails.Order = Id + 1)", 1, .integer(1)),
            ("count(OrderDetails where OrderDetails.Amount = Factor + 1)", 1, .integer(1)),
            ("count(OrderDetails where OrderDetails.Price > 2)", 9, .integer(4)),
            ("count(OrderDetails where TRUE)", 9, .integer(7)),
            (
                "sum(OrderDetails.Amount where OrderDetails.Order = Id) / count(OrderDetails) + Factor", 1,
                decimal("4.0000")
            ),
            ("count(orders where orders.Id = Id)", 7, .integer(2)),
        ] as [(String, Int64?, DataValue)]
    )
    func value(text: String, id: Int64?, expected: DataValue) throws {
        #expect(try Self.value(text, Self.order(id)) == expected, "\(text)")
    }

    @Test("aggregates with the same keys share an index")
    func oneIndex() throws {
        let text =
            "sum(OrderDetails.Price) + count(OrderDetails where OrderDetails.Order = Id) + max(OrderDetails.Amount)"
        var compiler = ExpressionCompiler(Self.scope)
        _ = try compiler.compile(Expression(parsing: text), as: nil)
        #expect(compiler.plans.count == 1 && compiler.plans.first?.items.count == 3)
    }

    @Test(
        "an aggregate that would need a search for each row, or has no table, is refused at its column",
        arguments: [
            ("sum(OrderDetails.Price where OrderDetails.Price > Factor)", 49), ("sum(OrderDetails.Price * Factor)", 26),
            ("sum(OrderDetails.Price where OrderDetails.Order = Id OR TRUE)", 30), ("count(Nothing)", 1),
            ("sum(OrderDetails.Nothing)", 5), ("sum(OrderDetails.Name)", 5), ("max(OrderDetails.Photo)", 5),
            ("count(OrderDetails where OrderDetails.Size = Id)", 26),
            ("count(OrderDetails where OrderDetails.Name = Id)", 26),
            ("count(orders)", 1), ("count(OrderDetails where OrderDetails.Order = Id AND Factor > 1)", 61),
            ("1 + count(OrderDetails where OrderDetails.Amount)", 30),
        ]
    )
    func refused(text: String, column: Int) {
        let error = #expect(throws: ExpressionError.self) { try Self.value(text, Self.order(1)) }
        #expect(error?.column == column, "\(text): \(error?.description ?? "")")
    }

    @Test("a table with other columns is an error")
    func otherTables() throws {
        var expression = try Self.expression("count(OrderDetails)")
        let error = ExpressionError.unknownTable(UnknownName("OrderDetails", among: []), column: 1)
        #expect(throws: error) { try expression.load(["OrderDetails": SourceTable(Self.orders)]) }
        #expect(expression.tables == ["OrderDetails"])
    }

    @Test("keys of different types match by value; a Guid matches without case and braces")
    func keyTypes() throws {
        let columns = [DataColumn("g", .guid), DataColumn("u", .largeUInt), DataColumn("t", .wideString)]
        let guid = "0123456789ab-CDEF-0123456789ABCDEF01"
        var table = SourceTable(columns)
        try table.append([
            [.text(guid), .unsigned(.max), .text("{\(guid.lowercased())}")],
            [.text(guid.uppercased()), .unsigned(5), .text("X")],
        ])
        let tests: [(text: String, row: [DataValue], count: Int64)] = [
            ("count(T where T.g = g)", [.text(guid.lowercased()), .null, .null], 2),
            ("count(T where T.g = t)", [.null, .null, .text("{\(guid)}")], 2),
            ("count(T where T.t = g)", [.text(guid), .null, .null], 1),
            ("count(T where T.t = lower(t))", [.null, .null, .text("X")], 0),
            ("count(T where T.u = u)", [.null, .unsigned(.max), .null], 1),
            ("count(T where T.u = u - 18446744073709551610)", [.null, .unsigned(.max), .null], 1),
            ("count(T where T.t = g) + count(T where T.t = t)", [.text(guid), .null, .text("X")], 2),
        ]
        for (text, row, count) in tests {
            var expression = try OneExpression(text, columns: columns, tables: ["T": columns])
            try expression.load(["T": table])
            #expect(try expression.value(row) == .integer(count), "\(text)")
        }
    }

    @Test("random rows give the result of nested loops", arguments: 0..<30)
    func random(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let keys: [DataValue] = [
            .null, .integer(1), .integer(2), .currency(scaled: 10_000), .currency(scaled: 15_000), Self.decimal("1.50"),
            Self.decimal("2.0"), .boolean(true), .text("é"), .text("e\u{301}"), .text("E"), .dateTime(days: 43_831),
        ]
        let classes: [(DataType, Range<Int>)] = [
            (.integer, 0..<3), (.currency, 3..<5), (.decimal, 5..<7), (.wideString, 8..<11), (.dateTime, 11..<12),
        ]
        for _ in 0..<20 {
            func key(_ kind: (DataType, Range<Int>)) -> DataValue {
                Int.random(in: 0..<6, using: &numbers) == 0 ? .null : keys[Int.random(in: kind.1, using: &numbers)]
            }
            let left = classes.randomElement(using: &numbers) ?? classes[0]
            let isNumber = left.1.upperBound <= 7
            let right = isNumber ? classes[Int.random(in: 0..<3, using: &numbers)] : left
            let columns = [DataColumn("k", right.0), DataColumn("v", .integer)]
            var expression = try OneExpression(
                "sum(T.v where T.k = k and T.v > -5)",
                columns: [DataColumn("k", left.0)],
                tables: ["T": columns]
            )
            let rows = (0..<30).map { _ in [key(right), .integer(.random(in: -9...9, using: &numbers))] }
            var table = SourceTable(columns)
            try table.append(rows)
            try expression.load(["T": table])
            for _ in 0..<10 {
                let own = key(left)
                let matching = rows.filter { FieldComparison.isTrue(.equal, $0[0], own, []) == true }
                let values = matching.compactMap {
                    if case .integer(let number) = $0[1], number > -5 { number } else { nil }
                }
                let expected: DataValue = values.isEmpty ? .null : .integer(values.reduce(0, +))
                #expect(try expression.value([own]) == expected, "\(own) \(rows)")
            }
        }
    }
}
