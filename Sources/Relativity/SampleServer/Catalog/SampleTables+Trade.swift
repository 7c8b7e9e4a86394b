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
            ServedTable(
                "Products",
                [
                    .key("Id"), ServedField("Code", .guid, isRequired: true),
                    ServedField("Name", .wideString, size: 80, isRequired: true),
                    ServedField("Group", .integer, isRequired: true),
                    ServedField("Price", .currency, isRequired: true, defaultValue: "0"),
                    ServedField("Weight", .decimal), ServedField("InStock", .boolean, defaultValue: "True"),
                    ServedField("Picture", .blob), ServedField("Info", .wideMemo),
                ]
            ),
            rows: products,
            product
        ),
        SampleTable(
            ServedTable(
                "Providers",
                [
                    .key("Id"), ServedField("Name", .wideString, size: 80, isRequired: true),
                    ServedField("City", .wideString, size: 50), ServedField("Phone", .wideString, size: 30),
                ]
            ),
            rows: providers
        ) { row in
            [
                .integer(Int64(row)), .text("\(lastName(row + 500)) Supplies"), .text(city(row).0),
                .text(MadeUp.phone(row)),
            ]
        },
        SampleTable(
            ServedTable(
                "PriceList",
                [
                    .key("Id"), ServedField("Product", .integer, isRequired: true),
                    ServedField("Provider", .integer, isRequired: true),
                    ServedField("Price", .currency, isRequired: true), ServedField("Since", .dateTime),
                ]
            ),
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
            ServedTable(
                "Clients",
                [
                    .key("Id"), ServedField("Name", .wideString, size: 80, isRequired: true),
                    ServedField("City", .wideString, size: 50), ServedField("Country", .wideString, size: 50),
                    ServedField("Phone", .wideString, size: 30),
                    ServedField("Discount", .float, isRequired: true, defaultValue: "0"),
                    ServedField("Info", .wideMemo),
                ]
            ),
            rows: clients
        ) { row in
            [
                .integer(Int64(row)), .text(clientName(row)), .text(city(row).0), .text(city(row).1),
                row % 9 == 0 ? .null : .text(MadeUp.phone(row)), .float(Double(MadeUp.number(row, 12, below: 4)) * 2.5),
                row % 4 == 0 ? .text("Delivery to the back door.") : .null,
            ]
        },
        SampleTable(
            ServedTable(
                "Workers",
                [
                    .key("Id"), ServedField("FirstName", .wideString, size: 50, isRequired: true),
                    ServedField("LastName", .wideString, size: 50, isRequired: true),
                    ServedField("Position", .wideString, size: 50),
                ]
            ),
            rows: workerCount
        ) { row in
            [.integer(Int64(row)), .text(firstName(row)), .text(lastName(row)), .text(position(row))]
        },
        SampleTable(
            ServedTable(
                "Customers",
                [
                    ServedField("Id", .wideString, size: 5, isInPrimaryKey: true, isRequired: true),
                    ServedField("Name", .wideString, size: 80, isRequired: true),
                    ServedField("City", .wideString, size: 50),
                ]
            ),
            customers.map { [.text($0.0), .text($0.1), .text($0.2)] }
        ),
        SampleTable(
            ServedTable(
                "Orders",
                [
                    .key("Id"), ServedField("Number", .guid, isRequired: true),
                    ServedField("Date", .dateTime, isRequired: true),
                    ServedField("Status", .integer, isRequired: true, defaultValue: "1"),
                    ServedField("Type", .integer, isRequired: true, defaultValue: "2"),
                    ServedField("Client", .integer, isRequired: true), ServedField("Worker", .integer),
                    ServedField("Customer", .wideString, size: 5),
                    ServedField("Amount", .currency, isRequired: true, defaultValue: "0"),
                ]
            ),
            rows: orders,
            growth: 1,
            order
        ),
        SampleTable(
            ServedTable(
                "OrderDetails",
                [
                    .key("Id"), ServedField("Order", .integer, isRequired: true),
                    ServedField("Product", .integer, isRequired: true), ServedField("Provider", .integer),
                    ServedField("Quantity", .smallInt, isRequired: true, defaultValue: "1"),
                    ServedField("Price", .currency, isRequired: true),
                    ServedField("Total", .currency, isRequired: true),
                ]
            ),
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
        ServedRelationship(master: "ProductGroups", "Id", detail: "Products", "Group"),
        ServedRelationship(master: "Products", "Id", detail: "PriceList", "Product"),
        ServedRelationship(master: "Providers", "Id", detail: "PriceList", "Provider"),
        ServedRelationship(master: "OrderStatus", "Id", detail: "Orders", "Status"),
        ServedRelationship(master: "OrderType", "Id", detail: "Orders", "Type"),
        ServedRelationship(master: "Clients", "Id", detail: "Orders", "Client"),
        ServedRelationship(master: "Workers", "Id", detail: "Orders", "Worker"),
        ServedRelationship(master: "Customers", "Id", detail: "Orders", "Customer"),
        ServedRelationship(master: "Orders", "Id", detail: "OrderDetails", "Order"),
        ServedRelationship(master: "Products", "Id", detail: "OrderDetails", "Product"),
        ServedRelationship(master: "Providers", "Id", detail: "OrderDetails", "Provider"),
    ]

    static let trade2011: [SampleTable] = [
        SampleTable(
            ServedTable(
                "Clients",
                [
                    .key("ClientId"), ServedField("ClientName", .wideString, size: 80, isRequired: true),
                    ServedField("ContactPhone", .wideString, size: 30),
                ]
            ),
            rows: clients
        ) { row in
            [.integer(Int64(row)), .text(clientName(row)), row % 9 == 0 ? .null : .text(MadeUp.phone(row))]
        },
        SampleTable(
            ServedTable(
                "Orders",
                [
                    .key("OrderId"), ServedField("OrderDate", .dateTime, isRequired: true),
                    ServedField("OrderStatus", .integer, isRequired: true, defaultValue: "1"),
                    ServedField("Client", .integer, isRequired: true),
                ]
            ),
            rows: orders,
            growth: 1
        ) { row in
            let values = order(row)
            return [values[0], values[2], values[3], values[5]]
        },
        SampleTable(
            ServedTable(
                "OrderDetails",
                [
                    ServedField("Order", .integer, isInPrimaryKey: true, isRequired: true),
                    ServedField("Product", .integer, isInPrimaryKey: true, isRequired: true),
                    ServedField("Provider", .integer), ServedField("Total", .currency, isRequired: true),
                ]
            ),
            rows: 2 * orders,
            growth: 2
        ) { row in
            [
                .integer(Int64((row + 1) / 2)), .integer(Int64(productOfDetail(row))),
                .integer(Int64(1 + MadeUp.number(row, 14, below: providers))), .currency(scaled: total(row)),
            ]
        },
    ]

    static let trade2011Relationships = [
        ServedRelationship(master: "Clients", "ClientId", detail: "Orders", "Client"),
        ServedRelationship(master: "Orders", "OrderId", detail: "OrderDetails", "Order"),
    ]

    private static func names(_ table: String, _ names: [String]) -> SampleTable {
        SampleTable(
            ServedTable(table, [.key("Id"), ServedField("Name", .wideString, size: 50, isRequired: true)]),
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
