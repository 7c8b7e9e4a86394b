// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Writes TypeScript interfaces for the rows of tables. They are made from objects, and need no library.
enum TypeScriptRows {
    /// A module with an interface for each table, and an object of the same name with its function `fromRow`.
    static func code(for tables: [SchemaTable]) -> String {
        var types = CodeIdentifiers(otherwise: "Table", reserved: reserved)
        return head + tables.map { code(for: $0, named: types.add($0.name)) }.joined()
    }

    private static let head = """
        // The rows of tables, from a row of `relctl table get --json`, or of the Data API by `rowOf`. Currency, Decimal
        // and DateTime are the text of the row, and a Blob is in base64. Read numbers as text: JSON.parse rounds them.

        export type Row = Readonly<Record<string, unknown>>

        export function rowOf(fields: readonly { name: string }[], values: readonly unknown[]): Row {
          return Object.fromEntries(fields.map((field, index) => [field.name, values[index]]))
        }

        function fail(key: string): never {
          throw new TypeError(`${JSON.stringify(key)} is missing or has another type`)
        }

        function readNumber(row: Row, key: string): number {
          const value = row[key]
          return typeof value === "number" ? value : fail(key)
        }

        function readBigInt(row: Row, key: string): bigint {
          const value = row[key]
          if (typeof value === "string" && /^-?[0-9]+$/.test(value)) return BigInt(value)
          return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : fail(key)
        }

        function readBoolean(row: Row, key: string): boolean {
          const value = row[key]
          return typeof value === "boolean" ? value : fail(key)
        }

        function readString(row: Row, key: string): string {
          const value = row[key]
          return typeof value === "string" ? value : fail(key)
        }

        function readDigits(row: Row, key: string): string {
          const value = row[key]
          return typeof value === "number" ? String(value) : readString(row, key)
        }

        function orNull<T>(read: (row: Row, key: string) => T, row: Row, key: string): T | null {
          return row[key] === null ? null : read(row, key)
        }

        """

    private static let reserved = CodeLanguage.typescript.reserved.union(
        """
        Row fail fromRow orNull readBigInt readBoolean readDigits readNumber readString row rowOf table
        """.split(separator: " ").map(String.init)
    )

    private static func code(for table: SchemaTable, named name: String) -> String {
        let fields = RowCode.fields(of: table, CodeIdentifiers(otherwise: "field", reserved: reserved))
        var lines = ["", "export interface \(name) {"]
        lines += fields.map { "  \($0.identifier): \(type(of: $0))\($0.isOptional ? " | null" : "")" }
        lines += ["}", "", "export const \(name) = {", "  table: \(literal(table.name)),"]
        lines += ["  fromRow(row: Row): \(name) {", "    return {"]
        lines += fields.map { "      \($0.identifier): \(reading($0))," }
        lines += ["    }", "  },", "}", ""]
        return lines.joined(separator: "\n")
    }

    private static func type(of field: RowCode.Field) -> String {
        switch field.kind {
        case .integer, .float: "number"
        case .large, .largeUnsigned: "bigint"
        case .boolean: "boolean"
        case .decimal, .dateTime, .guid, .bytes, .text: "string"
        case .unknown: "unknown"
        }
    }

    private static func reading(_ field: RowCode.Field) -> String {
        let reader =
            switch field.kind {
            case .integer, .float: "readNumber"
            case .large, .largeUnsigned: "readBigInt"
            case .boolean: "readBoolean"
            // A date beyond the range of the calendar is a number.
            case .decimal, .dateTime: "readDigits"
            case .guid, .bytes, .text: "readString"
            case .unknown: ""
            }
        guard field.kind != .unknown else { return "row[\(literal(field.key))]" }
        return field.isOptional
            ? "orNull(\(reader), row, \(literal(field.key)))" : "\(reader)(row, \(literal(field.key)))"
    }

    private static func literal(_ text: String) -> String { CodeLanguage.typescript.literal(text) }
}
