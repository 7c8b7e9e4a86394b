// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import XML

/// Writes schemas as XML.
///
/// The elements of a field are those that the vendor's client reads, and nothing separates the fields, because it
/// counts child nodes. The elements around them are our own choice, because no server's schema was available
/// (docs/wire.md, "Not confirmed by a live server").
enum SchemaText {
    private static let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

    /// The reply to GetSchema.
    ///
    /// - Parameter isComplete: whether it contains relationships, update rules and the statements of commands.
    static func schema(_ schema: ServedSchema, isComplete: Bool) -> String {
        var text = declaration + "<Schema>\n" + element("Name", schema.name) + "\n"
        text += "<DataTables>\n" + (schema.tables ?? []).map(table).joined() + "</DataTables>\n"
        text += "<Commands>\n" + schema.commands.map { command($0, isComplete: isComplete) }.joined() + "</Commands>\n"
        if isComplete {
            text += "<Relationships>\n" + schema.relationships.map(relationship).joined() + "</Relationships>\n"
            text += "<UpdateRules>\n" + schema.updateRules.map(updateRule).joined() + "</UpdateRules>\n"
        }
        return text + "</Schema>\n"
    }

    /// The reply to GetTableSchema.
    static func tables(_ tables: [ServedTable]) -> String {
        declaration + "<DataTables>\n" + tables.map(table).joined() + "</DataTables>\n"
    }

    /// The reply to GetCommandSchema.
    static func commands(_ commands: [ServedCommand]) -> String {
        declaration + "<Commands>\n" + commands.map { command($0, isComplete: false) }.joined() + "</Commands>\n"
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

    private static func table(_ table: ServedTable) -> String {
        "<SchemaDataTable>\n" + element("Name", table.name) + element("IsPublic", "True")
            + element("IsReadOnly", table.isReadOnly ? "True" : "False") + "\n<Fields>"
            + table.fields.map(field).joined() + "</Fields>\n</SchemaDataTable>\n"
    }

    private static func field(_ field: ServedField) -> String {
        let properties = field.entry.properties.map { element($0.name, $0.value ?? "") }
        return "<SchemaField>" + properties.joined() + element("Size", String(field.size)) + "</SchemaField>"
    }

    private static func command(_ command: ServedCommand, isComplete: Bool) -> String {
        let parameters = command.parameters.map { parameter in
            "<Parameter>" + element("Name", parameter.name) + element("DataType", parameter.type.name)
                + element("ParamType", word(parameter.direction)) + "</Parameter>"
        }
        return "<SchemaCommand>\n" + element("Name", command.name) + element("IsPublic", "True") + "\n<Parameters>"
            + parameters.joined() + "</Parameters>\n"
            + (isComplete ? element("Statement", command.statement ?? command.output ?? "") + "\n" : "")
            + "</SchemaCommand>\n"
    }

    private static func word(_ direction: ServedCommand.Direction) -> String {
        switch direction {
        case .in: "Input"
        case .out: "Output"
        case .inOut: "InputOutput"
        }
    }

    private static func relationship(_ relationship: ServedRelationship) -> String {
        "<SchemaRelationship>" + element("MasterDataTableName", relationship.master)
            + element("MasterFields", relationship.masterField)
            + element("DetailDataTableName", relationship.detail) + element("DetailFields", relationship.detailField)
            + "</SchemaRelationship>\n"
    }

    private static func updateRule(_ rule: ServedUpdateRule) -> String {
        "<SchemaUpdateRule>" + element("DataTableName", rule.table)
            + element("ChangeTypes", rule.kinds.map { "\($0)" }.joined(separator: ","))
            + "</SchemaUpdateRule>\n"
    }

    private static func element(_ name: String, _ text: String) -> String { "<\(name)>\(escaped(text))</\(name)>" }

    /// Replaces characters that XML cannot represent, and escapes those that it would treat as markup.
    static func escaped(_ text: String) -> String {
        let permitted = text.unicodeScalars.map { XMLText.isPermitted($0) ? $0 : "?" }
        return XMLText.escaped(String(String.UnicodeScalarView(permitted)))
    }
}
