// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One more key of a login string, on its way to the daemon; none comes back.
public struct ExtraRecord: APIMessage {
    public var key: String
    /// Empty where an edit takes the key away.
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        key = try json.string("key")
        value = try json.string("value")
    }

    public var json: JSONObject {
        JSONObject(members: ["key": .string(key), "value": .string(value)])
    }
}
