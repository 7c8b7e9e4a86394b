// SPDX-License-Identifier: Apache-2.0

import JSON
import Remoting

/// Takes secrets out of a document that goes to somebody else.
///
/// The ClientID was replaced in the bytes before. What a value is decides over the rest: numbers that the catalog declares
/// stay, and so do texts that are names; data, GUIDs, and whatever the caller declared are hidden, because they may hold
/// anything. No text stays that looks like a secret.
struct Redaction {
    /// The parameters and fields of the catalog that hold names: of tables, columns, commands, connections and people.
    private static let names: Set<String> = [
        "aTableNameArray", "aTableName", "aCommandNameArray", "aCommandName", "DatasetNames", "aConnectionName",
        "aUserID",
        "UserID", "FieldName", "DynamicSelectFieldNames", "Name",
    ]
    /// Parts that every message of a kind begins with.
    private static let head = 2
    private static let texts: Set<String> = ["ansiString", "utf8String", "wideString", "xml"]
    private static let numbers: Set<String> = [
        "integer", "int64", "double", "boolean", "dateTime", "currency", "decimal", "enum",
    ]

    private let scan: SecretScan

    /// - Parameter isTyped: the caller gave the types of the parameters, so what they are is not known.
    static func apply(to document: JSONObject, isTyped: Bool) -> JSONObject {
        let redaction = Redaction(scan: SecretScan(passwords: passwords(in: document)))
        var document = redaction.message(document, isTyped: isTyped)
        document["redacted"] = true
        return document
    }

    /// What the message itself says is a password, wherever it stands.
    private static func passwords(in document: JSONObject) -> [String] {
        let parts = (document["parts"]?.arrayValue ?? []).compactMap(\.objectValue)
        let values = parts.map { $0["value"]?.stringValue }
        var found = values.flatMap { $0.map(SecretScan.passwords) ?? [] }
        // User, password, perhaps a connection.
        if values.count > head + 1, values[1]?.lowercased() == "login", let password = values[head + 1] {
            found.append(password)
        }
        return found
    }

    private func message(_ document: JSONObject, isTyped: Bool = false) -> JSONObject {
        var document = document
        document["clientID"] = MessageDocument.hidden
        document["parts"] = .array(
            (document["parts"]?.arrayValue ?? []).enumerated().map { index, part in
                self.part(part, isHead: index < Self.head, isTyped: isTyped)
            }
        )
        return document
    }

    /// - Parameter outer: the name of the array that the part is an element of.
    private func part(_ json: JSONValue, isHead: Bool = false, isTyped: Bool, outer: String? = nil) -> JSONValue {
        guard var part = json.objectValue else { return json }
        let type = part["type"]?.stringValue ?? ""
        let name = part["name"]?.stringValue ?? outer
        if let hex = part["hex"]?.stringValue {
            part["hex"] = nil
            part["bytes"] = .integer(Int64(hex.utf8.count / 2))
        }
        if type == ValueType.message { return .object(message(part)) }
        if type == ValueType.stream { return .object(StreamDocument.redacted(part)) }
        for key in ["fields", "elements"] {
            guard let inner = part[key]?.arrayValue else { continue }
            part[key] =
                type == ValueType.variant
                ? MessageDocument.hidden : .array(inner.map { self.part($0, isTyped: isTyped, outer: name) })
        }
        // The time is the number once more.
        if isTyped, !isHead { part["time"] = nil }
        guard let value = part["value"], !value.isNull else { return .object(part) }
        if Self.texts.contains(type) {
            let isName = isHead || (!isTyped && name.map(Self.names.contains) ?? false)
            part["value"] = text(value.stringValue ?? "", isName: isName)
        } else if (isTyped && !isHead) || !Self.numbers.contains(type) {
            part["value"] = MessageDocument.hidden
        }
        return .object(part)
    }

    private func text(_ text: String, isName: Bool) -> JSONValue {
        if let login = login(text) { return login }
        return isName && !scan.findsSecret(in: text) ? .string(text) : MessageDocument.hidden
    }

    /// Of a login string, the keys whose values are known to be no secret; nil for another text.
    private func login(_ text: String) -> JSONValue? {
        guard let fields = SecretScan.login(text) else { return nil }
        var kept: JSONObject = [:]
        for (key, value) in [("user", fields.user), ("domain", fields.domain), ("schema", fields.schema)] {
            if let value { kept[key] = scan.findsSecret(in: value) ? MessageDocument.hidden : .string(value) }
        }
        if fields.password != nil { kept["password"] = MessageDocument.hidden }
        for key in fields.further.keys.sorted() where SecretScan.isKey(key) && !scan.findsSecret(in: key) {
            kept[key] = MessageDocument.hidden
        }
        return .object(kept)
    }
}
