// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A socket that lets some calls of one login through.
public struct GrantRecord: APIMessage {
    public var id: String
    /// What is mounted into a sandbox; the socket is in it.
    public var directory: String
    public var socketPath: String
    public var endpoint: String
    /// Foreign text.
    public var endpointName: String
    public var login: String
    public var services: [String]
    public var methods: [String]
    public var readOnly: Bool
    /// The process that asked for it, as the kernel told then.
    public var pid: Int64?
    /// Seconds since 1970.
    public var created: Int64
    /// Seconds since 1970.
    public var expires: Int64

    public init(
        id: String,
        directory: String,
        socketPath: String,
        endpoint: String,
        endpointName: String,
        login: String,
        services: [String],
        methods: [String],
        readOnly: Bool,
        pid: Int64?,
        created: Int64,
        expires: Int64
    ) {
        self.id = id
        self.directory = directory
        self.socketPath = socketPath
        self.endpoint = endpoint
        self.endpointName = endpointName
        self.login = login
        self.services = services
        self.methods = methods
        self.readOnly = readOnly
        self.pid = pid
        self.created = created
        self.expires = expires
    }

    public init(json: JSONObject) throws(JSONShapeError) {
        id = try json.string("id")
        directory = try json.string("directory")
        socketPath = try json.string("socketPath")
        endpoint = try json.string("endpoint")
        endpointName = try json.string("endpointName")
        login = try json.string("login")
        services = try json.strings("services")
        methods = try json.strings("methods")
        readOnly = try json.bool("readOnly")
        pid = try json.optionalInteger("pid")
        created = try json.integer("created")
        expires = try json.integer("expires")
    }

    public var json: JSONObject {
        JSONObject(members: [
            "id": .string(id),
            "directory": .string(directory),
            "socketPath": .string(socketPath),
            "endpoint": .string(endpoint),
            "endpointName": .string(endpointName),
            "login": .string(login),
            "services": .array(services.map { .string($0) }),
            "methods": .array(methods.map { .string($0) }),
            "readOnly": .bool(readOnly),
            "pid": pid.jsonValue,
            "created": .integer(created),
            "expires": .integer(expires),
        ])
    }
}
