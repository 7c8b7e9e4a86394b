// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import SQLite

/// The tables of an SQLite file that no catalog describes.
enum DatabaseTables {
    /// Returns the tables and views, ordered by name.
    ///
    /// - Throws: `SQLiteError`.
    static func read(_ database: borrowing SQLiteDatabase) throws -> [ServedTable] {
        try database.transaction(.deferred) { database in
            let tables = try database.rows(
                """
                SELECT name, type, wr FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
                ORDER BY name
                """
            ) { (name: try $0.text(0) ?? "", isView: try $0.text(1) == "view", hasRowID: try $0.integer(2) == 0) }
            return try tables.map { table in
                ServedTable(
                    table.name,
                    isReadOnly: table.isView,
                    try fields(of: table.name, hasRowID: table.hasRowID && !table.isView, database)
                )
            }
        }
    }

    /// Returns the references between the tables, as `REFERENCES` declares them.
    static func relationships(
        of tables: [ServedTable],
        _ database: borrowing SQLiteDatabase
    ) throws -> [KeyReference] {
        var result: [KeyReference] = []
        for detail in tables {
            let keys = try database.rows(
                #"SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq"#,
                [.text(detail.source)]
            ) {
                (id: try $0.integer(0), master: try $0.text(1) ?? "", from: try $0.text(2) ?? "", to: try $0.text(3))
            }
            for id in Set(keys.map(\.id)).sorted(by: { ($0 ?? 0) < ($1 ?? 0) }) {
                let parts = keys.filter { $0.id == id }
                guard let master = tables.first(where: { $0.source.isSame(as: parts[0].master) }) else { continue }
                // A reference that names no field is one to the primary key.
                let fields = parts[0].to == nil ? master.keys.map(\.column) : parts.compactMap(\.to)
                guard fields.count == parts.count else { continue }
                result.append(KeyReference(detail.name, parts.map(\.from), to: master.name, fields))
            }
        }
        return result
    }

    private static func fields(
        of table: String,
        hasRowID: Bool,
        _ database: borrowing SQLiteDatabase
    ) throws -> [ServedField] {
        let columns = try database.rows(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid",
            [.text(table)]
        ) { row in
            (
                name: try row.text(0) ?? "", type: try row.text(1)?.uppercased() ?? "",
                isRequired: try row.integer(2) != 0, isInKey: try row.integer(3) != 0
            )
        }
        let hasOneKey = columns.count { $0.isInKey } == 1
        return columns.map { column in
            let isRowID = hasRowID && hasOneKey && column.isInKey && column.type == "INTEGER"
            return ServedField(
                column.name,
                isRowID ? .largeAutoInc : dataType(column.type),
                size: size(column.type),
                isInPrimaryKey: column.isInKey,
                isRequired: column.isRequired || isRowID,
                dates: .text
            )
        }
    }

    /// Returns the type for a declaration. SQLite stores any value in any column, so the types are wide.
    static func dataType(_ declared: String) -> DataType {
        let word = declared.prefix { $0 != "(" && $0 != " " }
        return switch word {
        case "BOOL", "BOOLEAN": .boolean
        case "DATE", "DATETIME", "TIMESTAMP": .dateTime
        case "BLOB": .blob
        case "REAL", "DOUBLE", "FLOAT", "NUMERIC", "DECIMAL", "MONEY", "CURRENCY": .float
        case _ where word.contains("INT"): .largeInt
        default: .wideString
        }
    }

    /// Returns the length in a declaration such as `VARCHAR(50)`.
    private static func size(_ declared: String) -> Int {
        guard dataType(declared) == .wideString, let open = declared.firstIndex(of: "(") else { return 0 }
        let digits = declared[declared.index(after: open)...].prefix { $0.isASCII && $0.isNumber }
        return Int(digits) ?? 0
    }
}
