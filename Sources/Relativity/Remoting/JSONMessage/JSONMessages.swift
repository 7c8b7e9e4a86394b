// SPDX-License-Identifier: Apache-2.0

package import JSON
package import NIOCore
import Platform

/// The text of JSON messages. Reading is bounded; writing produces ASCII, as the vendor's client does.
package enum JSONText {
    /// Parses a JSON message.
    ///
    /// - Throws: `tooLarge`, `aesEnvelope`, or `malformed` for bytes that are not a JSON object.
    package static func object(_ bytes: ByteBuffer, limits: WireLimits) throws(RemotingError) -> JSONObject {
        guard bytes.readableBytes <= limits.message else { throw .tooLarge(limit: limits.message) }
        guard !MessageHeader.opensEnvelope(bytes) else { throw .aesEnvelope }
        // Each level of a value takes two levels of JSON, an object and an array. The message around it takes four.
        let bounds = JSONLimits(depth: 2 * limits.depth + 4, bytes: limits.message, values: limits.elements)
        do {
            guard let object = try JSONValue(parsing: bytes.readableBytesView, limits: bounds).objectValue else {
                throw RemotingError.malformed(reason: "a JSON message is an object")
            }
            return object
        } catch let error as JSONSyntaxError {
            throw .malformed(reason: "\(error)")
        } catch let error as RemotingError {
            throw error
        } catch {
            throw .malformed(reason: "no JSON")
        }
    }

    /// Serializes a message. Non-ASCII characters occur only inside strings. Each becomes `\uXXXX`, or two of them
    /// beyond the BMP.
    package static func bytes(of object: JSONObject) -> ByteBuffer {
        var text: [UInt8] = []
        object.serialize(into: &text)
        guard !text.allSatisfy({ $0 < 0x80 }) else { return ByteBuffer(bytes: text) }
        var ascii: [UInt8] = []
        ascii.reserveCapacity(text.count * 2)
        for unit in String(decoding: text, as: UTF8.self).utf16 {
            if unit < 0x80 {
                ascii.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16).utf8
                ascii.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
                ascii.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.count))
                ascii.append(contentsOf: digits)
            }
        }
        return ByteBuffer(bytes: ascii)
    }
}

/// A request as JSON (docs/wire.md, "JSON messages").
package struct JSONRequest: Sendable {
    /// The message type of a poll.
    private static let poll = Int64(MessageKind.poll.rawValue)
    private static let pollMethod = "poll"
    private static let eventLimit = "MaxMessageCount"

    /// The ClientID of the caller.
    package let clientID: ClientID
    /// The service, without the method.
    package let service: String
    /// The method, without the service.
    package let method: String
    /// The parameters, by name.
    package let parameters: JSONObject
    /// Whether the message is a poll for events.
    package let isPoll: Bool

    /// A request for a method.
    package init(clientID: ClientID, service: String, method: String, parameters: JSONObject) {
        self.clientID = clientID
        self.service = service
        self.method = method
        self.parameters = parameters
        isPoll = false
    }

    /// A poll for events. It names a service, as the vendor's client does.
    package init(polling service: String, clientID: ClientID, eventLimit: Int32) {
        self.clientID = clientID
        self.service = service
        method = Self.pollMethod
        parameters = [Self.eventLimit: .integer(Int64(eventLimit))]
        isPoll = true
    }

    /// Decodes a request or a poll.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`. A message of another type than a request or a poll is
    ///   malformed.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        let message = try JSONText.object(bytes, limits: limits)
        guard let clientID = message["id"]?.stringValue.flatMap(ClientID.init(text:)) else {
            throw .malformed(reason: "id is not a GUID")
        }
        guard let name = message["method"]?.stringValue, let dot = name.lastIndex(of: ".") else {
            throw .malformed(reason: "method without a service")
        }
        guard name.utf8.count <= 2 * RequestMessage.nameLimit else {
            throw .malformed(reason: "name longer than \(2 * RequestMessage.nameLimit) bytes")
        }
        guard let parameters = (message["params"] ?? .object([:])).objectValue else {
            throw .malformed(reason: "params is not an object")
        }
        switch message["type"] {
        case nil, .null, .integer(0): isPoll = false
        case .integer(Self.poll): isPoll = true
        default: throw .malformed(reason: "not a request")
        }
        self.clientID = clientID
        service = String(name[..<dot])
        method = String(name[name.index(after: dot)...])
        self.parameters = parameters
    }

    /// Returns the poll, or nil if the message is not a poll.
    ///
    /// - Throws: `malformed` if the number of events is missing or invalid.
    package func poll() throws(RemotingError) -> PollRequest? {
        guard isPoll else { return nil }
        guard let limit = parameters[Self.eventLimit]?.integerValue.flatMap(Int32.init(exactly:)), limit >= 0 else {
            throw .malformed(reason: "no number of events")
        }
        return PollRequest(clientID: clientID, eventLimit: limit)
    }

    /// Encodes the message.
    package func encoded() -> ByteBuffer {
        var message: JSONObject = [
            "id": .string(clientID.revealedText()), "method": .string("\(service).\(method)"),
            "params": .object(parameters),
        ]
        if isPoll { message["type"] = .integer(Self.poll) }
        return JSONText.bytes(of: message)
    }
}

