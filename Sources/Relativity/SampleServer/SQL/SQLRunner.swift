// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// Runs SQL texts of clients. A statement may use the tables of the schema and nothing else.
struct SQLRunner {
    /// The name of the table in a reply.
    static let resultName = "SQLResult"

    private let schema: ServedSchema
    private let collation: ServerCollation
    private let access: SQLiteAccess

    init(schema: ServedSchema, mayWrite: Bool, collation: ServerCollation) {
        self.schema = schema
        self.collation = collation
        access = schema.access(mayWrite: mayWrite)
    }

    /// Appends the rows of a query as one table.
    ///
    /// - Parameters:
    ///   - most: the maximum number of rows; nil for all.
    ///   - condition: a dynamic where on the columns of the result; empty for none.
    /// - Throws: `QueryError`, `SQLiteError`, `TableError`, `WhereError`.
    func query(
        _ sql: String,
        includesSchema: Bool,
        most: Int?,
        condition: String,
        from database: borrowing SQLiteDatabase,
        into stream: inout TableStreamWriter
    ) throws {
        var columns = try columns(of: sql, database)
        // A line break, because the text may end in a comment.
        var text = "SELECT * FROM (" + sql + "\n)"
        var values: [SQLiteValue] = []
        if !condition.trimmed.isEmpty {
            let compiled = try ExpressionText(
                sources: [(nil, ServedTable(Self.resultName, columns))],
                parameters: [:],
                collation: collation
            ).condition(DynamicWhere.expression(parsing: condition))
            text += " WHERE " + compiled.text
            values = compiled.values
        }
        if let most {
            text += " LIMIT ?"
            values.append(.integer(Int64(most)))
        }
        columns = try typed(columns, text, values, database)
        try stream.begin(
            Self.resultName,
            columns: columns.map(\.dataColumn),
            schema: includesSchema ? try TableSchema(fields: columns.map(\.entry)) : nil
        )
        var statement = try database.prepare(text, allowing: access)
        try statement.bind(values)
        try RowCopy.run(&statement, columns, of: Self.resultName, into: &stream)
    }

    /// Runs a statement that changes rows.
    ///
    /// - Returns: the number of changed rows, which is 0 for a query, and the names of the changed tables in the
    ///   database.
    func execute(
        _ sql: String,
        _ database: borrowing SQLiteDatabase
    ) throws -> (changed: Int, tables: Set<String>) {
        // VACUUM is not an action that an authorizer is asked about.
        let first = sql.trimmed.prefix { $0.isLetter }.uppercased()
        guard ["INSERT", "UPDATE", "DELETE", "REPLACE", "SELECT", "WITH"].contains(first) else {
            throw QueryError("only INSERT, UPDATE, DELETE, REPLACE, SELECT and WITH can be executed")
        }
        var statement = try database.prepare(sql, allowing: access)
        return (try statement.run(), try database.tablesChanged(by: sql))
    }

    /// Returns the columns of a query. A column of a table has the type of its field; any other is `unknown`.
    private func columns(of sql: String, _ database: borrowing SQLiteDatabase) throws -> [ServedField] {
        let statement = try database.prepare(sql, allowing: access)
        guard statement.isReadOnly, statement.columnCount > 0 else { throw QueryError("the statement is not a query") }
        var columns: [ServedField] = []
        for index in 0..<statement.columnCount {
            let name = statement.columnName(index) ?? "Column\(index + 1)"
            let origin = statement.origin(index)
            let table = schema.tables?.first { $0.source.isSame(as: origin?.table ?? "") }
            let field = table?.fields.first { $0.column.isSame(as: origin?.column ?? "") }
            let type = field.map { $0.isAutomatic ? .largeInt : $0.type } ?? .unknown
            columns.append(
                ServedField(name, type, size: field?.size ?? 0, isReadOnly: true, dates: field?.dates ?? .days)
            )
        }
        return columns
    }

    /// Returns the columns with a type that holds every value of the result.
    private func typed(
        _ columns: [ServedField],
        _ text: String,
        _ values: [SQLiteValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [ServedField] {
        guard columns.contains(where: { $0.type == .unknown }) else { return columns }
        var types = columns.map(\.type)
        let open = columns.indices.filter { columns[$0].type == .unknown }
        var statement = try database.prepare(text, allowing: access)
        try statement.bind(values)
        while try statement.step() {
            for index in open { types[index] = Self.widest(types[index], try statement.value(index)) }
        }
        return zip(columns, types).map { column, type in
            ServedField(
                column.name,
                type == .unknown ? .wideString : type,
                size: column.size,
                isReadOnly: true,
                dates: column.dates
            )
        }
    }

    private static func widest(_ type: DataType, _ value: SQLiteValue) -> DataType {
        let needed: DataType =
            switch value {
            case .null: type
            case .integer: type == .float ? .float : .largeInt
            case .real: .float
            case .text: .wideString
            case .blob: .blob
            }
        switch (type, needed) {
        case (.unknown, _), (.largeInt, .float): return needed
        case _ where type == needed: return type
        case (.blob, _), (_, .blob): return .blob
        default: return .wideString
        }
    }
}
