// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One key slot of the vault.
public struct SlotRecord: APIMessage {
    public var kind: String
    public var label: String
    public var strength: String

    public init(
        kind: String,
        label: String,
        strength: String
    ) {
        self.kind = kind
        self.label = label
        self.strength = strength
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        kind = try json.string("kind")
        label = try json.string("label")
        strength = try json.string("strength")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "kind": .string(kind),
            "label": .string(label),
            "strength": .string(strength),
        ])
    }
}
