// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// The statement that creates a table.
enum TableScript {
    /// - Parameters:
    ///   - relationships: the references that the database enforces.
    ///   - all: the tables that they name.
    static func create(
        _ table: ServedTable,
        _ relationships: [KeyReference] = [],
        _ all: [ServedTable] = []
    ) -> String {
        let keys = table.keys
        var parts = table.fields.map { field in
            let isOnlyKey = keys.count == 1 && field.isInPrimaryKey
            return SQLText.quoted(field.column) + " " + type(field.type) + (isOnlyKey ? " PRIMARY KEY" : "")
                + (field.isRequired && !isOnlyKey ? " NOT NULL" : "")
        }
        if keys.count > 1 {
            parts.append("PRIMARY KEY (" + keys.map { SQLText.quoted($0.column) }.joined(separator: ", ") + ")")
        }
        for reference in relationships where reference.detail.isSame(as: table.name) {
            guard let master = all.first(where: { $0.name == reference.master }) else { continue }
            parts.append(
                "FOREIGN KEY (" + names(reference.detailFields, table) + ") REFERENCES " + SQLText.quoted(master.source)
                    + " (" + names(reference.masterFields, master) + ")"
            )
        }
        return "CREATE TABLE IF NOT EXISTS " + SQLText.quoted(table.source) + " (" + parts.joined(separator: ", ") + ")"
    }

    private static func names(_ fields: [String], _ table: ServedTable) -> String {
        fields.map { SQLText.quoted(table.field($0)?.column ?? $0) }.joined(separator: ", ")
    }

    private static func type(_ type: DataType) -> String {
        switch type {
        case .float, .singleFloat, .dateTime: "REAL"
        case .blob, .cursor: "BLOB"
        case .currency, .boolean: "INTEGER"
        default: type.isWholeNumber ? "INTEGER" : "TEXT"
        }
    }
}
