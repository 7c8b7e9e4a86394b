// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

extension PinRecord {
    /// - Returns: nil if the endpoint is not pinned.
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> PinRecord? {
        try client.call("org.relativityd.Credentials.ListPins").objects("pins")
            .map { try PinRecord(json: $0) }
            .first { $0.endpoint == endpoint }
    }

    static func show(_ reply: JSONObject, as verb: String, _ output: OutputOptions) throws {
        let object = try reply.object("pin")
        let pin = try PinRecord(json: object)
        output.tell(object, else: Columns([verb, pin.endpoint, pin.fingerprint] + pin.logins).text)
    }
}

extension EndpointRecord {
    static func fetch(_ endpoint: String, _ client: DaemonClient) throws -> EndpointRecord {
        let reply = try client.call("org.relativityd.Registry.Get", ["endpoint": .string(endpoint)])
        return try EndpointRecord(json: try reply.object("endpoint"))
    }
}
