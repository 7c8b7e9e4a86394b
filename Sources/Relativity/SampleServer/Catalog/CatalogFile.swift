// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Documents

/// Reads a catalog from TOML (docs/wire.md, "The sample server").
package enum CatalogFile {
    /// Parses a text.
    ///
    /// - Parameter folder: the directory of the file; relative paths of databases begin there.
    /// - Throws: `CatalogError`.
    package static func parse(_ text: String, folder: String) throws(CatalogError) -> ServedCatalog {
        let root: [String: TOMLValue]
        do {
            root = try TOMLDocument.parse(text)
        } catch {
            throw CatalogError(place: "line \(error.line), column \(error.column)", reason: error.reason)
        }
        let reader = CatalogTable(root, at: "")
        try reader.allow(["domain", "account", "open_service"])
        let catalog = ServedCatalog(
            domains: try reader.tables("domain").map { domain throws(CatalogError) in
                try Self.domain(domain, folder)
            },
            accounts: try reader.tables("account").map(Self.account),
            openService: try reader.table("open_service").map(Self.openService)
        )
        guard !catalog.domains.isEmpty else { throw CatalogError(place: "domain", reason: "is missing") }
        if let open = catalog.openService, catalog.schema(open.schema, of: open.domain) == nil {
            throw CatalogError(place: "open_service", reason: "names a schema that does not exist")
        }
        return catalog
    }

    private static func domain(_ table: CatalogTable, _ folder: String) throws(CatalogError) -> ServedDomain {
        try table.allow(["name", "schema"])
        let schemas = try table.tables("schema").map { schema throws(CatalogError) in try Self.schema(schema, folder) }
        guard !schemas.isEmpty else { throw table.error("schema", "is missing") }
        return ServedDomain(name: try table.text("name"), schemas: schemas)
    }

    private static func schema(_ table: CatalogTable, _ folder: String) throws(CatalogError) -> ServedSchema {
        try table.allow(["name", "database", "table", "relationship", "update_rule", "command"])
        let path = try table.text("database")
        let tables = try table.tables("table").map(Self.table)
        let schema = ServedSchema(
            name: try table.text("name"),
            source: .file(path.hasPrefix("/") ? path : folder + "/" + path),
            tables: tables.isEmpty ? nil : tables,
            relationships: try table.tables("relationship").map(Self.relationship),
            updateRules: try table.tables("update_rule").map(Self.updateRule),
            commands: try table.tables("command").map(Self.command)
        )
        for relationship in schema.relationships where !tables.isEmpty {
            for (name, fields) in [
                (relationship.master, relationship.masterFields), (relationship.detail, relationship.detailFields),
            ] {
                if let field = fields.first(where: { schema.table(name)?.field($0) == nil }) {
                    throw table.error("relationship", "names the field \(name).\(field), which does not exist")
                }
            }
        }
        for rule in schema.updateRules where !tables.isEmpty && schema.table(rule.table) == nil {
            throw table.error("update_rule", "names the table \(rule.table), which does not exist")
        }
        return schema
    }

    private static func table(_ table: CatalogTable) throws(CatalogError) -> ServedTable {
        try table.allow(["name", "source", "query", "read_only", "script", "field"])
        let fields = try table.tables("field").map(Self.field)
        guard !fields.isEmpty else { throw table.error("field", "is missing") }
        return ServedTable(
            try table.text("name"),
            source: try table.optionalText("source"),
            query: try table.optionalText("query"),
            isReadOnly: try table.flag("read_only"),
            script: try table.optionalText("script"),
            fields
        )
    }

    private static func field(_ table: CatalogTable) throws(CatalogError) -> ServedField {
        try table.allow(["name", "column", "type", "size", "key", "required", "read_only", "default", "dates"])
        let dates = try table.optionalText("dates") ?? "days"
        guard ["days", "text"].contains(dates) else { throw table.error("dates", "is neither 'days' nor 'text'") }
        return ServedField(
            try table.text("name"),
            try type(table),
            size: try table.number("size"),
            column: try table.optionalText("column"),
            isInPrimaryKey: try table.flag("key"),
            isRequired: try table.flag("required"),
            isReadOnly: try table.flag("read_only"),
            defaultValue: try table.optionalText("default") ?? "",
            dates: dates == "text" ? .text : .days
        )
    }

    /// Reads a type with or without `dat`.
    private static func type(_ table: CatalogTable) throws(CatalogError) -> DataType {
        let name = try table.text("type")
        guard let type = DataType(name: name) ?? DataType(name: "dat" + name), type != .unknown else {
            throw table.error("type", "is not a type")
        }
        return type
    }

    /// Reads `TABLE.FIELD`, or an array of them for a key of several fields.
    private static func relationship(_ table: CatalogTable) throws(CatalogError) -> KeyReference {
        try table.allow(["master", "detail"])
        let (master, detail) = (try side(table, "master"), try side(table, "detail"))
        guard master.fields.count == detail.fields.count else {
            throw table.error("detail", "does not have as many fields as the master")
        }
        return KeyReference(detail.table, detail.fields, to: master.table, master.fields)
    }

    private static func side(
        _ table: CatalogTable,
        _ key: String
    ) throws(CatalogError) -> (table: String, fields: [String]) {
        let names = try table.texts(key).map { $0.split(separator: ".").map(String.init) }
        guard names.allSatisfy({ $0.count == 2 && $0[0] == names[0][0] }) else {
            throw table.error(key, "is not TABLE.FIELD")
        }
        return (names[0][0], names.map { $0[1] })
    }

    private static func updateRule(_ table: CatalogTable) throws(CatalogError) -> SchemaUpdateRule {
        try table.allow(["table", "changes"])
        let kinds = try table.texts("changes").map { word throws(CatalogError) in
            guard let kind = DeltaChange.Kind.allCases.first(where: { "\($0)" == word }) else {
                throw table.error("changes", "has a word that is not one of insert, update, delete")
            }
            return kind
        }
        return SchemaUpdateRule(try table.text("table"), kinds)
    }

    private static func command(_ table: CatalogTable) throws(CatalogError) -> ServedCommand {
        try table.allow(["name", "parameter", "statement", "output"])
        let parameters = try table.tables("parameter").map { table throws(CatalogError) in
            try table.allow(["name", "type", "direction"])
            let word = try table.optionalText("direction") ?? "in"
            let directions: [SchemaParameter.Direction] = [.input, .output, .inputOutput]
            guard let direction = directions.first(where: { $0.word == word }) else {
                throw table.error("direction", "is not one of in, out, inout")
            }
            return SchemaParameter(try table.text("name"), try type(table), direction)
        }
        return ServedCommand(
            try table.text("name"),
            parameters,
            statement: try table.optionalText("statement"),
            output: try table.optionalText("output")
        )
    }

    private static func account(_ table: CatalogTable) throws(CatalogError) -> ServedAccount {
        try table.allow(["user", "password", "right"])
        let rights = try table.tables("right").map { table throws(CatalogError) in
            try table.allow(["domain", "schema", "read_only"])
            return ServedRight(
                domain: try table.optionalText("domain"),
                schema: try table.optionalText("schema"),
                mayWrite: !(try table.flag("read_only"))
            )
        }
        return ServedAccount(user: try table.text("user"), password: try table.text("password"), rights: rights)
    }

    private static func openService(_ table: CatalogTable) throws(CatalogError) -> OpenService {
        try table.allow(["name", "domain", "schema"])
        return OpenService(
            name: try table.text("name"),
            domain: try table.text("domain"),
            schema: try table.text("schema")
        )
    }
}

