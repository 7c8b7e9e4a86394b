// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// Writes Python classes for the rows of tables, for use with the package `relativity`.
///
/// The schema is untrusted. Its names appear only as ASCII identifiers, and in string literals whose quotes, backslashes
/// and characters outside printable ASCII are escaped.
package enum PythonRows {
    /// A module with a dataclass for each table. A field that may be NULL has the type `… | None`.
    package static func code(for tables: [SchemaTable]) -> String {
        var classes = PythonNames(otherwise: "Table")
        return head + tables.map { code(for: $0, named: classes.add($0.name)) }.joined()
    }

    private static let head = """
        from __future__ import annotations

        from collections.abc import Mapping
        from dataclasses import dataclass
        from datetime import datetime
        from decimal import Decimal
        from typing import Any, ClassVar, Self
        from uuid import UUID

        """

    private static func code(for table: SchemaTable, named name: String) -> String {
        var fields = PythonNames(otherwise: "field")
        var lines = ["", "", "@dataclass", "class \(name):", "    TABLE: ClassVar[str] = \(literal(table.name))"]
        for field in table.fields { lines.append("    \(fields.add(field.name)): \(type(of: field))") }
        lines += ["", "    @classmethod", "    def from_row(cls, row: Mapping[str, Any]) -> Self:"]
        lines += ["        return cls("]
        for field in table.fields { lines.append("            row[\(literal(field.name))],") }
        lines += ["        )", ""]
        return lines.joined(separator: "\n")
    }

    private static func type(of field: SchemaField) -> String {
        let type =
            switch field.type {
            case .autoInc, .integer, .largeInt, .largeAutoInc, .byte, .shortInt, .word, .smallInt, .cardinal,
                .largeUInt:
                "int"
            case .boolean: "bool"
            case .float, .singleFloat: "float"
            case .currency, .decimal: "Decimal"
            case .dateTime: "datetime"
            case .guid: "UUID"
            case .blob, .cursor: "bytes"
            case .string, .memo, .wideString, .wideMemo, .xml, .fixedChar, .fixedWideChar: "str"
            default: "Any"
            }
        return field.isRequired || field.isInPrimaryKey || type == "Any" ? type : "\(type) | None"
    }

    private static func literal(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": "\(scalar)"
            default:
                "\\U" + String(repeating: "0", count: 8 - String(scalar.value, radix: 16).count)
                    + String(scalar.value, radix: 16)
            }
        }
        return "\"\(characters.joined())\""
    }
}

/// Makes valid and unique identifiers from names.
private struct PythonNames {
    /// The keywords, and the names that the code uses itself.
    private static let reserved = Set(
        """
        False None True and as assert async await break class continue def del elif else except finally for from \
        global if import in is lambda nonlocal not or pass raise return try while with yield annotations Mapping \
        dataclass datetime Decimal Any ClassVar Self UUID int bool float bytes str classmethod TABLE from_row cls row
        """.split(separator: " ").map(String.init)
    )

    private let otherwise: String
    private var used = reserved
    /// The number that was last added to a name.
    private var numbers: [String: Int] = [:]

    /// - Parameter otherwise: the name instead of one without a letter or digit, and the start of one with a digit first.
    init(otherwise: String) {
        self.otherwise = otherwise
    }

    mutating func add(_ name: String) -> String {
        let characters = name.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": Character(scalar)
            default: "_"
            }
        }
        // A name with two underscores first would be changed inside a class.
        var base = String(characters.drop { $0 == "_" })
        if base.isEmpty { base = otherwise }
        if base.first?.isNumber == true { base = "\(otherwise)_\(base)" }
        var unique = base
        if Self.reserved.contains(unique) { unique += "_" }
        while !used.insert(unique).inserted {
            let number = numbers[base, default: 1] + 1
            numbers[base] = number
            unique = "\(base)_\(number)"
        }
        return unique
    }
}
