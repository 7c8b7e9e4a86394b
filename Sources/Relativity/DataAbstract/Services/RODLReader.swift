// SPDX-License-Identifier: Apache-2.0

import XML

/// Parses a RODL file in one pass.
final class RODLReader: XMLHandler {
    private static let maximumBytes = 4 << 20
    private static let maximumElements = 1 << 17
    private static let maximumDepth = 32

    private let xml = XMLReader()
    /// The names of the open elements, in lower case.
    private var open: [String] = []
    private var elements = 0
    private var found = RODLFile.Declarations()
    /// The key of the struct, enum or array that is open.
    private var current = ""

    /// - Throws: `RODLError`.
    func read(_ text: String) throws(RODLError) -> RODLFile.Declarations {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooMany("bytes", limit: Self.maximumBytes) }
        do {
            try xml.read(text, for: self)
        } catch {
            throw error as? RODLError ?? .outOfMemory
        }
        return found
    }

    func error(for fault: XMLFault) -> any Error {
        switch fault {
        case .outOfMemory: RODLError.outOfMemory
        case .documentType: RODLError.malformed(reason: "a document type, which is not allowed", line: xml.line)
        case .malformed(let reason): RODLError.malformed(reason: reason, line: xml.line)
        }
    }

    func append(_ text: UnsafeRawBufferPointer) {}

    func end() { open.removeLast() }

    func begin(_ name: String, _ attributes: XMLAttributes) throws {
        elements += 1
        guard elements <= Self.maximumElements else { throw RODLError.tooMany("elements", limit: Self.maximumElements) }
        guard open.count < Self.maximumDepth else { throw RODLError.tooMany("levels", limit: Self.maximumDepth) }
        let name = name.lowercased()
        guard !open.isEmpty || name == "library" else {
            throw RODLError.malformed(reason: "no RODL: the root is not Library", line: xml.line)
        }
        var values: [String: String] = [:]
        for (key, value) in attributes { values[key.lowercased()] = value }
        try declare(name, values)
        open.append(name)
    }

    private func declare(_ element: String, _ values: [String: String]) throws {
        switch element {
        case "service":
            found.services.append(.init(name: try required("Name", of: element, values), ancestor: values["ancestor"]))
        case "operation":
            guard let index = service else { return }
            found.services[index].operations.append(.init(name: try required("Name", of: element, values)))
        case "parameter":
            guard let index = service, let last = found.services[index].operations.indices.last else { return }
            found.services[index].operations[last].parameters.append(try parameter(values))
        case "struct":
            let name = try required("Name", of: element, values)
            current = name.lowercased()
            found.structs[current] = .init(name: name, ancestor: values["ancestor"])
        case "element":
            guard open.contains("struct") else { return }
            let name = try required("Name", of: element, values)
            found.structs[current]?.fields.append((name, try type(of: element, values)))
        case "enum":
            current = try required("Name", of: element, values).lowercased()
            found.enums[current] = []
        case "enumvalue":
            guard open.contains("enum") else { return }
            found.enums[current]?.append(try required("Name", of: element, values))
        case "array": current = try required("Name", of: element, values).lowercased()
        case "elementtype":
            guard open.contains("array") else { return }
            found.arrays[current] = try type(of: element, values)
        default: break
        }
    }

    /// The index of the open service; nil inside of an event sink.
    private var service: Int? { open.contains("service") ? found.services.indices.last : nil }

    private func parameter(_ values: [String: String]) throws -> RODLFile.Parameter {
        let flag = values["flag"] ?? "In"
        guard let known = RODLFile.Parameter.Flag(rawValue: flag.lowercased()) else {
            throw RODLError.malformed(reason: "'\(flag)' is no flag of a parameter", line: xml.line)
        }
        return .init(
            name: try required("Name", of: "parameter", values),
            type: try type(of: "parameter", values),
            flag: known
        )
    }

    private func type(of element: String, _ values: [String: String]) throws -> RODLFile.TypeName {
        .init(text: try required("DataType", of: element, values), line: xml.line)
    }

    private func required(_ key: String, of element: String, _ values: [String: String]) throws -> String {
        guard let value = values[key.lowercased()], !value.isEmpty else {
            throw RODLError.malformed(reason: "an element '\(element)' without \(key)", line: xml.line)
        }
        return value
    }
}
