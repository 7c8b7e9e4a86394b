// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import JSON
package import NIOCore
import Platform

/// A request of a user to change rows of one table, before the types of its fields are known.
package struct TableEdit: Hashable, Sendable {
    /// The change.
    package enum Change: Hashable, Sendable {
        /// Adds a row with these values. Other fields have their defaults.
        case insert([FieldAssignment])
        /// Sets fields of rows.
        case update(EditedRows, [FieldAssignment])
        /// Removes rows.
        case delete(EditedRows)
    }

    /// The name of the table.
    package var table: String
    /// The change.
    package var change: Change
    /// Values that every row must have when it is read. Otherwise nothing is changed.
    package var expected: [FieldAssignment] = []

    /// Creates a request.
    package init(_ table: String, _ change: Change) {
        self.table = table
        self.change = change
    }
}

/// The rows of an edit.
package enum EditedRows: Hashable, Sendable {
    /// The row with this key as text: the value of the field of the key, `A=1`, or `A=1,B=2` for several fields.
    case key(String)
    /// The rows with these keys. Each one has a value for every field of the key, in any order.
    case keys([[FieldAssignment]])
    /// The rows that satisfy a condition with their pending changes, also new ones.
    case matching(Expression)
}

/// A value for a field.
package struct FieldAssignment: Hashable, Sendable {
    /// The name of the field.
    package var field: String
    /// The value.
    package var value: FieldText

    /// Creates an assignment.
    package init(_ field: String, _ value: FieldText) {
        self.field = field
        self.value = value
    }
}

/// A value before the type of its field is known.
package enum FieldText: Hashable, Sendable {
    case null
    /// Text in the form of the type (`DataValue.init(_:as:)`); for Blobs Base64.
    case text(String)
    /// The content of a file: the value of a Blob, otherwise text in UTF-8.
    case bytes(ByteBuffer)
}

/// The reason why an edit was not done. Names of tables and fields are untrusted text. Nothing was changed.
package enum TableEditError: Error, Hashable, Sendable {
    /// The text or the list of values is not a key of the table. `fields` are those of the key.
    case notAKey(table: String, text: String?, fields: [String])
    /// The server has no row with this key, or the set of changes removes it.
    case noRow(table: String, key: [DataValue])
    /// The value does not have the type of the field. The text is untrusted; nil for the content of a file.
    case invalidValue(table: String, field: String, type: DataType, text: String?)
    /// The field has more than one value.
    case repeatedField(table: String, field: String)
    /// A new row has a negative value in a field whose values the server makes. Such values are temporary keys, which
    /// the server replaces.
    case temporaryKey(table: String, field: String)
    /// The condition selects more rows than the limit of the editor.
    case tooManyRows(table: String, found: Int, limit: Int)
    /// The rows that the condition selects have more bytes than the limit of the editor.
    case tooManyBytes(table: String, limit: Int)
    /// A row does not have the values that the edit expects.
    case notExpected(table: String, key: [DataValue], [UnexpectedValue])
    /// The rules of the table do not allow the edit.
    case refused(table: String, EditError)
}

/// A field whose value is not the one that an edit expects.
package struct UnexpectedValue: Hashable, Sendable {
    /// The name of the field.
    package let field: String
    /// The value that the edit expects.
    package let expected: DataValue
    /// The value that the server has.
    package let found: DataValue
}

extension FieldText {
    /// The text of a value in JSON; nil for arrays and objects, and for a number with more than 15 digits, of which a
    /// double may have lost some.
    package init?(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .text("\(flag)")
        case .integer(let number): self = .text("\(number)")
        case .number(let number):
            let text = "\(number)"
            let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
            guard digits.reversed().drop(while: { $0 == "0" }).count <= 15 else { return nil }
            self = .text(text)
        case .digits(let text), .string(let text): self = .text(text)
        case .array, .object: return nil
        }
    }
}

extension EditableField {
    /// Converts a value of a request.
    ///
    /// - Parameter table: for errors.
    /// - Throws: `invalidValue`.
    package func value(of text: FieldText, table: String) throws(TableEditError) -> DataValue {
        guard let value = type.value(of: text) else { throw invalid(text, table: table) }
        return value
    }

