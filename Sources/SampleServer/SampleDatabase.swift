// SPDX-License-Identifier: Apache-2.0

import SQLite
import Synchronization

/// The SQLite file behind the sample server, made and filled at the first start. Its calls block: keep them off the loop.
final class SampleDatabase: Sendable {
    private let database: Mutex<SQLiteDatabase>

    /// - Throws: `SQLiteError` if the file cannot be opened, or is no database.
    init(path: String) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        try database.transaction { database in
            let found = try database.rows("SELECT 1 FROM pragma_table_list WHERE name = 'Deps'") { try $0.integer(0) }
            if found.isEmpty { try database.execute(Self.script) }
        }
        self.database = Mutex(database)
    }

    /// The tables in order of their names.
    func tables() throws -> [TableDescription] {
        try database.withLock { database in
            try database.transaction(.deferred) { database in
                let tables = try database.rows(
                    """
                    SELECT name, wr FROM pragma_table_list
                    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name
                    """
                ) { (name: try $0.text(0) ?? "", hasRowID: try $0.integer(1) == 0) }
                return try tables.map { table in
                    TableDescription(
                        name: table.name,
                        columns: try Self.columns(of: table.name, table.hasRowID, database)
                    )
                }
            }
        }
    }

    private static func columns(
        of table: String,
        _ hasRowID: Bool,
        _ database: borrowing SQLiteDatabase
    ) throws -> [TableDescription.Column] {
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
            TableDescription.Column(
                name: column.name,
                dataType: Self.dataType(column.type, isRowID: hasRowID && hasOneKey && column.isInKey),
                isInPrimaryKey: column.isInKey,
                isRequired: column.isRequired
            )
        }
    }

    private static func dataType(_ declared: String, isRowID: Bool) -> String {
        switch declared {
        case "INTEGER" where isRowID: "datAutoInc"
        case "INTEGER": "datInteger"
        case "REAL": "datFloat"
        case "BLOB": "datBlob"
        default: "datWideString"
        }
    }

    private static let script = """
        CREATE TABLE Deps (DepId INTEGER PRIMARY KEY, DepName TEXT NOT NULL, DepPhone TEXT);
        CREATE TABLE Users (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Role TEXT, Type INTEGER);
        INSERT INTO Deps (DepName, DepPhone) VALUES ('Sales', '+1 555 0100'), ('Support', '+1 555 0101'),
            ('Development', '+1 555 0102'), ('Accounting', NULL);
        INSERT INTO Users (Name, Role, Type) VALUES ('Ada', 'Developer', 1), ('Grace', 'Developer', 1),
            ('Edgar', 'Analyst', 2), ('Zoë', 'Manager', 3), ('Bob', NULL, NULL);
        """
}
