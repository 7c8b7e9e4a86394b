// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One open adapter.
public struct AdapterRecord: APIMessage {
    public var id: String
    /// `socket` or `loopback`.
    public var form: String
    /// Where it takes calls. Of a Unix socket `http+unix://`, with the path percent-encoded in the place of a host.
    public var url: String
    /// Of the form `socket`.
    public var socketPath: String?
    /// Absent, as the four behind it, while nobody has used a configured adapter.
    public var endpoint: String?
    /// Foreign text.
    public var endpointName: String?
    public var domain: String?
    public var schema: String?
    public var dataService: String?
    public var loginService: String?
    public var login: String?
    public var held: Bool
    /// Nobody shares its session.
    public var ownSession: Bool
    /// It is there as long as the daemon runs.
    public var configured: Bool
    /// The process that opened it, as the kernel told then.
    public var pid: Int64?
    /// Seconds since 1970.
    public var created: Int64
    /// Seconds since 1970.
    public var expires: Int64?

    /// - Parameter url: where it takes calls; all that may be absent is.
    public init(id: String, form: String, url: String, held: Bool, ownSession: Bool, configured: Bool, created: Int64) {
        self.id = id
        self.form = form
        self.url = url
        self.held = held
        self.ownSession = ownSession
        self.configured = configured
        self.created = created
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.string("id")
        form = try json.string("form")
        url = try json.string("url")
        socketPath = try json.optionalString("socketPath")
        endpoint = try json.optionalString("endpoint")
        endpointName = try json.optionalString("endpointName")
        domain = try json.optionalString("domain")
        schema = try json.optionalString("schema")
        dataService = try json.optionalString("dataService")
        loginService = try json.optionalString("loginService")
        login = try json.optionalString("login")
        held = try json.bool("held")
        ownSession = try json.bool("ownSession")
        configured = try json.bool("configured")
        pid = try json.optionalInteger("pid")
        created = try json.integer("created")
        expires = try json.optionalInteger("expires")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "id": .string(id),
            "form": .string(form),
            "url": .string(url),
            "socketPath": socketPath.jsonValue,
            "endpoint": endpoint.jsonValue,
            "endpointName": endpointName.jsonValue,
            "domain": domain.jsonValue,
            "schema": schema.jsonValue,
            "dataService": dataService.jsonValue,
            "loginService": loginService.jsonValue,
            "login": login.jsonValue,
            "held": .bool(held),
            "ownSession": .bool(ownSession),
            "configured": .bool(configured),
            "pid": pid.jsonValue,
            "created": .integer(created),
            "expires": expires.jsonValue,
        ])
    }
}
