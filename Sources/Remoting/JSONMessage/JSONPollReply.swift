// SPDX-License-Identifier: Apache-2.0

import JSON
package import NIOCore
import Platform

/// The reply to a poll as JSON (docs/wire.md, "Events").
package enum JSONPollReply {
    private static let count = "MessageCount"
    private static let left = "MessagesLeft"
    private static let event = "Message_"
    private static let sink = "InterfaceName"
    private static let name = "MessageName"

    /// What the parameters of an event are called, which a BinMessage does not say; nil if nobody knows.
    package typealias Names = (_ event: EventMessage) -> [NamedType]?

    /// - Throws: `malformed` for an event whose parameters are not those that are named.
    package static func encode(
        _ reply: PollReply,
        to clientID: ClientID,
        _ catalog: StructCatalog = StructCatalog(),
        names: Names
    ) throws(RemotingError) -> ByteBuffer {
        let id = JSONValue.string(clientID.revealedText())
        var result: JSONObject = [count: .integer(Int64(reply.events.count)), left: .integer(Int64(reply.left))]
        for (index, message) in reply.events.enumerated() {
            var members: JSONObject = [sink: .string(message.sink), name: .string(message.name)]
            for member in JSONObject(try values(of: message, catalog, names), catalog) {
                members[member.key] = member.value
            }
            let text = JSONText.bytes(of: ["id": id, "params": .object(members)])
            result[event + String(index)] = .string(Base64.encode(Array(text.readableBytesView)))
        }
        return JSONText.bytes(of: ["id": id, "result": .object(result)])
    }

    /// The events with their parameters as a BinMessage has them.
    ///
    /// - Throws: `exception`; else `malformed`, `tooLarge` or `aesEnvelope`. An event that nobody knows has no parameters.
    package static func decode(
        _ bytes: ByteBuffer,
        _ catalog: StructCatalog = StructCatalog(),
        limits: WireLimits = .standard,
        names: Names
    ) throws(RemotingError) -> PollReply {
        let message = try JSONText.object(bytes, limits: limits)
        if message["error"] != nil { _ = try JSONReply.values(of: bytes, [], catalog, limits: limits) }
        guard let result = message["result"]?.objectValue,
            let count = result[count]?.integerValue, (0...Int64(limits.elements)).contains(count),
            let left = result[left]?.integerValue.flatMap(Int32.init(exactly:))
        else { throw .malformed(reason: "not a reply to a poll") }
        var events: [EventMessage] = []
        for index in 0..<count {
            guard let text = result[event + String(index)]?.stringValue, let bytes = Base64.decode(text) else {
                throw .malformed(reason: "event without a message")
            }
            events.append(try decodeEvent(ByteBuffer(bytes: bytes), catalog, limits, names))
        }
        return PollReply(events: events, left: left)
    }

    private static func decodeEvent(
        _ bytes: ByteBuffer,
        _ catalog: StructCatalog,
        _ limits: WireLimits,
        _ names: Names
    ) throws(RemotingError) -> EventMessage {
        let message = try JSONText.object(bytes, limits: limits)
        guard let members = (message["params"] ?? message["result"])?.objectValue,
            let sink = members[sink]?.stringValue, let name = members[name]?.stringValue
        else { throw .malformed(reason: "not an event") }
        let declared = names(EventMessage(sink: sink, name: name)) ?? []
        let values = try members.values(declared, catalog)
        return EventMessage(sink: sink, name: name, zip(declared, values).map { NamedValue($0.name, $1) })
    }

    private static func values(
        of event: EventMessage,
        _ catalog: StructCatalog,
        _ names: Names
    ) throws(RemotingError) -> [NamedValue] {
        guard let declared = names(event) else { throw .malformed(reason: "an event without names of its parameters") }
        var reader = BinMessageReader(event.parameters)
        var values: [NamedValue] = []
        for named in declared { values.append(NamedValue(named.name, try reader.readValue(named.type, catalog))) }
        return values
    }
}
