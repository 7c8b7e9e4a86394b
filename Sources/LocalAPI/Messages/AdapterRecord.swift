// SPDX-License-Identifier: Apache-2.0

public import JSON

/// One open adapter.
public struct AdapterRecord: APIMessage {
    public var id: String
    public var socketPath: String
    public var endpoint: String
    /// Foreign text.
    public var endpointName: String
    public var login: String?
    public var domain: String?
    public var schema: String?
    public var dataService: String
    public var loginService: String
    public var held: Bool
    /// Seconds since 1970.
    public var created: Int64
    /// Seconds since 1970.
    public var expires: Int64?

    public init(
        id: String,
        socketPath: String,
        endpoint: String,
        endpointName: String,
        login: String?,
        domain: String?,
        schema: String?,
        dataService: String,
        loginService: String,
        held: Bool,
        created: Int64,
        expires: Int64?
    ) {
        self.id = id
        self.socketPath = socketPath
        self.endpoint = endpoint
        self.endpointName = endpointName
        self.login = login
        self.domain = domain
        self.schema = schema
        self.dataService = dataService
        self.loginService = loginService
        self.held = held
        self.created = created
        self.expires = expires
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.string("id")
        socketPath = try json.string("socketPath")
        endpoint = try json.string("endpoint")
        endpointName = try json.string("endpointName")
        login = try json.optionalString("login")
        domain = try json.optionalString("domain")
        schema = try json.optionalString("schema")
        dataService = try json.string("dataService")
        loginService = try json.string("loginService")
        held = try json.bool("held")
        created = try json.integer("created")
        expires = try json.optionalInteger("expires")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "id": .string(id),
            "socketPath": .string(socketPath),
            "endpoint": .string(endpoint),
            "endpointName": .string(endpointName),
            "login": login.jsonValue,
            "domain": domain.jsonValue,
            "schema": schema.jsonValue,
            "dataService": .string(dataService),
            "loginService": .string(loginService),
            "held": .bool(held),
            "created": .integer(created),
            "expires": expires.jsonValue,
        ])
    }
}
