// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

extension ServedCatalog {
    /// The tables, relationships, update rules and commands of a schema, such as one of the vendor's `.daSchema` files.
    /// Domain and schema have the name of the file without its last extension.
    ///
    /// Fields that clients calculate or look up are part of the schema, and the rows have no values for them. Joins and
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
            relationships: KeyReference.references(of: schema),
            updateRules: schema.updateRules,
            commands: schema.commands.map { command in
                let parameters = command.parameters.map { parameter in
                    let type = parameter.type == .unknown ? .wideString : parameter.type
                    return SchemaParameter(parameter.name, type, parameter.direction)
                }
                return ServedCommand(command.name, parameters, statement: command.statement)
            }
        )
        self.init(domains: [ServedDomain(name: name, schemas: [served])])
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
        self.init(
            table.name,
            isReadOnly: table.isReadOnly || table.kind != .table,
            table.fields.filter { !$0.name.isEmpty }.map(ServedField.init)
        )
        guard !fields.isEmpty, !name.isEmpty else { return nil }
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
        isLookup = field.isLookup
        isCalculated = field.isCalculated
    }
}
