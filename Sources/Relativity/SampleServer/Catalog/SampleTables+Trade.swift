// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import NIOCore

/// A trading company, in the two shapes that the vendor's texts show. The rows are made up.
extension SampleTables {
    /// The number of orders of a new database; each has two details.
    private static let orders = 200
    private static let clients = 40
    private static let products = 24
    private static let providers = 8
    private static let workerCount = 12
    /// 2011-01-03 as days since 1899-12-30, the date of the first order.
    private static let firstDay = 40_546.0
    private static let groups = ["Computers", "Displays", "Keyboards", "Cables"]
    private static let kinds = ["Desk", "Office", "Studio", "Travel", "Server", "Mini"]
    /// The customer PARIS has no orders.
    private static let customers = [
        ("ALPEN", "Alpen Sport", "Zürich"), ("BIRKE", "Birke und Söhne", "Berlin"), ("FJORD", "Fjord Handel", "Oslo"),
        ("LILAS", "Les Lilas", "Paris"), ("PARIS", "Paris Étoffes", "Paris"), ("WISLA", "Wisła Trading", "Kraków"),
    ]

    static let trade: [SampleTable] = [
        names("OrderStatus", ["New", "Confirmed", "Shipped", "Paid", "Cancelled"]),
        names("OrderType", ["Purchase", "Sale", "Return"]),
        names("ProductGroups", groups),
        SampleTable(
            "Products",
            """
            Id AutoInc key, Code Guid required, Name WideString(80) required, Group Integer required,
            Price Currency required =0, Weight Decimal, InStock Boolean =True, Picture Blob, Info WideMemo
            """,
            rows: products,
            product
        ),
        SampleTable(
            "Providers",
            "Id AutoInc key, Name WideString(80) required, City WideString(50), Phone WideString(30)",
            rows: providers
        ) { row in
            [
                .integer(Int64(row)), .text("\(lastName(row + 500)) Supplies"), .text(city(row).0),
                .text(MadeUp.phone(row)),
            ]
        },
        SampleTable(
            "PriceList",
            """
            Id AutoInc key, Product Integer required, Provider Integer required, Price Currency required,
            Since DateTime
            """,
            rows: 2 * products
        ) { row in
            let product = (row + 1) / 2
            let price = price(of: product) * Int64(80 + MadeUp.number(row, 11, below: 15)) / 100
            return [
                .integer(Int64(row)), .integer(Int64(product)), .integer(Int64(1 + (row * 3) % providers)),
                .currency(scaled: price), .dateTime(days: firstDay + Double(row)),
            ]
        },
        SampleTable(
            "Clients",
            """
            Id AutoInc key, Name WideString(80) required, City WideString(50), Country WideString(50),
            Phone WideString(30), Discount Float required =0, Info WideMemo
            """,
            rows: clients
        ) { row in
            [
                .integer(Int64(row)), .text(clientName(row)), .text(city(row).0), .text(city(row).1),
                row % 9 == 0 ? .null : .text(MadeUp.phone(row)), .float(Double(MadeUp.number(row, 12, below: 4)) * 2.5),
                row % 4 == 0 ? .text("Delivery to the back door.") : .null,
            ]
        },
        SampleTable(
            "Workers",
            """
            Id AutoInc key, FirstName WideString(50) required, LastName WideString(50) required,
            Position WideString(50)
            """,
            rows: workerCount,
            worker
        ),
        SampleTable(
            "Customers",
            "Id WideString(5) key, Name WideString(80) required, City WideString(50)",
            customers.map { [.text($0.0), .text($0.1), .text($0.2)] }
        ),
        SampleTable(
            "Orders",
            """
            Id AutoInc key, Number Guid required, Date DateTime required, Status Integer required =1,
            Type Integer required =2, Client Integer required, Worker Integer, Customer WideString(5),
            Amount Currency required =0
            """,
            rows: orders,
            growth: 1,
            order
        ),
        SampleTable(
            "OrderDetails",
            """
            Id AutoInc key, Order Integer required, Product Integer required, Provider Integer,
            Quantity SmallInt required =1, Price Currency required, Total Currency required
            """,
            rows: 2 * orders,
            growth: 2
        ) { row in
            [
                .integer(Int64(row)), .integer(Int64((row + 1) / 2)), .integer(Int64(productOfDetail(row))),
                .integer(Int64(1 + MadeUp.number(row, 14, below: providers))), .integer(quantity(row)),
                .currency(scaled: price(of: productOfDetail(row))), .currency(scaled: total(row)),
            ]
        },
    ]

