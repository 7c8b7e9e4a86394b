// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
import Endpoints
package import JSON
import Platform
import Remoting

/// Describes the calls of a server's services as OpenAPI 3.1: as the Data API offers them by HTTP on its socket.
package struct ServiceOpenAPI {
    private let calls: DeclaredCalls
    private let names: ServiceNames
    private let path: String
    private let server: JSONObject

    /// - Parameters:
    ///   - path: of the method of the Data API; the service and the method follow it.
    ///   - server: the schema of the member `server` of a call.
    package init(_ calls: DeclaredCalls, path: String, server: JSONObject) {
        self.calls = calls
        names = ServiceNames(calls, reserved: ["Error", "Server"])
        (self.path, self.server) = (path, server)
    }

    /// The document.
    package var document: JSONObject {
        var paths = JSONObject()
        var operations = CodeIdentifiers(otherwise: "call", reserved: [])
        for service in calls.services where !Self.isDots(service.name) {
            for method in service.methods where !Self.isDots(method.name) {
                let parts = [service.name, method.name].map(PercentText.encode)
                let id = operations.add("\(service.name)_\(method.name)")
                paths["\(path)/\(parts.joined(separator: "/"))"] = [
                    "post": .object(operation(method, of: service.name, id: id))
                ]
            }
        }
        var schemas: JSONObject = ["Server": .object(server), "Error": Self.error]
        for found in calls.enums {
            let values = JSONValue.array(found.values.map { .string($0) })
            if let name = names[enum: found.values] { schemas[name] = ["type": "string", "enum": values] }
        }
        for found in calls.structs { schemas[names[struct: found.name]] = .object(schema(of: found)) }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Calls of a server's services", "version": .string(ProjectVersion.text),
                "description": """
                Written by relctl services --openapi. The calls are those of the Data API of relativityd, by HTTP on its \
                Unix socket. relativityd logs in. Texts of the server are untrusted.
                """,
            ],
            "servers": [
                ["url": "http://localhost", "description": "The Unix socket data.sock; the host has no meaning."]
            ],
            "paths": .object(paths), "components": ["schemas": .object(schemas)],
        ]
    }

    /// Whether a part of a path would be removed with the one before it, also if it is encoded: the path would be that of
    /// another call.
    private static func isDots(_ name: String) -> Bool { name == "." || name == ".." }

    private static let error: JSONValue = [
        "type": "object", "required": ["error", "message"],
        "properties": [
            "error": ["type": "string", "description": "The name, such as org.relativityd.Data.BadCall."],
            "message": ["type": "string"],
        ],
    ]

    private func operation(_ method: MethodSignature, of service: String, id: String) -> JSONObject {
        let parameters = object(method.parameters)
        var required: [JSONValue] = ["server"]
        if !method.parameters.isEmpty { required.append("parameters") }
        var properties: JSONObject = ["server": Self.reference("Server"), "parameters": .object(parameters)]
        properties["rodl"] = [
            "type": "string", "description": "The description of the services, if the server does not give it.",
        ]
        properties["numbersAsText"] = ["type": "boolean", "description": "Sends Int64 as text."]
        let results: JSONValue = [
            "type": "object", "required": ["results"], "properties": ["results": .object(object(method.results))],
        ]
        return [
            "operationId": .string(id), "summary": .string("\(service).\(method.name)"),
            "requestBody": [
                "required": true,
                "content": Self.json([
                    "type": "object", "required": .array(required), "properties": .object(properties),
                ]),
            ],
            "responses": [
                "200": ["description": "The results.", "content": Self.json(results)],
                "default": ["description": "The call failed.", "content": Self.json(Self.reference("Error"))],
            ],
        ]
    }

    private func schema(of found: DeclaredCalls.Struct) -> JSONObject {
        var schema = object(found.fields)
        var properties: JSONObject = [
            "__type": ["type": "string", "description": "The name of the class, if it is a descendant."]
        ]
        for (name, value) in schema["properties"]?.objectValue ?? [:] { properties[name] = value }
        schema["properties"] = .object(properties)
        return schema
    }

    private func object(_ members: [NamedType]) -> JSONObject {
        var object: JSONObject = [
            "type": "object", "properties": .object(JSONObject(members.map { ($0.name, schema($0.type)) })),
        ]
        if !members.isEmpty { object["required"] = .array(members.map { .string($0.name) }) }
        return object
    }

    private func schema(_ type: RemotingType) -> JSONValue {
        switch type {
        case .integer: ["type": "integer", "format": "int32"]
        case .int64: ["type": ["integer", "string"], "format": "int64"]
        case .double: ["type": ["number", "null"]]
        case .boolean: ["type": "boolean"]
        case .dateTime: ["type": "string", "description": "Without a time zone, such as 2026-01-31T08:00:00.123."]
        case .currency, .decimal: ["type": "string", "format": "decimal"]
        case .guid: ["type": "string", "description": "With braces."]
        case .ansiString, .utf8String, .wideString, .xml: ["type": "string"]
        case .binary: ["type": ["string", "null"], "contentEncoding": "base64"]
        case .variant: ["description": "A text, a number, a Boolean, null, or an array of them."]
        case .enumeration(let values):
            names[enum: values].map(Self.reference) ?? ["type": "integer", "format": "int32"]
        case .structure(let name): Self.reference(names[struct: name])
        case .array(let element): ["type": ["array", "null"], "items": schema(element)]
        }
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    private static func json(_ schema: JSONValue) -> JSONValue { ["application/json": ["schema": schema]] }
}
