// SPDX-License-Identifier: Apache-2.0

import Locks
import SQLite

/// The SQLite file of the sample server, created and filled on the first start. Calls block: do not call on the event
/// loop.
final class SampleDatabase: Sendable {
    private let database: Lock<SQLiteDatabase>

    /// - Throws: `SQLiteError` if the file cannot be opened, or is not a database.
    init(path: String) throws {
        let database = try SQLiteDatabase(.file(path), .create)
        try database.transaction { database in
            let found = try database.rows("SELECT 1 FROM pragma_table_list WHERE name = 'Deps'") { try $0.integer(0) }
            if found.isEmpty { try database.execute(Self.script) }
        }
        self.database = Lock(database)
    }

    /// Returns the tables, ordered by name.
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

/// Names and accounts of the sample server. The accounts are those in the documentation of the vendor's samples.
enum SampleCatalog {
    static let domain = "DASamples"
    static let schema = "Simple"
    static let accounts: [String: String] = ["simple": "simple", "Data": "Relativity"]
    static let serviceType = "_Relativity_DataService_rosdk._tcp"
    /// The only database connection that a MultiDb login can name.
    static let connection = "Sample"
    /// The methods of each login service, in lower case. The service with the name that clients use by default has
    /// all methods.
    static let loginMethods: [String: Set<String>] = {
        let base: Set = ["loginex", "logout"]
        let login = base.union(["login"])
        let all = login.union(["getconnectionnames", "getdefaultconnectionname"])
        return [
            "loginservice": all, "baseloginservice": base, "simpleloginservice": login, "multidbloginservice": login,
            "multidbloginservicev5": all,
        ]
    }()
}

/// A table of the schema.
struct TableDescription: Hashable, Sendable {
    struct Column: Hashable, Sendable {
        let name: String
        /// A Data Abstract type name such as `datInteger`.
        let dataType: String
        let isInPrimaryKey: Bool
        let isRequired: Bool
    }

    let name: String
    let columns: [Column]
}

/// Writes a schema as XML.
///
/// The elements of a field are those that the vendor's client reads. The elements around them are our own choice,
/// because no server's schema was available (docs/wire.md, "Not confirmed by a live server").
enum SchemaText {
    static func write(_ tables: [TableDescription], named name: String) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Schema>\n  <Name>\(escaped(name))</Name>\n  <Tables>\n"
        for table in tables {
            text += "    <Table>\n      <Name>\(escaped(table.name))</Name>\n      <Fields>\n"
            for column in table.columns { text += field(column) }
            text += "      </Fields>\n    </Table>\n"
        }
        return text + "  </Tables>\n</Schema>\n"
    }

    private static func field(_ column: TableDescription.Column) -> String {
        let properties = [
            ("Name", column.name), ("DataType", column.dataType), ("LogChanges", "True"),
            ("InPrimaryKey", column.isInPrimaryKey ? "True" : "False"),
            ("Required", column.isRequired ? "True" : "False"),
        ]
        let elements = properties.map { "          <\($0)>\(escaped($1))</\($0)>\n" }.joined()
        return "        <Field>\n\(elements)        </Field>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: String(character)
            }
        }.joined()
    }
}
