// SPDX-License-Identifier: Apache-2.0

import JSON
import Varlink

/// A list in the form of systemd's bridge between HTTP and Varlink.
enum HTTPListing: Equatable {
    /// The reply of `GetInfo`, and the names of the services.
    case services
    /// The names of the services, for earlier versions of the bridge.
    case sockets
    /// The methods, types and errors of an interface, and the path of its text.
    case contents(service: String)
    /// The methods of an interface, for earlier versions of the bridge.
    case methodNames

    /// - Parameter reply: the reply of `GetInfo` for the first two cases, otherwise of `GetInterfaceDescription`.
    func object(of reply: JSONObject) -> JSONObject {
        switch self {
        case .services:
            var object = reply
            object["services"] = Self.services(in: reply)
            return object
        case .sockets: return ["sockets": Self.services(in: reply)]
        case .contents(let service):
            let description = Self.description(in: reply)
            return [
                "methods": Self.list(description?.methods.map { ($0.name, $0.documentation) }),
                "types": Self.list(description?.types.map { ($0.name, $0.documentation) }),
                "errors": Self.list(description?.errors.map { ($0.name, $0.documentation) }),
                "idl": .string("/idl/\(service)/\(description?.name ?? "")"),
            ]
        case .methodNames:
            let names = Self.description(in: reply)?.methods.map { JSONValue.string($0.name) }
            return ["method_names": .array(names ?? [])]
        }
    }

    private static func services(in info: JSONObject) -> JSONValue {
        .array((info["interfaces"]?.arrayValue ?? []).filter { $0.stringValue != ServiceAPI.name })
    }

    private static func description(in reply: JSONObject) -> VarlinkDescription? {
        guard let reply = try? ServiceAPI.GetInterfaceDescriptionReply(json: reply) else { return nil }
        return try? VarlinkDescription(parsing: reply.description)
    }

    private static func list(_ declarations: [(name: String, documentation: String)]?) -> JSONValue {
        .array(
            (declarations ?? []).map { declaration in
                var object: JSONObject = ["name": .string(declaration.name)]
                if !declaration.documentation.isEmpty { object["description"] = .string(declaration.documentation) }
                return .object(object)
            }
        )
    }
}
