// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One key slot of the vault.
public struct SlotRecord: APIMessage {
    /// What methods take as the slot's name.
    public var id: String
    public var kind: String
    public var label: String
    public var strength: String
    /// log2 of scrypt's N, for passphrases.
    public var scryptLog2N: Int64?
    /// Seconds since 1970.
    public var created: Int64

    public init(
        id: String,
        kind: String,
        label: String,
        strength: String,
        scryptLog2N: Int64?,
        created: Int64
    ) {
        self.id = id
        self.kind = kind
        self.label = label
        self.strength = strength
        self.scryptLog2N = scryptLog2N
        self.created = created
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.string("id")
        kind = try json.string("kind")
        label = try json.string("label")
        strength = try json.string("strength")
        scryptLog2N = try json.optionalInteger("scryptLog2N")
        created = try json.integer("created")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "id": .string(id),
            "kind": .string(kind),
            "label": .string(label),
            "strength": .string(strength),
            "scryptLog2N": scryptLog2N.jsonValue,
            "created": .integer(created),
        ])
    }
}
