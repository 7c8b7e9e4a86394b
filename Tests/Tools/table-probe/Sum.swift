// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Measures a calculated field: the sum over the details of each order.
enum Sum {
    private static let orderColumns = [DataColumn("Id", .autoInc), DataColumn("Client", .wideString)]
    private static let detailColumns = [
        DataColumn("Order", .integer), DataColumn("Product", .integer), DataColumn("Amount", .integer),
        DataColumn("Price", .currency),
    ]

    /// Each order has ten details. Benchmarks/tables.py makes the same rows in SQL. Prints a line of JSON: p50 in
    /// nanoseconds, and the sum of all sums times 10,000.
    static func run(orders count: Int, rounds: Int) throws {
        var orders = try DataTable(name: "Orders", columns: orderColumns)
        for order in 0..<count { try orders.append([.integer(Int64(order)), .text("Client \(order)")]) }
        var details = try DataTable(name: "OrderDetails", columns: detailColumns)
        for detail in 0..<10 * count {
            try details.append([
                .integer(Int64(detail % count)), .integer(Int64(detail / count)), .integer(Int64(detail % 7 + 1)),
                .currency(scaled: Int64(detail % 1_000) * 2_500),
            ])
        }
        let view = TableView(
            "Orders",
            calculated: [
                CalculatedField(
                    "Total",
                    try Expression(
                        parsing: "sum(OrderDetails.Amount * OrderDetails.Price where OrderDetails.Order = Id)"
                    )
                )
            ],
            references: [KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"])]
        )
        var times: [Int] = []
        var total: Int64 = 0
        for _ in 0..<rounds {
            let start = Probe.nanoseconds()
            var table = try CalculatedTable(view, columns: orders.columns, tables: ["OrderDetails": details.columns])
            try table.load(["OrderDetails": SourceTable(details)])
            total = 0
            try table.forEachRow(of: orders.rows) { if case .currency(let scaled) = $0[0] { total += scaled } }
            times.append(Probe.nanoseconds() - start)
        }
        times.sort()
        print("{\"name\": \"calculated sum\", \"p50\": \(times[times.count / 2]), \"total\": \(total)}")
    }
}