/// A reply as JSON: a result, or an error (docs/wire.md, "JSON messages").
package enum JSONReply {
    /// The error class that wraps the actual exception.
    private static let wrapper = "ROJSONException"

    /// Decodes the declared values: first the result, named `Result`, then the out parameters.
    ///
    /// - Parameter declared: the values that the method returns, in order.
    /// - Throws: `exception`; otherwise `malformed`, `tooLarge` or `aesEnvelope`.
    package static func values(
        of bytes: ByteBuffer,
        _ declared: [NamedType],
        _ catalog: StructCatalog = StructCatalog(),
        limits: WireLimits = .standard
    ) throws(RemotingError) -> [RemotingValue] {
        let message = try JSONText.object(bytes, limits: limits)
        if let error = message["error"]?.objectValue { throw .exception(try exception(error, catalog)) }
        let result = message["result"] ?? message["params"] ?? .null
        if let first = declared.first, declared.count == 1, !isWrapped(result, first) {
            return [try RemotingValue(result, as: first.type, catalog)]
        }
        guard !declared.isEmpty else { return [] }
        guard let members = result.objectValue else { throw .malformed(reason: "result is not an object") }
        return try members.values(declared, catalog)
    }

    /// Encodes a normal reply.
    ///
    /// - Parameter isWrapped: if false, a single result is sent without an object around it, as some servers are
    ///   configured.
    package static func encode(_ values: [NamedValue], to clientID: ClientID, isWrapped: Bool = true) -> ByteBuffer {
        let members = JSONObject(values.map { ($0.name, $0.value.json()) })
        let single = values.count == 1 ? values.first?.value.json() : nil
        let result: JSONValue = isWrapped ? .object(members) : single ?? .object(members)
        return JSONText.bytes(of: ["id": .string(clientID.revealedText()), "result": result])
    }

    /// Encodes an exception as a reply.
    package static func encode(_ exception: RemotingException, to clientID: ClientID) -> ByteBuffer {
        var inner: JSONObject = ["type": .string(exception.className), "message": .string(exception.message)]
        for field in exception.fields where inner[field.name] == nil { inner[field.name] = field.value.json() }
        let error: JSONObject = [
            "name": .string(wrapper), "message": .string(exception.message), "roexception": .object(inner),
        ]
        return JSONText.bytes(of: ["id": .string(clientID.revealedText()), "error": .object(error)])
    }

    /// Whether the result is the member of an object. A struct may have a field of the result's name, but then the
    /// object also contains the struct's class.
    private static func isWrapped(_ result: JSONValue, _ declared: NamedType) -> Bool {
        guard let members = result.objectValue, members[declared.name] != nil else { return false }
        if case .structure = declared.type { return members[JSONStruct.classKey] == nil }
        return true
    }

    private static func exception(
        _ error: JSONObject,
        _ catalog: StructCatalog
    ) throws(RemotingError) -> RemotingException {
        guard let name = error["name"]?.stringValue else { throw .malformed(reason: "error without a name") }
        let inner = error["roexception"]?.objectValue ?? [:]
        let className = name == wrapper ? inner["type"]?.stringValue ?? name : name
        let message = error["message"]?.stringValue ?? inner["message"]?.stringValue ?? ""
        let declared = catalog.fields(of: className) ?? []
        // The exception itself matters more than its fields: if they cannot be decoded, they are left out.
        let values = (try? inner.values(declared, catalog)) ?? []
        let fields = zip(declared, values).map { NamedValue($0.name, $1) }
        return RemotingException(className: className, message: message, fields: fields)
    }
}

/// The reply to a poll as JSON (docs/wire.md, "Events").
package enum JSONPollReply {
    private static let count = "MessageCount"
    private static let left = "MessagesLeft"
    private static let event = "Message_"
    private static let sink = "InterfaceName"
    private static let name = "MessageName"

    /// Returns the names and types of an event's parameters, which a BinMessage does not contain; nil if they are not
    /// known.
    package typealias Names = (_ event: EventMessage) -> [NamedType]?

    /// Encodes the reply to a poll.
    ///
    /// - Throws: `malformed` for an event whose parameters are not known or do not match their declaration.
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

    /// Decodes the events, with their parameters encoded as in a BinMessage. An event whose parameters are not known
    /// gets none.
    ///
    /// - Throws: `exception`; otherwise `malformed`, `tooLarge` or `aesEnvelope`.
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
