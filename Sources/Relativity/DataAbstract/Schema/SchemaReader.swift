// SPDX-License-Identifier: Apache-2.0

import Documents

/// Parses the XML of a schema in one pass. It keeps only the open elements, and the objects that were found.
final class SchemaReader: XMLHandler {
    /// An open element.
    private struct Element {
        /// In lower case.
        let name: String
        var text: [UInt8] = []
        /// The attributes and the elements that contain only text, by name in lower case. The first of a name counts.
        var properties: [String: String] = [:]
        var hasChildren = false
        var fields: [SchemaField]?
        var parameters: [SchemaParameter] = []

        /// The text in the first statement of a command.
        var statement: String?

        func property(_ name: String) -> String? { properties[name.lowercased()] }

        func isSet(_ name: String) -> Bool { ["true", "1"].contains(property(name)?.lowercased()) }
    }

    private let limits: SchemaLimits
    private let xml = XMLReader()
    private var elementsLeft: Int
    private var open: [Element] = []
    private var schema = DataSchema()

    init(limits: SchemaLimits) {
        self.limits = limits
        elementsLeft = limits.elements
    }

    func read(_ text: String) throws(SchemaError) -> DataSchema {
        guard text.utf8.count <= limits.bytes else { throw .tooMany("bytes", limit: limits.bytes) }
        do {
            try xml.read(text, for: self)
        } catch {
            throw error as? SchemaError ?? .outOfMemory
        }
        return schema
    }

    func error(for fault: XMLFault) -> any Error {
        switch fault {
        case .outOfMemory: SchemaError.outOfMemory
        case .documentType: SchemaError.malformed(reason: "a document type, which is not allowed", line: xml.line)
        case .malformed(let reason): SchemaError.malformed(reason: reason, line: xml.line)
        }
    }

    func begin(_ name: String, _ attributes: XMLAttributes) throws {
        guard open.count < limits.depth else { throw SchemaError.tooMany("levels", limit: limits.depth) }
        try countElement()
        if let last = open.indices.last { open[last].hasChildren = true }
        var element = Element(name: name.lowercased())
        for (name, value) in attributes {
            try countElement()
            element.properties[name.lowercased()] = value
        }
        open.append(element)
    }

    private func countElement() throws {
        guard elementsLeft > 0 else { throw SchemaError.tooMany("elements", limit: limits.elements) }
        elementsLeft -= 1
    }

    func append(_ text: UnsafeRawBufferPointer) throws {
        guard let last = open.indices.last, !open[last].hasChildren else { return }
        open[last].text += text
    }

    func end() throws {
        guard let element = open.popLast() else { return }
        guard let parent = open.indices.last else {
            if element.name == "fields" { schema.tables.append(table(element)) }
            if ["schema", "tdaschema"].contains(element.name) { schema.name = element.property("Name") }
            return
        }
        switch (open[parent].name, element.name) {
        case (_, "fields"): open[parent].fields = open[parent].fields ?? element.fields ?? []
        case (_, "parameters"), (_, "params"):
            if open[parent].parameters.isEmpty { open[parent].parameters = element.parameters }
        case (_, "statements"): open[parent].statement = open[parent].statement ?? element.statement
        case ("statements", _): open[parent].statement = open[parent].statement ?? element.property("SQL")
        case ("fields", _):
            if open[parent].fields == nil { open[parent].fields = [] }
            open[parent].fields?.append(SchemaField(element.property))
        case ("parameters", _), ("params", _): open[parent].parameters.append(SchemaParameter(element.property))
        case _ where element.fields != nil: schema.tables.append(table(element))
        case ("commands", _): schema.commands.append(command(element))
        case ("relationships", _): try addRelationship(element)
        case ("updaterules", _): addUpdateRule(element)
        default:
            guard !element.hasChildren, open[parent].properties[element.name] == nil else { return }
            // expat has checked that the text is UTF-8.
            open[parent].properties[element.name] = String(decoding: element.text, as: UTF8.self)
        }
    }

    private func table(_ element: Element) -> SchemaTable {
        let kind: SchemaTable.Kind =
            switch open.last?.name {
            case "joindatatables": .join
            case "uniondatatables": .union
            default: .table
            }
        return SchemaTable(
            name: element.property("Name") ?? "",
            kind: kind,
            fields: element.fields ?? [],
            parameters: element.parameters,
            isReadOnly: element.isSet("ReadOnly") || element.isSet("IsReadOnly")
        )
    }

    private func command(_ element: Element) -> SchemaCommand {
        let statement = element.statement ?? element.property("Statement") ?? ""
        return SchemaCommand(
            name: element.property("Name") ?? "",
            parameters: element.parameters,
            statement: statement.isEmpty ? nil : statement
        )
    }

    private func addUpdateRule(_ element: Element) {
        guard let table = element.property("DatasetName") else { return }
        let kinds = DeltaChange.Kind.allCases.filter { element.isSet("Do\($0)") }
        schema.updateRules.append(SchemaUpdateRule(table, kinds))
    }

    private func addRelationship(_ element: Element) throws {
        func fields(_ name: String) throws -> [String] {
            let parts = (element.property(name) ?? "").split(maxSplits: elementsLeft) { $0 == ";" || $0 == "," }
            return try parts.map { part in
                try countElement()
                let start = part.drop { $0.isWhitespace }
                return String(start.reversed().drop { $0.isWhitespace }.reversed())
            }
        }
        func table(_ side: String) -> String? {
            element.property(side + "DatasetName") ?? element.property(side + "DataTableName")
        }
        guard let master = table("Master"), let detail = table("Detail") else { return }
        schema.relationships.append(
            SchemaRelationship(
                master: master,
                masterFields: try fields("MasterFields"),
                detail: detail,
                detailFields: try fields("DetailFields")
            )
        )
    }
}
