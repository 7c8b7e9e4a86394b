// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite

/// Reads the rows of a table into a stream.
struct TableReader {
    let schema: ServedSchema
    let kind: ServerKind
    let collation: ServerCollation

    /// Appends the rows that a request selects, as a table. Rows go from SQLite into the stream one by one.
    ///
    /// - Parameter name: the name of a table; of any table in the reply if the request has DA SQL.
    /// - Throws: `QueryError`, `SQLiteError`, `TableError`, `WhereError`.
    func read(
        _ name: String,
        _ request: TableRequest,
        from database: borrowing SQLiteDatabase,
        into stream: inout TableStreamWriter
    ) throws {
        if case .sql(let statement) = request.query {
            return try read(name, statement, request, from: database, into: &stream)
        }
        let table = try schema.existingTable(name)
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
        try copy(text, fields, table.name, from: database, into: &stream)
    }

    /// Appends the rows of a DA SQL statement.
    private func read(
        _ name: String,
        _ statement: String,
        _ request: TableRequest,
        from database: borrowing SQLiteDatabase,
        into stream: inout TableStreamWriter
    ) throws {
        let compiler = try DASQLText(
            DASQLParser.parse(statement),
            schema: schema,
            parameters: request.parameters,
            collation: collation
        )
        let (text, columns) = try compiler.statement(most: request.maxRecords)
        try stream.begin(
            name,
            columns: columns.map(\.dataColumn),
            schema: request.includesSchema ? try TableSchema(fields: columns.map(\.entry)) : nil
        )
        try copy(text, columns, name, from: database, into: &stream)
    }

    /// Runs a statement, which may use the tables of the schema only, and appends its rows to the last table of the
    /// stream.
    ///
    /// - Parameter table: named in errors.
    private func copy(
        _ text: SQLText,
        _ columns: [ServedField],
        _ table: String,
        from database: borrowing SQLiteDatabase,
        into stream: inout TableStreamWriter
    ) throws {
        let access = SQLiteAccess(readable: (schema.tables ?? []).map(\.source))
        var statement = try database.prepare(text.text, allowing: access)
        try statement.bind(text.values)
        try RowCopy.run(&statement, columns, of: table, into: &stream)
    }

    private static func fields(_ names: [String], of table: ServedTable) throws(QueryError) -> [ServedField] {
        var fields: [ServedField] = []
        for name in names {
            let field = try table.existingField(name)
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }

    private func order(_ sort: (field: String, isDescending: Bool), _ table: ServedTable) throws(QueryError) -> SQLText
    {
        let field = try table.existingField(sort.field)
        var text = SQLText(" ORDER BY ")
        var column = FieldText.stored(field)
        FieldText.collate(&column, field, collation)
        text.append(column)
        if sort.isDescending { text.append(" DESC") }
        return text
    }
}
