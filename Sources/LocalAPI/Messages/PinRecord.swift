// SPDX-License-Identifier: Apache-2.0

public import JSON

/// What an endpoint is pinned to.
public struct PinRecord: APIMessage {
    public var endpoint: String
    /// 3 for a TLS key or a certificate, 1 for a plain HTTP address, 0 for plain HTTP on this machine.
    public var tier: Int64
    /// The host that a trusted certificate authority has to vouch for; nil for a TLS key and for plain HTTP.
    public var authority: String?
    /// 64 hexadecimal digits.
    public var fingerprint: String
    /// The fingerprint as eight words.
    public var words: String
    public var allowPlaintext: Bool
    /// Whether a person has agreed to the pin on this machine. Until then no password goes there.
    public var verified: Bool
    /// The names of the logins that are bound to it.
    public var logins: [String]

    public init(
        endpoint: String,
        tier: Int64,
        authority: String? = nil,
        fingerprint: String,
        words: String,
        allowPlaintext: Bool,
        verified: Bool,
        logins: [String]
    ) {
        self.endpoint = endpoint
        self.tier = tier
        self.authority = authority
        self.fingerprint = fingerprint
        self.words = words
        self.allowPlaintext = allowPlaintext
        self.verified = verified
        self.logins = logins
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        endpoint = try json.string("endpoint")
        tier = try json.integer("tier")
        authority = try json.optionalString("authority")
        fingerprint = try json.string("fingerprint")
        words = try json.string("words")
        allowPlaintext = try json.bool("allowPlaintext")
        verified = try json.bool("verified")
        logins = try json.strings("logins")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "endpoint": .string(endpoint),
            "tier": .integer(tier),
            "authority": authority.jsonValue,
            "fingerprint": .string(fingerprint),
            "words": .string(words),
            "allowPlaintext": .bool(allowPlaintext),
            "verified": .bool(verified),
            "logins": logins.jsonValue,
        ])
    }
}