    static let tradeRelationships = [
        "Products.Group=ProductGroups.Id", "PriceList.Product=Products.Id", "PriceList.Provider=Providers.Id",
        "Orders.Status=OrderStatus.Id", "Orders.Type=OrderType.Id", "Orders.Client=Clients.Id",
        "Orders.Worker=Workers.Id", "Orders.Customer=Customers.Id", "OrderDetails.Order=Orders.Id",
        "OrderDetails.Product=Products.Id", "OrderDetails.Provider=Providers.Id",
    ].compactMap { KeyReference($0) }

    static let trade2011: [SampleTable] = [
        SampleTable(
            "Clients",
            "ClientId AutoInc key, ClientName WideString(80) required, ContactPhone WideString(30)",
            rows: clients
        ) { row in
            [.integer(Int64(row)), .text(clientName(row)), row % 9 == 0 ? .null : .text(MadeUp.phone(row))]
        },
        SampleTable(
            "Orders",
            """
            OrderId AutoInc key, OrderDate DateTime required, OrderStatus Integer required =1,
            Client Integer required
            """,
            rows: orders,
            growth: 1
        ) { row in
            let values = order(row)
            return [values[0], values[2], values[3], values[5]]
        },
        SampleTable(
            "OrderDetails",
            "Order Integer key, Product Integer key, Provider Integer, Total Currency required",
            rows: 2 * orders,
            growth: 2
        ) { row in
            [
                .integer(Int64((row + 1) / 2)), .integer(Int64(productOfDetail(row))),
                .integer(Int64(1 + MadeUp.number(row, 14, below: providers))), .currency(scaled: total(row)),
            ]
        },
    ]

    static let trade2011Relationships = ["Orders.Client=Clients.ClientId", "OrderDetails.Order=Orders.OrderId"]
        .compactMap { KeyReference($0) }

    private static func names(_ table: String, _ names: [String]) -> SampleTable {
        SampleTable(
            table,
            "Id AutoInc key, Name WideString(50) required",
            names.enumerated().map { [.integer(Int64($0 + 1)), .text($1)] }
        )
    }

    @Sendable private static func product(_ row: Int) -> [DataValue] {
        let group = (row - 1) % groups.count
        let weight = String(MadeUp.number(row, 15, below: 9_000) + 1_000)
        return [
            .integer(Int64(row)), .text(MadeUp.guid(row)),
            .text("\(kinds[(row - 1) / groups.count % kinds.count]) \(groups[group].dropLast())"),
            .integer(Int64(group + 1)), .currency(scaled: price(of: row)),
            DataDecimal("\(weight.dropLast(3)).\(weight.suffix(3))").map { .decimal($0) } ?? .null,
            .boolean(row % 7 != 0),
            row % 5 == 0
                ? .bytes(.init(bytes: (0..<16).map { UInt8(MadeUp.number(row, 60 + $0, below: 256)) })) : .null,
            row % 3 == 0 ? .text("Sold in pieces.\nTwo years of warranty.") : .null,
        ]
    }

    @Sendable private static func order(_ row: Int) -> [DataValue] {
        let date = firstDay + Double(row / 2) + Double(MadeUp.number(row, 16, below: 600) + 480) / 1_440
        // Every customer except the fifth, PARIS.
        let customer = [0, 1, 2, 3, 5][MadeUp.number(row, 17, below: 5)]
        return [
            .integer(Int64(row)), .text(MadeUp.guid(row + 1_000_000)), .dateTime(days: date),
            .integer(Int64(1 + MadeUp.number(row, 18, below: 5))),
            .integer(Int64(1 + MadeUp.number(row, 19, below: 3))),
            // The last client has no orders.
            .integer(Int64(1 + MadeUp.number(row, 20, below: clients - 1))),
            row % 11 == 0 ? .null : .integer(Int64(1 + MadeUp.number(row, 21, below: workerCount))),
            row % 6 == 0 ? .null : .text(customers[customer].0), .currency(scaled: total(2 * row - 1) + total(2 * row)),
        ]
    }

    /// The price times 10,000; a whole number of cents.
    private static func price(of product: Int) -> Int64 {
        Int64(999 + MadeUp.number(product, 22, below: 150_000)) * 100
    }

    /// The two details of an order have different products.
    private static func productOfDetail(_ row: Int) -> Int {
        let half = products / 2
        return 1 + MadeUp.number(row, 13, below: half) + (row % 2 == 0 ? half : 0)
    }

    private static func quantity(_ row: Int) -> Int64 { Int64(1 + MadeUp.number(row, 23, below: 9)) }

    private static func total(_ row: Int) -> Int64 { quantity(row) * price(of: productOfDetail(row)) }

    private static func clientName(_ row: Int) -> String { "\(lastName(row + 100)) & \(lastName(row + 300))" }

    private static func city(_ row: Int) -> (String, String) { MadeUp.choice(row, 24, MadeUp.cities) }
}
