// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One login; never its secret.
public struct LoginRecord: APIMessage {
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        case vault, configured
    }

    public var name: String
    public var origin: Origin
    public var endpoint: String
    public var user: String
    public var domain: String?
    public var schema: String?
    /// How its login string calls the user.
    public var userKey: String
    /// What else its login string says.
    public var extraKeys: [String]
    public var tier: Int64
    /// The host that a trusted certificate authority has to vouch for; nil for a TLS key and for plain HTTP.
    public var authority: String?
    public var pin: String
    public var allowPlaintext: Bool
    /// Whether a person has agreed to the pin on this machine. Until then no password goes there.
    public var verified: Bool
    /// Seconds since 1970.
    public var created: Int64

    public init(
        name: String,
        origin: Origin,
        endpoint: String,
        user: String,
        domain: String?,
        schema: String?,
        userKey: String = "User Id",
        extraKeys: [String] = [],
        tier: Int64,
        authority: String? = nil,
        pin: String,
        allowPlaintext: Bool,
        verified: Bool,
        created: Int64
    ) {
        self.name = name
        self.origin = origin
        self.endpoint = endpoint
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extraKeys = extraKeys
        self.tier = tier
        self.authority = authority
        self.pin = pin
        self.allowPlaintext = allowPlaintext
        self.verified = verified
        self.created = created
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        name = try json.string("name")
        origin = try json.word("origin")
        endpoint = try json.string("endpoint")
        user = try json.string("user")
        domain = try json.optionalString("domain")
        schema = try json.optionalString("schema")
        userKey = try json.string("userKey")
        extraKeys = try json.strings("extraKeys")
        tier = try json.integer("tier")
        authority = try json.optionalString("authority")
        pin = try json.string("pin")
        allowPlaintext = try json.bool("allowPlaintext")
        verified = try json.bool("verified")
        created = try json.integer("created")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "name": .string(name),
            "origin": .string(origin.rawValue),
            "endpoint": .string(endpoint),
            "user": .string(user),
            "domain": domain.jsonValue,
            "schema": schema.jsonValue,
            "userKey": .string(userKey),
            "extraKeys": extraKeys.jsonValue,
            "tier": .integer(tier),
            "authority": authority.jsonValue,
            "pin": .string(pin),
            "allowPlaintext": .bool(allowPlaintext),
            "verified": .bool(verified),
            "created": .integer(created),
        ])
    }
}
