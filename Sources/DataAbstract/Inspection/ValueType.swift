// SPDX-License-Identifier: Apache-2.0

import Remoting

/// The names of types in a document, and in the option that gives types.
enum ValueType {
    /// The types that have no parts. A Variant has, but says itself which.
    static let plain: [String: RemotingType] = [
        "integer": .integer, "int64": .int64, "double": .double, "boolean": .boolean, "dateTime": .dateTime,
        "currency": .currency, "decimal": .decimal, "guid": .guid, "ansiString": .ansiString, "utf8String": .utf8String,
        "wideString": .wideString, "xml": .xml, "binary": .binary, "enum": .enumeration(),
    ]
    static let variant = "variant"
    static let structure = "struct"
    static let array = "array"
    /// Bytes of which nothing is known.
    static let bytes = "bytes"
    /// A message inside of another.
    static let message = "message"
    /// Tables or deltas in a Binary.
    static let stream = "stream"

    private static let depth = 8

    static func name(of type: RemotingType) -> String {
        switch type {
        case .integer: "integer"
        case .int64: "int64"
        case .double: "double"
        case .boolean: "boolean"
        case .dateTime: "dateTime"
        case .currency: "currency"
        case .decimal: "decimal"
        case .guid: "guid"
        case .ansiString: "ansiString"
        case .utf8String: "utf8String"
        case .wideString: "wideString"
        case .xml: "xml"
        case .binary: "binary"
        case .enumeration: "enum"
        case .variant: variant
        case .structure: structure
        case .array: array
        }
    }

    /// Reads `integer,array(struct),name:utf8String`; nil for anything else.
    static func parameters(_ text: String) -> [NamedType]? {
        var types: [NamedType] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = item.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, let last = parts.last, let type = type(last, depth: depth) else { return nil }
            types.append(NamedType(parts.count == 2 ? String(parts[0]) : "\(types.count + 1)", type))
        }
        return types
    }

    private static func type(_ text: Substring, depth: Int) -> RemotingType? {
        if text.hasPrefix("array("), text.hasSuffix(")"), depth > 0 {
            return type(text.dropFirst("array(".count).dropLast(), depth: depth - 1).map { .array(of: $0) }
        }
        switch text {
        case "variant": return .variant
        case "struct": return .structure("")
        default: return plain[String(text)]
        }
    }
}
