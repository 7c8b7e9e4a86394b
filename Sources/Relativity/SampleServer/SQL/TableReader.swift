// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// Reads the rows of a table into a stream.
struct TableReader {
    let schema: ServedSchema
    let kind: ServerKind
    let collation: ServerCollation
    /// The values of macros, by name in lower case.
    let macros: [String: String]

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
        var includesSchema = request.includesSchema
        if case .dynamic(let select?, _, _) = request.query, !select.isEmpty {
            fields = try Self.fields(select, of: table)
            includesSchema = includesSchema || kind.selectionAddsSchema
        }
        let source: SQLText = table.query.map { "\(inParentheses: $0)" } ?? "\(name: table.source)"
        var text: SQLText = "SELECT \(fields.map { $0.column(of: nil) }) FROM \(source)"
        let expressions = ExpressionText(
            sources: [(nil, table)],
            parameters: request.parameters,
            collation: collation
        )
        var conditions: [SQLText] = []
        if !request.userFilter.trimmed.isEmpty {
            guard table.query == nil else { throw QueryError("the table '\(table.name)' takes no UserFilter") }
            conditions.append("\(inParentheses: request.userFilter)")
        }
        if case .dynamic(_, _, let condition?) = request.query {
            let expression = try DynamicWhere.expression(parsing: condition)
            conditions.append(try expressions.condition(expression, macros: macros))
        }
        if !conditions.isEmpty { text += " WHERE \(conditions, separator: " AND ")" }
        if case .dynamic(_, let sort?, _) = request.query {
            let field = DASQLExpression.field(source: nil, name: try table.existingField(sort.field).name)
            let term = expressions.collated(try expressions.term(field)).text
            text += " ORDER BY \(term)\(sort.isDescending ? " DESC" : "")"
        }
        if let maximum = request.maxRecords { text += " LIMIT \(.value(.integer(Int64(maximum))))" }
        try stream.begin(
            table.name,
            columns: fields.map(\.dataColumn),
            schema: includesSchema ? try TableSchema(fields: fields.map(\.entry)) : nil
        )
        var statement =
            try table.query == nil
            ? database.prepare(text.text, allowing: schema.access(mayWrite: false)) : database.prepare(text.text)
        let values = try Self.values(text, of: statement, request)
        try statement.bind(values)
        try RowCopy.run(&statement, fields, of: table.name, into: &stream)
    }

    /// Returns the values of a statement: those of the text, and the request's for the parameters with a name.
    private static func values(
        _ text: SQLText,
        of statement: borrowing SQLiteStatement,
        _ request: TableRequest
    ) throws(QueryError) -> [SQLiteValue] {
        var bound = text.values[...]
        var values: [SQLiteValue] = []
        for index in 0..<statement.parameterCount {
            guard let name = statement.parameterName(index)?.dropFirst() else {
                values.append(bound.popFirst() ?? .null)
                continue
            }
            guard let value = request.parameters[name.lowercased()] else {
                throw QueryError("the parameter '\(name)' has no value")
            }
            values.append(try ConstantText.value(value, for: nil))
        }
        return values
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
        var prepared = try database.prepare(text.text, allowing: schema.access(mayWrite: false))
        try prepared.bind(text.values)
        try RowCopy.run(&prepared, columns, of: name, into: &stream)
    }

    private static func fields(_ names: [String], of table: ServedTable) throws(QueryError) -> [ServedField] {
        var fields: [ServedField] = []
        for name in names {
            let field = try table.existingField(name)
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }
}
