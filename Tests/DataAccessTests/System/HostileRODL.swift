// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import JSON
import TestSupport

/// Descriptions of services whose names try to leave an identifier, a literal or a comment.
enum HostileRODL {
    private static let pieces = [
        "x", "Id", "1", "_", "__", " ", "ä", "日", "\u{1F600}", "\u{2028}", "\u{85}", "\u{7F}", "\u{1B}[2J", "\n", "\r",
        "\t",
        "\"", "'", "\"\"\"", "'''", "`", "${1}", "\\", "\\\"", "\\u0022", "*/", "/*", "//", "#", ")", "(", "}", "{",
        "]",
        ";", ",", ":", "=", "@", "import os", "raise SystemExit(9)", "process.exit(9)", "</Library>", "&lt;",
        "__proto__",
        "constructor", "prototype", "class", "def", "self", "None", "True", "int", "str", "list", "type", "Enum", "Any",
        "mro",
        "name", "value", "services", "STRUCTS", "RODL", "_call", "__init__", "__class__", "Service", "Call", "Send",
        "Variant",
        "Server", "results", "result", "declared", "count", "index", "string", "never", "arguments", "eval", "__type",
        "Promise", "Integer", "$ref", "~1", "%2F", "/", "..",
    ]
    private static let plain = [
        "Integer", "Int64", "Double", "Boolean", "DateTime", "Currency", "Decimal", "Guid", "AnsiString", "Utf8String",
        "WideString", "Xml", "Binary", "Variant", "StringArray", "DataParameterArray", "UserInfo", "NullableInteger",
    ]

    /// A description in JSON.
    static func text(_ numbers: inout SeededRandom) -> String {
        func name() -> String {
            (0..<Int.random(in: 1...4, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }
                .joined()
        }
        func names(_ range: ClosedRange<Int>) -> [String] {
            (0..<Int.random(in: range, using: &numbers)).map { _ in name() }
        }
        let (structs, enums, arrays) = (names(0...4), names(0...3), names(0...2))
        func type() -> JSONValue {
            .string((plain + structs + enums + arrays + arrays).randomElement(using: &numbers) ?? "")
        }
        func objects(_ names: [String], _ members: (String) -> JSONObject) -> JSONValue {
            .array(
                names.map { name in
                    var object = members(name)
                    object["Name"] = .string(name)
                    return .object(object)
                }
            )
        }
        let services = names(1...3)
        let flags = ["In", "Out", "InOut", "Result"]
        let root: JSONObject = [
            "Version": "4.0",
            "Services": objects(services) { _ in
                let operations = objects(names(1...4)) { _ in
                    let parameters = objects(names(0...4)) { _ in
                        ["Flag": .string(flags.randomElement(using: &numbers) ?? ""), "DataType": type()]
                    }
                    return ["Parameters": parameters]
                }
                return ["Operations": operations, "Ancestor": .string(services.randomElement(using: &numbers) ?? "")]
            },
            "Structs": objects(structs) { _ in
                let fields = objects(names(0...4)) { _ in ["DataType": type()] }
                let ancestor = Bool.random(using: &numbers) ? structs.randomElement(using: &numbers) ?? "" : ""
                return ["Elements": fields, "Ancestor": .string(ancestor)]
            },
            "Enums": objects(enums) { _ in ["Values": objects(names(0...4)) { _ in [:] }] },
            "Arrays": objects(arrays) { _ in ["DataType": type()] },
        ]
        return root.text
    }
}