/// The reason why a catalog file is rejected.
package struct CatalogError: Error, Hashable, CustomStringConvertible {
    /// The key, such as `domain[0].schema[1].name`, or the line and column.
    package let place: String
    /// The rest of a sentence that begins with the place. It may quote the file.
    package let reason: String

    package var description: String { "\(place) \(reason)" }
}

/// A table of the file, with its place for errors.
private struct CatalogTable {
    private let members: [String: TOMLValue]
    private let place: String

    init(_ members: [String: TOMLValue], at place: String) {
        self.members = members
        self.place = place
    }

    func error(_ key: String, _ reason: String) -> CatalogError {
        CatalogError(place: place.isEmpty ? key : place + "." + key, reason: reason)
    }

    func allow(_ keys: Set<String>) throws(CatalogError) {
        guard let unknown = members.keys.sorted().first(where: { !keys.contains($0) }) else { return }
        throw error(unknown, "is not a key")
    }

    func optionalText(_ key: String) throws(CatalogError) -> String? {
        guard let value = members[key] else { return nil }
        guard let text = value.string else { throw error(key, "is not a text") }
        return text
    }

    /// Reads a text that is not empty.
    func text(_ key: String) throws(CatalogError) -> String {
        guard let text = try optionalText(key), !text.isEmpty else { throw error(key, "is missing") }
        return text
    }

    /// Reads an array of texts that is not empty, or one text.
    func texts(_ key: String) throws(CatalogError) -> [String] {
        if let text = members[key]?.string { return [text] }
        guard let elements = members[key]?.array, !elements.isEmpty else { throw error(key, "is missing") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw error(key, "is not an array of texts") }
            texts.append(text)
        }
        return texts
    }

    func flag(_ key: String) throws(CatalogError) -> Bool {
        guard let value = members[key] else { return false }
        guard let flag = value.boolean else { throw error(key, "is neither true nor false") }
        return flag
    }

    /// Reads a number from 0, which is the default.
    func number(_ key: String) throws(CatalogError) -> Int {
        guard let value = members[key] else { return 0 }
        guard let number = value.integer, number >= 0 else { throw error(key, "is not a number") }
        return number
    }

    func table(_ key: String) throws(CatalogError) -> CatalogTable? {
        guard let value = members[key] else { return nil }
        guard let table = value.table else { throw error(key, "is not a table") }
        return CatalogTable(table, at: error(key, "").place)
    }

    func tables(_ key: String) throws(CatalogError) -> [CatalogTable] {
        guard let value = members[key] else { return [] }
        guard let elements = value.array else { throw error(key, "is not an array of tables") }
        var tables: [CatalogTable] = []
        for (index, element) in elements.enumerated() {
            let place = "\(key)[\(index)]"
            guard let table = element.table else { throw error(place, "is not a table") }
            tables.append(CatalogTable(table, at: error(place, "").place))
        }
        return tables
    }
}
