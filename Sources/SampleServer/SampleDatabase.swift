// SPDX-License-Identifier: Apache-2.0

import GRDB

/// The SQLite file behind the sample server, made and filled at the first start. Its calls block: keep them off the loop.
struct SampleDatabase: Sendable {
    private let queue: DatabaseQueue

    /// - Throws: a GRDB error if the file cannot be opened, or is no database.
    init(path: String) throws {
        queue = try DatabaseQueue(path: path)
        try queue.write { database in
            guard try !database.tableExists("Deps") else { return }
            try Self.create(database)
        }
    }

    /// The tables in order of their names.
    func tables() throws -> [TableDescription] {
        try queue.read { database in
            let names = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            )
            return try names.map { name in
                let key = try database.primaryKey(name)
                let columns = try database.columns(in: name).map { column in
                    TableDescription.Column(
                        name: column.name,
                        dataType: Self.dataType(column.type, isRowID: key.rowIDColumn == column.name),
                        isInPrimaryKey: key.columns.contains(column.name),
                        isRequired: column.isNotNull
                    )
                }
                return TableDescription(name: name, columns: columns)
            }
        }
    }

    private static func dataType(_ declared: String, isRowID: Bool) -> String {
        switch declared.uppercased() {
        case "INTEGER" where isRowID: "datAutoInc"
        case "INTEGER": "datInteger"
        case "REAL": "datFloat"
        case "BLOB": "datBlob"
        default: "datWideString"
        }
    }

    private static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE Deps (DepId INTEGER PRIMARY KEY, DepName TEXT NOT NULL, DepPhone TEXT);
                CREATE TABLE Users (Id INTEGER PRIMARY KEY, Name TEXT NOT NULL, Role TEXT, Type INTEGER);
                INSERT INTO Deps (DepName, DepPhone) VALUES ('Sales', '+1 555 0100'), ('Support', '+1 555 0101'),
                    ('Development', '+1 555 0102'), ('Accounting', NULL);
                INSERT INTO Users (Name, Role, Type) VALUES ('Ada', 'Developer', 1), ('Grace', 'Developer', 1),
                    ('Edgar', 'Analyst', 2), ('Zoë', 'Manager', 3), ('Bob', NULL, NULL);
                """
        )
    }
}
