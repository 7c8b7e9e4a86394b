// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// An expression as the only field of a view.
struct OneExpression {
    private var table: CalculatedTable

    var type: DataType { table.extraColumns[0].type }
    var tables: Set<String> { table.tables }

    init(
        _ text: String,
        columns: [DataColumn],
        as type: DataType? = nil,
        of name: String = "",
        tables: [String: [DataColumn]] = [:],
        references: [KeyReference] = []
    ) throws {
        let field = CalculatedField("\u{0}", try Expression(parsing: text), as: type)
        do throws(TableViewError) {
            table = try CalculatedTable(
                TableView(name, calculated: [field], references: references),
                columns: columns,
                tables: tables
            )
        } catch {
            if case .expression(_, let error) = error { throw error }
            throw error
        }
    }

    mutating func load(_ tables: [String: SourceTable]) throws { try table.load(tables) }

    func value(_ row: [DataValue]) throws -> DataValue { try table.extraValues(row)[0] }
}
