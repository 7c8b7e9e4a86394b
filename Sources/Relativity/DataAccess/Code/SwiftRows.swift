// SPDX-License-Identifier: Apache-2.0

import DataAbstract

/// Writes Swift structures for the rows of tables. They are made from a `JSONObject` of the module JSON, which the
/// library products LocalAPI and DataAbstract contain.
enum SwiftRows {
    /// A file with a structure for each table.
    static func code(for tables: [SchemaTable]) -> String {
        head + zip(tables, names(of: tables)).map { code(for: $0, named: $1) }.joined() + helpers
    }

    /// Returns the names of the structures.
    static func names(of tables: [SchemaTable]) -> [String] {
        var types = CodeIdentifiers(otherwise: "Table", reserved: reserved.union(ofProgram))
        return tables.map { types.add($0.name) }
    }

    /// The types and modules that the program of `ClientCode` uses.
    private static let ofProgram = Set(
        """
        Array CommandLine DaemonClient Data DataAPI FileHandle Foundation JSONLimits LocalAPI Pipe Process Program \
        SocketPath URL UTF8 Varlink Void exit fail print rows zip
        """.split(separator: " ").map(String.init)
    )

    private static let head = """
        import JSON

        // The rows of tables, from a row of `relctl table get --json` or of the Data API. Currency, Decimal and DateTime
        // are the text of the row, and a Blob is in base64. Read numbers as text: they keep all their digits.

        """

    private static let helpers = """

        extension JSONObject {
            /// Reads the text of a value, or the number of its digits.
            fileprivate func digits<Value: LosslessStringConvertible>(_ key: String) throws(JSONShapeError) -> Value {
                let text: String
                switch self[key] {
                case .string(let value): text = value
                case .integer(let value): text = "\\(value)"
                case .number(let value): text = "\\(value)"
                default: throw JSONShapeError(path: key, expected: .number)
                }
                guard let value = Value(text) else { throw JSONShapeError(path: key, expected: .number) }
                return value
            }

            fileprivate func digitsIfPresent<Value: LosslessStringConvertible>(
                _ key: String
            ) throws(JSONShapeError) -> Value? {
                guard let value = self[key], !value.isNull else { return nil }
                return try digits(key)
            }
        }

        """

    private static let reserved = CodeLanguage.swift.reserved.union(["digits", "digitsIfPresent", "row", "table"])

    private static func code(for table: SchemaTable, named name: String) -> String {
        let fields = RowCode.fields(of: table, CodeIdentifiers(otherwise: "field", reserved: reserved))
        var lines = ["", "struct \(name): Hashable, Sendable {"]
        lines += ["    static let table = \(literal(table.name))", ""]
        lines += fields.map { "    var \($0.identifier): \(type(of: $0))\($0.isOptional ? "?" : "")" }
        lines += ["", "    init(row: JSONObject) throws(JSONShapeError) {"]
        lines += fields.map { "        self.\($0.identifier) = \(reading($0))" }
        lines += ["    }", "}", ""]
        return lines.joined(separator: "\n")
    }

    private static func type(of field: RowCode.Field) -> String {
        switch field.kind {
        case .integer, .large: "Int64"
        case .largeUnsigned: "UInt64"
        case .boolean: "Bool"
        case .float: "Double"
        case .decimal, .dateTime, .guid, .bytes, .text: "String"
        case .unknown: "JSONValue"
        }
    }

    private static func reading(_ field: RowCode.Field) -> String {
        let suffix = field.isOptional ? "IfPresent" : ""
        return switch field.kind {
        case .integer, .boolean, .float, .guid, .bytes, .text: "try row.read\(suffix)(\(literal(field.key)))"
        // A date beyond the range of the calendar is a number.
        case .large, .largeUnsigned, .decimal, .dateTime: "try row.digits\(suffix)(\(literal(field.key)))"
        case .unknown: "row[\(literal(field.key))] ?? .null"
        }
    }

    private static func literal(_ text: String) -> String { CodeLanguage.swift.literal(text) }
}
