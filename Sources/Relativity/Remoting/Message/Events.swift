// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// An event that a server raised for a client (docs/wire.md, "Events").
package struct EventMessage: Hashable, Sendable {
    /// The event interface that the client has registered.
    package let sink: String
    /// The event's name in that interface.
    package let name: String
    /// The encoded parameters, in the order of their declaration.
    package let parameters: ByteBuffer

    /// - Parameter parameters: already encoded.
    package init(sink: String, name: String, parameters: ByteBuffer = ByteBuffer()) {
        self.sink = sink
        self.name = name
        self.parameters = parameters
    }

    /// Encodes the parameters, in the order given.
    package init(sink: String, name: String, _ parameters: [NamedValue]) {
        var writer = BinMessageWriter()
        writer.write(parameters)
        self.init(sink: sink, name: name, parameters: writer.buffer)
    }

    /// Decodes a complete message, compressed or not.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`; another kind of message is malformed here.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        let message = try BinMessage(decoding: bytes, limits: limits)
        guard message.header.kind == .event else { throw .malformed(reason: "not an event") }
        var reader = BinMessageReader(message.body, limits: limits)
        sink = try reader.readName(limit: RequestMessage.nameLimit)
        name = try reader.readName(limit: RequestMessage.nameLimit)
        parameters = reader.rest
    }

    /// Encodes the event as a message of its own.
    package func encoded(to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: sink)
        writer.write(utf8: name)
        writer.writeRaw { $0.writeImmutableBuffer(parameters) }
        return BinMessage(header: MessageHeader(kind: .event, clientID: clientID), body: writer.buffer)
    }
}

/// A request for the events that are queued for a client (docs/wire.md, "Events").
package struct PollRequest: Hashable, Sendable {
    /// The client whose events are requested.
    package let clientID: ClientID
    /// The maximum number of events in the reply.
    package let eventLimit: Int32

    /// A poll for at most `eventLimit` events.
    package init(clientID: ClientID, eventLimit: Int32) {
        self.clientID = clientID
        self.eventLimit = eventLimit
    }

    /// Decodes a poll. The ClientID is taken from the header: the vendor's own client garbles the one in the body.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        let message = try BinMessage(decoding: bytes, limits: limits)
        guard message.header.kind == .poll else { throw .malformed(reason: "not a poll") }
        var reader = BinMessageReader(message.body, limits: limits)
        clientID = message.header.clientID
        eventLimit = try reader.readInt32()
        _ = try reader.readGUID()
        guard eventLimit >= 0 else { throw .malformed(reason: "negative number of events") }
    }

    /// Encodes the poll, uncompressed.
    package func encoded() -> ByteBuffer {
        var body = ByteBuffer()
        body.writeInteger(eventLimit, endianness: .little)
        body.writeClientID(clientID)
        return BinMessage(header: MessageHeader(kind: .poll, clientID: clientID), body: body).encoded()
    }
}

/// The reply to a poll.
package struct PollReply: Hashable, Sendable {
    /// The events, in the order in which they were raised.
    package let events: [EventMessage]
    /// The number of events that are still queued.
    package let left: Int32

    /// A reply with these events; `left` more are queued.
    package init(events: [EventMessage], left: Int32 = 0) {
        self.events = events
        self.left = left
    }

    /// Decodes the reply to a poll. The inflated sizes of its events count together against `limits.message`.
    ///
    /// - Throws: `exception` for an exception message; otherwise `malformed`, `tooLarge` or `aesEnvelope`.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        let message = try BinMessage(decoding: bytes, limits: limits)
        guard message.header.kind == .pollResponse else {
            _ = try ReplyMessage.values(of: message, limits: limits)
            throw .malformed(reason: "not a reply to a poll")
        }
        var reader = BinMessageReader(message.body, limits: limits)
        var room = limits
        let count = try reader.readElementCount()
        left = try reader.readInt32()
        var events: [EventMessage] = []
        for _ in 0..<count {
            guard let bytes = try reader.readBinary() else { throw .malformed(reason: "event without a message") }
            let event = try EventMessage(decoding: bytes, limits: room)
            room.message -= event.parameters.readableBytes
            events.append(event)
        }
        self.events = events
    }

    /// Encodes the reply as a message to a client.
    package func encoded(to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.writeCount(events.count)
        writer.write(left)
        for event in events { writer.write(binary: event.encoded(to: clientID).encoded()) }
        return BinMessage(header: MessageHeader(kind: .pollResponse, clientID: clientID), body: writer.buffer)
    }
}
