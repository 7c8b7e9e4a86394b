// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One line of the audit log.
public struct AuditLineRecord: APIMessage {
    public var sequence: Int64
    /// Seconds since 1970.
    public var time: Int64
    /// For example `login.added`; a newer daemon may know more.
    public var event: String
    /// `done`, `refused` or `failed`.
    public var result: String
    public var endpoint: String?
    /// The id of a login.
    public var login: String?
    /// Its name, while the vault is unlocked and has it.
    public var loginName: String?
    public var tier: Int64?
    /// Of the process that asked, which is a claim and no proof.
    public var pid: Int64?
    public var cgroup: String?
    /// How many equal events the line stands for, where it is more than one.
    public var times: Int64?
    /// Whether the line is under the vault's key.
    public var keyed: Bool

    public init(
        sequence: Int64,
        time: Int64,
        event: String,
        result: String,
        endpoint: String?,
        login: String?,
        loginName: String?,
        tier: Int64?,
        pid: Int64?,
        cgroup: String?,
        times: Int64?,
        keyed: Bool
    ) {
        self.sequence = sequence
        self.time = time
        self.event = event
        self.result = result
        self.endpoint = endpoint
        self.login = login
        self.loginName = loginName
        self.tier = tier
        self.pid = pid
        self.cgroup = cgroup
        self.times = times
        self.keyed = keyed
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        sequence = try json.integer("sequence")
        time = try json.integer("time")
        event = try json.string("event")
        result = try json.string("result")
        endpoint = try json.optionalString("endpoint")
        login = try json.optionalString("login")
        loginName = try json.optionalString("loginName")
        tier = try json.optionalInteger("tier")
        pid = try json.optionalInteger("pid")
        cgroup = try json.optionalString("cgroup")
        times = try json.optionalInteger("times")
        keyed = try json.bool("keyed")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "sequence": .integer(sequence),
            "time": .integer(time),
            "event": .string(event),
            "result": .string(result),
            "endpoint": endpoint.jsonValue,
            "login": login.jsonValue,
            "loginName": loginName.jsonValue,
            "tier": tier.jsonValue,
            "pid": pid.jsonValue,
            "cgroup": cgroup.jsonValue,
            "times": times.jsonValue,
            "keyed": .bool(keyed),
        ])
    }
}
