// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

extension ServedCatalog {
    /// The tables, relationships, update rules and commands of a schema, such as one of the vendor's `.daSchema` files.
    /// Domain and schema have the name of the file without its last extension.
    ///
    /// Fields that clients calculate or look up are left out, and so are relationships of several fields. Joins and
    /// unions are read-only tables.
    ///
    /// - Parameters:
    ///   - path: the path of the schema's file.
    ///   - database: an SQLite file with the tables; nil for tables without rows in the data directory.
    package init(schema: DataSchema, path: String, database: String?) {
        let name = Self.stem(of: path)
        let served = ServedSchema(
            name: name,
            source: database.map { .file($0) } ?? .empty(name + ".sqlite"),
            tables: schema.tables.compactMap(ServedTable.init),
            relationships: schema.relationships.compactMap(ServedRelationship.init),
            updateRules: schema.updateRules.map { ServedUpdateRule($0.table, $0.kinds) },
            commands: schema.commands.map(ServedCommand.init)
        )
        self.init(
            domains: [ServedDomain(name: name, schemas: [served])],
            accounts: [ServedAccount(user: "Data", password: "Relativity", rights: [ServedRight()])]
        )
    }

    /// The name of a file without its last extension.
    static func stem(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        return stem.isEmpty ? file : stem
    }
}

extension ServedTable {
    fileprivate init?(_ table: SchemaTable) {
        let fields = table.fields.filter { !$0.isCalculated && !$0.isLookup && !$0.name.isEmpty }.map(ServedField.init)
        guard !fields.isEmpty, !table.name.isEmpty else { return nil }
        self.init(table.name, isReadOnly: table.isReadOnly || table.kind != .table, fields)
    }
}

extension ServedField {
    fileprivate init(_ field: SchemaField) {
        self.init(
            field.name,
            field.type == .unknown ? .wideString : field.type,
            size: max(0, field.size),
            isInPrimaryKey: field.isInPrimaryKey,
            isRequired: field.isRequired,
            isReadOnly: field.isReadOnly || field.isServerCalculated,
            defaultValue: field.defaultValue ?? ""
        )
    }
}

extension ServedRelationship {
    fileprivate init?(_ relationship: SchemaRelationship) {
        guard relationship.masterFields.count == 1, relationship.detailFields.count == 1 else { return nil }
        self.init(
            master: relationship.master,
            relationship.masterFields[0],
            detail: relationship.detail,
            relationship.detailFields[0]
        )
    }
}

extension ServedCommand {
    fileprivate init(_ command: SchemaCommand) {
        self.init(
            command.name,
            command.parameters.map { parameter in
                let direction: Direction =
                    switch parameter.direction {
                    case .input, .unknown: .in
                    case .inputOutput: .inOut
                    case .output, .result: .out
                    }
                return Parameter(parameter.name, parameter.type == .unknown ? .wideString : parameter.type, direction)
            },
            statement: command.statement
        )
    }
}
