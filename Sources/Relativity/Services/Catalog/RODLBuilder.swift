// SPDX-License-Identifier: Apache-2.0

/// Collects the declarations of a RODL from its elements, in the order of the document.
struct RODLBuilder {
    private static let maximumElements = 1 << 17
    private static let maximumDepth = 32
    /// Characters of a name that an error contains.
    private static let shownName = 40

    private(set) var found = RODLFile.Declarations()
    /// The names of the open elements, in lower case.
    private var open: [String] = []
    private var elements = 0
    /// The key of the struct, enum or array that is open.
    private var current = ""

    /// Begins an element.
    ///
    /// - Parameters:
    ///   - values: the attributes, by name in lower case.
    ///   - line: the line of the document; 0 if it is not known.
    mutating func begin(_ element: String, _ values: [String: String], line: Int) throws(RODLError) {
        elements += 1
        guard elements <= Self.maximumElements else { throw .tooMany("elements", limit: Self.maximumElements) }
        guard open.count < Self.maximumDepth else { throw .tooMany("levels", limit: Self.maximumDepth) }
        let element = element.lowercased()
        guard !open.isEmpty || element == "library" else {
            throw .malformed(reason: "no RODL: the root is \(element.prefix(Self.shownName)), not Library", line: line)
        }
        try declare(Element(name: element, values: values, line: line))
        open.append(element)
    }

    /// Ends the innermost open element.
    mutating func end() {
        open.removeLast()
    }

    private mutating func declare(_ element: Element) throws(RODLError) {
        switch element.name {
        case "service":
            found.services.append(.init(name: try element.required("Name"), ancestor: element.ancestor))
        case "operation":
            guard let index = service else { return }
            found.services[index].operations.append(.init(name: try element.required("Name")))
        case "parameter":
            guard let index = service, let last = found.services[index].operations.indices.last else { return }
            found.services[index].operations[last].parameters.append(try parameter(element))
        case "struct":
            let name = try element.required("Name")
            current = name.lowercased()
            found.structs[current] = .init(name: name, ancestor: element.ancestor)
        case "element":
            guard open.contains("struct") else { return }
            found.structs[current]?.fields.append((try element.required("Name"), try element.type()))
        case "enum":
            let name = try element.required("Name")
            current = name.lowercased()
            found.enums[current] = .init(name: name)
        case "enumvalue":
            guard open.contains("enum") else { return }
            found.enums[current]?.values.append(try element.required("Name"))
        case "array": current = try element.required("Name").lowercased()
        case "elementtype":
            guard open.contains("array") else { return }
            found.arrays[current] = try element.type()
        default: break
        }
    }

    /// The index of the open service; nil inside of an event sink.
    private var service: Int? { open.contains("service") ? found.services.indices.last : nil }

    private func parameter(_ element: Element) throws(RODLError) -> RODLFile.Parameter {
        let flag = element.values["flag"] ?? "In"
        guard let known = RODLFile.Parameter.Flag(rawValue: flag.lowercased()) else {
            throw .malformed(reason: "'\(flag)' is no flag of a parameter", line: element.line)
        }
        return .init(name: try element.required("Name"), type: try element.type(), flag: known)
    }

    private struct Element {
        let name: String
        let values: [String: String]
        let line: Int

        var ancestor: String? { values["ancestor"].flatMap { $0.isEmpty ? nil : $0 } }

        func type() throws(RODLError) -> RODLFile.TypeName {
            .init(text: try required("DataType"), line: line)
        }

        func required(_ key: String) throws(RODLError) -> String {
            guard let value = values[key.lowercased()], !value.isEmpty else {
                throw .malformed(reason: "an element '\(name)' without \(key)", line: line)
            }
            guard !value.unicodeScalars.contains("\u{FFFD}") else {
                throw .malformed(
                    reason: "the \(key) of an element '\(name)' has a byte without a character",
                    line: line
                )
            }
            return value
        }
    }
}
