// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI

/// A row as text for an editor: a line `FIELD = VALUE` for each field, with the value in JSON: a text in quotes, or null.
struct RowText {
    private static let limits = JSONLimits(depth: 1, bytes: 16 << 20, values: 1)

    /// A field of the row.
    private struct Field {
        let name: String
        /// The text of the value; nil for NULL.
        let value: String?
        /// Whether it may be changed in an editor.
        let isEditable: Bool
    }

    /// A line that cannot be read.
    struct InvalidLine: Error {
        /// The number of the line, from 1.
        let number: Int
    }

    private let fields: [Field]

    /// Reads the output of a job `row`.
    ///
    /// - Throws: `JSONSyntaxError`, `JSONShapeError`.
    init(parsing bytes: [UInt8]) throws {
        let object = try JSONValue(parsing: bytes, limits: JSONLimits(depth: 8, bytes: 64 << 20, values: 1 << 16))
        fields = try JSONObject(jsonValue: object).objects("fields").map { field in
            let isFixed = try field.bool("isReadOnly") || field.bool("isInKey") || field.string("type") == "Blob"
            return Field(
                name: try field.string("name"),
                value: field["value"]?.stringValue,
                isEditable: !isFixed
            )
        }
    }

    /// The text for the editor. Fields that cannot be changed are comments.
    var text: String {
        fields.map { field in
            let value = field.value.map { JSONValue.string($0) } ?? .null
            let text = String(decoding: value.serialized(), as: UTF8.self)
            return "\(field.isEditable ? "" : "# ")\(Self.word(field.name)) = \(text)\n"
        }
        .joined()
    }

    /// The values that the text changes, and those that the fields had. A field without a line is not changed.
    ///
    /// - Throws: `InvalidLine` for a line that is none of the form, has an unknown field or one twice.
    func changes(in text: String) throws(InvalidLine) -> (new: [JobValue], old: [JobValue]) {
        var (new, old): ([JobValue], [JobValue]) = ([], [])
        var seen: Set<String> = []
        // An editor may write the line ends of Windows, which are one Character.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (number, line) in zip(1..., lines) {
            let line = line.drop { $0 == " " || $0 == "\t" }
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            var found: (field: Field, rest: Substring)?
            for field in fields where field.isEditable && line.hasPrefix(Self.word(field.name)) {
                let rest = line.dropFirst(Self.word(field.name).count).drop { $0 == " " || $0 == "\t" }
                if rest.hasPrefix("=") { found = (field, rest.dropFirst()) }
            }
            guard let (field, rest) = found, seen.insert(field.name).inserted, let value = Self.value(rest) else {
                throw InvalidLine(number: number)
            }
            guard !Self.isSame(value, field.value) else { continue }
            new.append(JobValue(field.name, text: value))
            old.append(JobValue(field.name, text: field.value))
        }
        return (new, old)
    }

    private static func isSame(_ value: String?, _ other: String?) -> Bool {
        guard let value, let other else { return value == other }
        return value.hasSameBytes(as: other)
    }

    /// - Returns: nil if the text is no value; otherwise the text of the value, which is nil for NULL.
    private static func value(_ text: Substring) -> String?? {
        guard let value = try? JSONValue(parsing: Array(text.utf8), limits: limits) else { return nil }
        switch value {
        case .null: return .some(nil)
        case .string(let text): return text
        // Not the number, which may have fewer digits.
        case .integer, .number, .digits, .bool: return text.filter { !$0.isWhitespace }
        case .array, .object: return nil
        }
    }

    /// The name of a field; in quotes unless it is a plain word.
    private static func word(_ name: String) -> String {
        let isPlain = ASCII.isWord(name, marks: "_")
        return isPlain && !name.isEmpty ? name : String(decoding: JSONValue.string(name).serialized(), as: UTF8.self)
    }
}
