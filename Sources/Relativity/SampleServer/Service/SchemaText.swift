// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Documents

/// Writes schemas as XML.
///
/// The reply to GetSchema has the form of the vendor's `.daSchema` files. The elements of a field are those that the
/// vendor's client reads, and nothing separates the fields, because it counts child nodes.
enum SchemaText {
    private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

    /// The reply to GetSchema.
    ///
    /// - Parameter isComplete: whether it contains relationships, update rules and the statements of commands.
    static func schema(_ schema: ServedSchema, isComplete: Bool) -> String {
        var text = declaration + "<TDASchema>\n" + element("Name", schema.name) + "\n"
        text += items("Commands", schema.commands) { command($0, isComplete: isComplete) }
        text += items("Datasets", schema.tables ?? []) { table($0) { "Item\($0)" } }
        text += "<JoinDataTables/>\n"
        if isComplete { text += items("RelationShips", schema.relationships, relationship) }
        text += "<UnionDataTables/>\n"
        if isComplete { text += items("UpdateRules", schema.updateRules, updateRule) }
        return text + "</TDASchema>\n"
    }

    /// Elements with the names that the vendor gives to the elements of a collection.
    private static func items<Item>(_ name: String, _ items: [Item], _ content: (Item) -> String) -> String {
        guard !items.isEmpty else { return "<\(name)/>\n" }
        let elements = items.enumerated().map { "<Item\($0)>\n\(content($1))</Item\($0)>\n" }
        return "<\(name)>\n" + elements.joined() + "</\(name)>\n"
    }

    /// The reply to GetTableSchema.
    static func tables(_ tables: [ServedTable]) -> String {
        let elements = tables.map { table in
            "<SchemaDataTable>\n" + Self.table(table) { _ in "SchemaField" } + "</SchemaDataTable>\n"
        }
        return declaration + "<DataTables>\n" + elements.joined() + "</DataTables>\n"
    }

    /// The reply to GetCommandSchema.
    static func commands(_ commands: [ServedCommand]) -> String {
        declaration + "<Commands>\n"
            + commands.map { "<SchemaCommand>\n" + command($0, isComplete: false) + "</SchemaCommand>\n" }.joined()
            + "</Commands>\n"
    }

    /// The reply to GetDatasetScripts.
    static func scripts(_ tables: [ServedTable]) -> String {
        let scripts = tables.map { table in
            // The end of a section cannot occur within it, so it is divided between two sections.
            let script = (table.script ?? "").split(separator: "]]>", omittingEmptySubsequences: false)
                .joined(separator: "]]]]><![CDATA[>")
            return "<\(table.name) Language=\"JavaScript\"><![CDATA[\(script)]]></\(table.name)>\n"
        }
        return declaration + "<Scripts>\n" + scripts.joined() + "</Scripts>\n"
    }

    /// - Parameter fieldName: the name of the element of a field, by its index.
    private static func table(_ table: ServedTable, _ fieldName: (Int) -> String) -> String {
        let fields = table.declaredFields.enumerated().map { index, field in
            let properties = field.entry.properties.map { element($0.name, $0.value ?? "") }
            let content =
                properties.joined() + element("Size", String(field.size))
                + (field.isLookup ? element("Lookup", "True") : "")
                + (field.isCalculated ? element("Calculated", "True") : "")
            return "<\(fieldName(index))>\(content)</\(fieldName(index))>"
        }
        return element("Name", table.name) + element("IsPublic", "True")
            + element("ReadOnly", table.isReadOnly ? "True" : "False")
            + "\n<Fields>" + fields.joined() + "</Fields>\n"
    }

    private static func command(_ command: ServedCommand, isComplete: Bool) -> String {
        let statement = element("SQL", command.statement ?? command.output ?? "")
        return element("Name", command.name) + element("IsPublic", "True") + "\n"
            + items("Params", command.parameters, parameter)
            + (isComplete ? "<Statements><Item0>\(statement)</Item0></Statements>\n" : "")
    }

    private static func parameter(_ parameter: SchemaParameter) -> String {
        let direction =
            switch parameter.direction {
            case .input, .unknown: "daptInput"
            case .output: "daptOutput"
            case .inputOutput: "daptInputOutput"
            case .result: "daptResult"
            }
        return element("Name", parameter.name) + element("DataType", parameter.type.name)
            + element("ParamType", direction)
    }

    private static func relationship(_ relationship: KeyReference) -> String {
        element("Name", "\(relationship.master)_\(relationship.detail)")
            + element("MasterDatasetName", relationship.master)
            + element("MasterFields", relationship.masterFields.joined(separator: ";"))
            + element("DetailDatasetName", relationship.detail)
            + element("DetailFields", relationship.detailFields.joined(separator: ";"))
    }

    private static func updateRule(_ rule: SchemaUpdateRule) -> String {
        let kinds: [(String, DeltaChange.Kind)] = [("DoUpdate", .update), ("DoInsert", .insert), ("DoDelete", .delete)]
        return element("DatasetName", rule.table)
            + kinds.map { element($0, rule.kinds.contains($1) ? "True" : "False") }.joined()
    }

    private static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

    /// Replaces characters that XML cannot represent, and escapes those that it would treat as markup.
    static func escaped(_ text: String) -> String {
        let permitted = text.unicodeScalars.map { XMLText.isPermitted($0) ? $0 : "?" }
        return XMLText.escaped(String(String.UnicodeScalarView(permitted)))
    }
}
