// SPDX-License-Identifier: Apache-2.0

public import JSON

/// Who an endpoint is to us: what a login to it is bound to.
public struct IdentityRecord: APIMessage {
    /// 3 for a TLS key or a certificate, 1 for a plain HTTP address, 0 for plain HTTP on this machine.
    public var tier: Int64
    /// The host that a trusted certificate authority has to vouch for; nil for a TLS key and for plain HTTP.
    public var authority: String?
    /// 64 hexadecimal digits.
    public var fingerprint: String
    /// The fingerprint as eight words.
    public var words: String
    public var address: String
    public var port: Int64
    /// The administrator has named this very fingerprint: nobody has to be asked.
    public var vouchedFor: Bool
    /// The administrator permits plain HTTP to it.
    public var plaintextPermitted: Bool

    public init(
        tier: Int64,
        authority: String? = nil,
        fingerprint: String,
        words: String,
        address: String,
        port: Int64,
        vouchedFor: Bool = false,
        plaintextPermitted: Bool = false
    ) {
        self.tier = tier
        self.authority = authority
        self.fingerprint = fingerprint
        self.words = words
        self.address = address
        self.port = port
        self.vouchedFor = vouchedFor
        self.plaintextPermitted = plaintextPermitted
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        tier = try json.integer("tier")
        authority = try json.optionalString("authority")
        fingerprint = try json.string("fingerprint")
        words = try json.string("words")
        address = try json.string("address")
        port = try json.integer("port")
        vouchedFor = try json.bool("vouchedFor")
        plaintextPermitted = try json.bool("plaintextPermitted")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "tier": .integer(tier),
            "authority": authority.jsonValue,
            "fingerprint": .string(fingerprint),
            "words": .string(words),
            "address": .string(address),
            "port": .integer(port),
            "vouchedFor": .bool(vouchedFor),
            "plaintextPermitted": .bool(plaintextPermitted),
        ])
    }
}
