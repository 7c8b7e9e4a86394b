// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A key provider, and whether it works here.
public struct ProviderRecord: APIMessage {
    public var kind: String
    public var available: Bool
    /// Why it is not available.
    public var reason: String?
    public var strength: String
    /// The one to make a vault with unless the user wants another.
    public var proposed: Bool

    public init(kind: String, available: Bool, reason: String?, strength: String, proposed: Bool) {
        self.kind = kind
        self.available = available
        self.reason = reason
        self.strength = strength
        self.proposed = proposed
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        kind = try json.string("kind")
        available = try json.bool("available")
        reason = try json.optionalString("reason")
        strength = try json.string("strength")
        proposed = try json.bool("proposed")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "kind": .string(kind),
            "available": .bool(available),
            "reason": reason.jsonValue,
            "strength": .string(strength),
            "proposed": .bool(proposed),
        ])
    }
}
