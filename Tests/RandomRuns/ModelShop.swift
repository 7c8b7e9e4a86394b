// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Two tables of which one refers to the other, for tests of edits.
package enum ModelShop {
    /// A server with orders and their details.
    package static func server(isRelated: Bool = false) -> ModelServer {
        var orders = [
            EditableField("Id", .autoInc), EditableField("Client", .wideString), EditableField("Status", .integer),
        ]
        orders[0].isInPrimaryKey = true
        orders[1].isRequired = true
        var details = [
            EditableField("Order", .integer), EditableField("Product", .integer), EditableField("Amount", .integer),
        ]
        details[0].isInPrimaryKey = true
        details[1].isInPrimaryKey = true
        let orderRows = ["Ada", "Bob", "Cyd"].enumerated().map { index, client in
            [DataValue.integer(Int64(index + 1)), .text(client), .integer(1)]
        }
        let detailRows: [[DataValue]] = [(1, 1), (1, 2), (2, 1)].map { [.integer($0.0), .integer($0.1), .integer(10)] }
        return ModelServer(
            [.init("Orders", orders, orderRows), .init("OrderDetails", details, detailRows)],
            relationships: isRelated ? [reference(isRelated: true)] : []
        )
    }

    package static func reference(isRelated: Bool = false) -> KeyReference {
        KeyReference("OrderDetails", ["Order"], to: "Orders", ["Id"], isKnownToServer: isRelated)
    }

    /// The tables as a client reads them.
    ///
    /// - Parameter detailsFirst: whether they are in the opposite order, as those of a folder may be.
    package static func changes(
        of server: ModelServer,
        isRelated: Bool = false,
        detailsFirst: Bool = false
    ) throws -> ChangeSet {
        var tables = try server.tables.map { table in
            try EditableTable(name: table.name, fields: table.fields, rows: table.encodedRows())
        }
        if detailsFirst { tables.reverse() }
        return try ChangeSet(tables, references: [reference(isRelated: isRelated)])
    }
}
