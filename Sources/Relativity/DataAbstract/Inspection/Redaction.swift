// SPDX-License-Identifier: Apache-2.0

import JSON
import Remoting

/// Removes secrets from a document that is meant to be shared.
///
/// The ClientID was already replaced in the bytes. The rest depends on the type of a value. Numbers that the catalog
/// declares and texts that are names are kept. Data, GUIDs and all values whose types the caller gave are hidden,
/// because they may contain anything. A text that looks like a secret is always hidden.
struct Redaction {
    /// Parameters and fields of the catalog that contain names of tables, columns, commands, connections or users.
    private static let names: Set<String> = [
        "aTableNameArray", "aTableName", "aCommandNameArray", "aCommandName", "DatasetNames", "aConnectionName",
        "aUserID",
        "UserID", "FieldName", "DynamicSelectFieldNames", "Name",
    ]
    /// The number of parts at the beginning of every message of a kind.
    private static let head = 2
    private static let texts: Set<String> = ["ansiString", "utf8String", "wideString", "xml"]
    private static let numbers: Set<String> = [
        "integer", "int64", "double", "boolean", "dateTime", "currency", "decimal", "enum",
    ]

    private let scan: SecretScan

    /// - Parameter isTyped: the caller gave the types of the parameters, so their meaning is unknown.
    static func apply(to document: JSONObject, isTyped: Bool) -> JSONObject {
        let redaction = Redaction(scan: SecretScan(passwords: passwords(in: document)))
        var document = redaction.message(document, isTyped: isTyped)
        document["redacted"] = true
        return document
    }

    /// Returns the passwords that the message itself identifies, in any of its parts.
    private static func passwords(in document: JSONObject) -> [String] {
        let parts = (document["parts"]?.arrayValue ?? []).compactMap(\.objectValue)
        let values = parts.map { $0["value"]?.stringValue }
        var found = values.flatMap { $0.map(SecretScan.passwords) ?? [] }
        // The parameters are the user, the password and, for some services, a connection.
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
        // The time repeats the number as text.
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

    /// Returns the keys of a login string, with the values that are known not to be secret; nil if the text is not a
    /// login string.
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

/// Recognises by its form a text that may contain a secret.
struct SecretScan {
    /// In lower case. Texts that contain a password have one of these words before it.
    private static let words = ["password", "passwd", "passwort", "pwd"]
    /// The number of digits in each group.
    private static let guid = [8, 4, 4, 4, 12]
    private static let guidDigits = 32
    private static let keyBytes = 64

    /// A text that contains one of these is a secret.
    private let passwords: [String]

    init(passwords: [String]) {
        self.passwords = passwords.filter { !$0.isEmpty }.map { $0.lowercased() }
    }

    /// Returns true if the text contains a known password, a word for one followed by a value, or the digits of a
    /// GUID with or without hyphens.
    func findsSecret(in text: String) -> Bool {
        let text = text.lowercased()
        return passwords.contains { text.contains($0) } || Self.hasPasswordWord(text) || Self.hasGUID(Array(text.utf8))
    }

    /// Parses a text as a login service would. Returns nil unless the text has one of the keys of a login string.
    static func login(_ text: String) -> LoginStringParser.Fields? {
        guard let fields = try? LoginStringParser.parse(text.utf8),
            fields.user ?? fields.domain ?? fields.schema != nil || fields.password != nil
        else { return nil }
        return fields
    }

    /// Returns the values of a login string that may be secrets.
    static func passwords(in text: String) -> [String] {
        guard let fields = login(text) else { return [] }
        return ((fields.password.map { [$0] } ?? []) + fields.further.values).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Whether a text has the form of a login string's key.
    static func isKey(_ text: String) -> Bool {
        text.utf8.count <= keyBytes
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || " _-.".utf8.contains(byte)
            }
    }

    private static func hasPasswordWord(_ text: String) -> Bool {
        words.contains { word in
            guard let end = text.firstRange(of: word)?.upperBound else { return false }
            return text[end...].contains { "=:".contains($0) }
        }
    }

    private static func hasGUID(_ bytes: [UInt8]) -> Bool {
        var runs: [Int] = []
        for (index, byte) in bytes.enumerated() {
            guard isDigit(byte) else { continue }
            if index > 0, isDigit(bytes[index - 1]) {
                runs[runs.count - 1] += 1
            } else {
                // A run continues the previous ones only if exactly one hyphen separates them.
                if index < 2 || bytes[index - 1] != UInt8(ascii: "-") || !isDigit(bytes[index - 2]) { runs = [] }
                runs.append(1)
            }
            if runs[runs.count - 1] >= guidDigits { return true }
            if isGUID(runs.suffix(guid.count)) { return true }
        }
        return false
    }

    /// The first and the last group may have more digits than those of a GUID.
    private static func isGUID(_ runs: ArraySlice<Int>) -> Bool {
        guard runs.count == guid.count, let first = runs.first, let last = runs.last else { return false }
        return first >= guid[0] && last >= guid[4] && runs.dropFirst().dropLast().allSatisfy { $0 == guid[1] }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
