// SPDX-License-Identifier: Apache-2.0

import Documents
import JSON

/// Parses a RODL in one pass: XML, or JSON if it begins with a brace.
final class RODLReader: XMLHandler {
    private static let maximumBytes = 4 << 20

    private let xml = XMLReader()
    private var builder = RODLBuilder()

    /// - Throws: `RODLError`.
    func read(_ text: String) throws(RODLError) -> RODLFile.Declarations {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooMany("bytes", limit: Self.maximumBytes) }
        if text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
            return try JSONForm.read(text, into: builder).found
        }
        do {
            try xml.read(text, for: self)
        } catch {
            throw error as? RODLError ?? .outOfMemory
        }
        return builder.found
    }

    func error(for fault: XMLFault) -> any Error {
        switch fault {
        case .outOfMemory: RODLError.outOfMemory
        case .documentType: RODLError.malformed(reason: "a document type, which is not allowed", line: xml.line)
        case .malformed(let reason): RODLError.malformed(reason: reason, line: xml.line)
        }
    }

    func append(_ text: UnsafeRawBufferPointer) {}

    func end() { builder.end() }

    func begin(_ name: String, _ attributes: XMLAttributes) throws {
        var values: [String: String] = [:]
        for (key, value) in attributes { values[key.lowercased()] = value }
        try builder.begin(name, values, line: xml.line)
    }
}

/// The JSON form, version 4. Its objects become the elements that the XML form has.
private struct JSONForm {
    private static let limits = JSONLimits(depth: 32, bytes: 4 << 20, values: 1 << 19)
    /// The names of the elements in an array, by the name of the array.
    private static let elements = [
        "Services": "service", "Operations": "operation", "Parameters": "parameter", "Structs": "struct",
        "Elements": "element", "Enums": "enum", "Values": "enumvalue", "Arrays": "array", "EventSinks": "eventsink",
        "Exceptions": "exception",
    ]

    private var builder: RODLBuilder

    static func read(_ text: String, into builder: RODLBuilder) throws(RODLError) -> RODLBuilder {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: Array(text.utf8), limits: limits)
        } catch {
            let line = 1 + text.utf8.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
            throw .malformed(reason: error.reason.rawValue, line: line)
        }
        guard let object = root.objectValue, object["Version"] != nil else {
            throw .malformed(reason: "no RODL: the object has no Version", line: 0)
        }
        var form = JSONForm(builder: builder)
        try form.add(object, as: "library")
        return form.builder
    }

    private mutating func add(_ object: JSONObject, as element: String) throws(RODLError) {
        var values: [String: String] = [:]
        for (key, value) in object { values[key.lowercased()] = value.stringValue }
        try builder.begin(element, values, line: 0)
        if element == "array" {
            try builder.begin("elementtype", values, line: 0)
            builder.end()
        }
        for (key, value) in object {
            guard let element = Self.elements[key], let children = value.arrayValue else { continue }
            for child in children {
                guard let child = child.objectValue else {
                    throw .malformed(reason: "an element of \(key) is no object", line: 0)
                }
                try add(child, as: element)
            }
        }
        builder.end()
    }
}
