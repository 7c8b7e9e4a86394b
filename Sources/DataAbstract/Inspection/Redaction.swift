// SPDX-License-Identifier: Apache-2.0

import JSON
import Remoting

/// Takes secrets out of a document that goes to somebody else.
///
/// The ClientID was replaced in the bytes before. What is left: passwords where a known method has them, and bytes of
/// which nothing is known and which may hold anything.
enum Redaction {
    private static let password = "aPassword"
    private static let loginString = "aLoginString"

    static func apply(to document: JSONObject) -> JSONObject {
        var document = message(document)
        document["redacted"] = true
        return document
    }

    private static func message(_ document: JSONObject) -> JSONObject {
        var document = document
        document["clientID"] = MessageDocument.hidden
        document["parts"] = .array((document["parts"]?.arrayValue ?? []).map(part))
        return document
    }

    private static func part(_ json: JSONValue) -> JSONValue {
        guard var part = json.objectValue else { return json }
        if let hex = part["hex"]?.stringValue {
            part["hex"] = nil
            part["bytes"] = .integer(Int64(hex.utf8.count / 2))
        }
        if part["type"]?.stringValue == ValueType.message { return .object(message(part)) }
        if part["type"]?.stringValue == ValueType.stream { return .object(StreamDocument.redacted(part)) }
        for key in ["fields", "elements"] {
            if let inner = part[key]?.arrayValue { part[key] = .array(inner.map(Self.part)) }
        }
        switch part["name"]?.stringValue {
        case password, "clientID": part["value"] = MessageDocument.hidden
        case loginString: part["value"] = part["value"].map(login)
        default: break
        }
        return .object(part)
    }

    /// The keys whose values are known to be no secret.
    private static func login(_ value: JSONValue) -> JSONValue {
        guard let text = value.stringValue, let fields = try? LoginStringParser.parse(text.utf8) else {
            return MessageDocument.hidden
        }
        var kept: JSONObject = [:]
        for (key, value) in [("user", fields.user), ("domain", fields.domain), ("schema", fields.schema)] {
            if let value { kept[key] = .string(value) }
        }
        if fields.password != nil { kept["password"] = MessageDocument.hidden }
        for key in fields.further.keys.sorted() { kept[key] = MessageDocument.hidden }
        return .object(kept)
    }
}
