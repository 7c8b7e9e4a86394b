// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A value of the API's interface descriptions, with the same member names.
public protocol APIMessage: Sendable, Hashable {
    init(json: JSONObject) throws(JSONShapeError)
    var json: JSONObject { get }
}

extension JSONObject {
    /// An object of the given members, without those that are nil.
    init(members: KeyValuePairs<String, JSONValue?>) {
        self.init()
        for (key, value) in members {
            if let value { self[key] = value }
        }
    }

    /// A word of a closed set.
    func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String) throws(JSONShapeError) -> Word {
        let text = try string(key)
        guard let word = Word(rawValue: text) else { throw JSONShapeError(path: key, expected: .validValue) }
        return word
    }

    func optionalMessage<Message: APIMessage>(_ key: String) throws(JSONShapeError) -> Message? {
        guard let object = try optionalObject(key) else { return nil }
        return try Message(json: object)
    }

    func messages<Message: APIMessage>(_ key: String) throws(JSONShapeError) -> [Message] {
        var messages: [Message] = []
        for object in try objects(key) { messages.append(try Message(json: object)) }
        return messages
    }
}

extension Optional where Wrapped == String {
    var jsonValue: JSONValue? { map { .string($0) } }
}

extension Optional where Wrapped == Int64 {
    var jsonValue: JSONValue? { map { .integer($0) } }
}

extension Optional where Wrapped: APIMessage {
    var jsonValue: JSONValue? { map { .object($0.json) } }
}

extension Array where Element == String {
    var jsonValue: JSONValue { .array(map { .string($0) }) }
}

extension Array where Element: APIMessage {
    var jsonValue: JSONValue { .array(map { .object($0.json) }) }
}
