// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite

/// Reads the rows of a table into a stream.
struct TableReader {
    let kind: ServerKind
    let collation: ServerCollation

    /// Appends the rows that a request selects. Rows go from SQLite into the stream one by one.
    ///
    /// - Throws: `QueryError`, `SQLiteError`, `TableError`, `WhereError`.
    func read(
        _ table: ServedTable,
        _ request: TableRequest,
        from database: borrowing SQLiteDatabase,
        into stream: inout TableStreamWriter
    ) throws {
        var fields = table.fields
        var text = SQLText("SELECT ")
        var includesSchema = request.includesSchema
        if case .dynamic(let select?, _, _) = request.query, !select.isEmpty {
            fields = try Self.fields(select, of: table)
            includesSchema = includesSchema || kind.selectionAddsSchema
        }
        text.append(fields.map { FieldText.column($0, of: nil) }, separator: ", ")
        text.append(" FROM ")
        text.append(name: table.source)
        if case .dynamic(_, let sort, let condition) = request.query {
            if let condition {
                let expression = try DynamicWhere.expression(parsing: condition)
                let compiler = WhereText(table: table, parameters: request.parameters, collation: collation)
                text.append(" WHERE ")
                text.append(try compiler.condition(expression))
            }
            if let sort { text.append(try order(sort, table)) }
        }
        if let maximum = request.maxRecords {
            text.append(" LIMIT ")
            text.append(value: .integer(Int64(maximum)))
        }
        try stream.begin(
            table.name,
            columns: fields.map(\.dataColumn),
            schema: includesSchema ? try TableSchema(fields: fields.map(\.entry)) : nil
        )
        try Self.copy(text, fields.map { ($0.name, $0.type, $0.dates) }, table.name, from: database, into: &stream)
    }

    /// Runs a statement and appends its rows to the last table of the stream.
    ///
    /// - Parameters:
    ///   - columns: name, type and form of dates of each column.
    ///   - table: named in errors.
    static func copy(
        _ text: SQLText,
        _ columns: [(name: String, type: DataType, dates: ServedField.DateStorage)],
        _ table: String,
        from database: borrowing SQLiteDatabase,
        into stream: inout TableStreamWriter
    ) throws {
        var statement = try database.prepare(text.text)
        try statement.bind(text.values)
        var values: [DataValue] = Array(repeating: .null, count: columns.count)
        while try statement.step() {
            for (index, column) in columns.enumerated() {
                guard let value = FieldCodec.value(try statement.value(index), as: column.type, dates: column.dates)
                else {
                    throw QueryError("a value of \(table).\(column.name) is not a value of \(column.type.name)")
                }
                values[index] = value
            }
            try stream.append(values)
        }
    }

    private static func fields(_ names: [String], of table: ServedTable) throws(QueryError) -> [ServedField] {
        var fields: [ServedField] = []
        for name in names {
            guard let field = table.field(name) else {
                throw QueryError("the table '\(table.name)' has no field '\(name)'")
            }
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }

    private func order(_ sort: (field: String, isDescending: Bool), _ table: ServedTable) throws(QueryError) -> SQLText
    {
        guard let field = table.field(sort.field) else {
            throw QueryError("the table '\(table.name)' has no field '\(sort.field)'")
        }
        var text = SQLText(" ORDER BY ")
        var column = FieldText.stored(field)
        FieldText.collate(&column, field, collation)
        text.append(column)
        if sort.isDescending { text.append(" DESC") }
        return text
    }
}
