// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Writes Python classes for the rows of tables, for use with the package `relativity`.
enum PythonRows {
    /// A module with a dataclass for each table.
    static func code(for tables: [SchemaTable]) -> String {
        head + zip(tables, names(of: tables)).map { code(for: $0, named: $1) }.joined()
    }

    /// Returns the names of the classes.
    static func names(of tables: [SchemaTable]) -> [String] {
        var classes = CodeIdentifiers(otherwise: "Table", reserved: reserved)
        return tables.map { classes.add($0.name) }
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

    private static let reserved = CodeLanguage.python.reserved.union(["TABLE", "from_row", "cls", "row"])

    private static func code(for table: SchemaTable, named name: String) -> String {
        let fields = RowCode.fields(of: table, CodeIdentifiers(otherwise: "field", reserved: reserved))
        var lines = ["", "", "@dataclass", "class \(name):", "    TABLE: ClassVar[str] = \(literal(table.name))"]
        lines += fields.map { "    \($0.identifier): \($0.isOptional ? "\(type(of: $0)) | None" : type(of: $0))" }
        lines += ["", "    @classmethod", "    def from_row(cls, row: Mapping[str, Any]) -> Self:"]
        lines += ["        return cls("]
        lines += fields.map { "            row[\(literal($0.key))]," }
        lines += ["        )", ""]
        return lines.joined(separator: "\n")
    }

    private static func type(of field: RowCode.Field) -> String {
        switch field.kind {
        case .integer, .large, .largeUnsigned: "int"
        case .boolean: "bool"
        case .float: "float"
        case .decimal: "Decimal"
        case .dateTime: "datetime"
        case .guid: "UUID"
        case .bytes: "bytes"
        case .text: "str"
        case .unknown: "Any"
        }
    }

    private static func literal(_ text: String) -> String { CodeLanguage.python.literal(text) }
}