    /// The error for a value that does not have the type of the field.
    func invalid(_ text: FieldText, table: String) -> TableEditError {
        let shown: String? = if case .text(let text) = text { text } else { nil }
        return .invalidValue(table: table, field: name, type: type, text: shown)
    }
}

extension DataType {
    /// Converts a value of a request; nil if it is not one of the type.
    func value(of text: FieldText) -> DataValue? {
        switch text {
        case .null: .null
        case .text(let text): DataValue(text, as: self) ?? otherForm(text)
        case .bytes(let bytes) where self == .blob: .bytes(bytes)
        case .bytes(let bytes):
            String(validating: bytes.readableBytesView, as: UTF8.self).flatMap { DataValue($0, as: self) }
        }
    }

    /// Parses forms that other programs write: a number with an exponent or with zeros at its end, an infinite number, a
    /// time with more zeros, Base64 with line breaks or without padding.
    private func otherForm(_ text: String) -> DataValue? {
        switch self {
        case _ where self == .currency || self == .decimal || isWholeNumber:
            ScientificNotation.withoutExponent(text).flatMap { DataValue($0, as: self) }
        case .float, .singleFloat: Self.specialNumbers[text.lowercased()].map { .float($0) }
        case .dateTime: TimeText.value(text).map { .dateTime(days: $0.days) }
        case .blob: DataValue(Self.padded(text), as: self)
        default: nil
        }
    }

    private static let specialNumbers: [String: Double] = [
        "inf": .infinity, "infinity": .infinity, "-inf": -.infinity, "-infinity": -.infinity, "nan": .nan,
    ]

    /// Returns Base64 in one line, with padding.
    private static func padded(_ text: String) -> String {
        let digits = text.utf8.filter { !" \t\r\n".utf8.contains($0) }
        let padding = String(repeating: "=", count: digits.count % 4 < 2 ? 0 : 4 - digits.count % 4)
        return String(decoding: digits, as: UTF8.self) + padding
    }

    /// What a text should have been that is no value of the type, for users: a sentence fragment after "expected".
    ///
    /// - Parameter text: nil for the content of a file.
    package func expected(insteadOf text: String?) -> String {
        let text = text ?? ""
        let number = text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }) ? Double(text) : nil
        return switch (self, number) {
        case (.float, _?), (.singleFloat, _?): "a number up to 1.7976931348623157e308"
        case (.currency, let number?):
            number.magnitude < 922_337_203_685_477
                ? "a number with at most four decimals"
                : "a number from -922337203685477.5808 to 922337203685477.5807"
        case (.decimal, _?): "a number with at most 28 digits"
        case (.float, nil), (.singleFloat, nil), (.currency, nil), (.decimal, nil): "a number such as -1.5"
        case (.dateTime, _) where ZonedTime(text) != nil:
            "a time without a time zone, such as 2020-01-31T12:00:00"
        case (_, let number) where isWholeNumber:
            number.map { $0 == $0.rounded() } == true ? expectedForm : "a whole number"
        default: expectedForm
        }
    }
}

/// A key as text.
enum KeyText {
    /// Divides a text into the values of the fields of a key. A comma divides only in front of the name of a field. The
    /// name of a single field may be left out.
    ///
    /// - Returns: nil if the text does not have each field once.
    static func assignments(_ text: String, fields: [String]) -> [FieldAssignment]? {
        guard fields.count != 1 else {
            let name = String(text.prefix { $0 != "=" })
            let isNamed = name.count < text.count && NameMatch.isSimilar(name, fields[0])
            return [FieldAssignment(fields[0], .text(isNamed ? String(text.dropFirst(name.count + 1)) : text))]
        }
        var found: [(field: String, text: String)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sign = part.firstIndex(of: "=")
            let name = sign.map { String(part[..<$0]) }
            let field = fields.first { field in
                name.map { NameMatch.isSimilar(field, $0) } == true && !found.contains { $0.field == field }
            }
            if let field, let sign {
                found.append((field, String(part[part.index(after: sign)...])))
            } else if found.isEmpty {
                return nil
            } else {
                found[found.count - 1].text += ",\(part)"
            }
        }
        return found.count == fields.count ? found.map { FieldAssignment($0.field, .text($0.text)) } : nil
    }
}
