// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON

/// A JSON value as lines that people read: members one below the other, what is inside them indented.
struct OutlineText {
    private(set) var text = ""

    init(_ value: JSONValue) { add(value, indent: "") }

    private mutating func add(_ value: JSONValue, indent: String) {
        switch value {
        case .object(let object):
            for (key, value) in object { add(key, value, indent: indent) }
        case .array(let values):
            for value in values { add("-", value, indent: indent) }
        default:
            text += "\(indent)\(Self.line(value))\n"
        }
    }

    private mutating func add(_ key: String, _ value: JSONValue, indent: String) {
        switch value {
        case .object, .array:
            text += "\(indent)\(Printable(key))\n"
            add(value, indent: indent + "  ")
        case .null: break
        default: text += "\(indent)\(Printable(key)): \(Self.line(value))\n"
        }
    }

    private static func line(_ value: JSONValue) -> String {
        "\(Printable(again: value.stringValue ?? value.text))"
    }
}
