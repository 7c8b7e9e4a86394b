// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// An event that a server raised for a client (docs/wire.md, "Events").
package struct EventMessage: Hashable, Sendable {
    /// The interface that the client listens with.
    package let sink: String
    package let name: String
    /// The parameters, encoded one behind the other in the order of their declaration.
    package let parameters: ByteBuffer

    package init(sink: String, name: String, parameters: ByteBuffer = ByteBuffer()) {
        self.sink = sink
        self.name = name
        self.parameters = parameters
    }

    package init(sink: String, name: String, _ parameters: [NamedValue]) {
        var writer = BinMessageWriter()
        writer.write(parameters)
        self.init(sink: sink, name: name, parameters: writer.buffer)
    }

    /// Reads a whole message, compressed or not.
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

    /// The event as a message of its own.
    package func encoded(to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: sink)
        writer.write(utf8: name)
        writer.writeRaw { $0.writeImmutableBuffer(parameters) }
        return BinMessage(header: MessageHeader(kind: .event, clientID: clientID), body: writer.buffer)
    }
}

/// Asks a server for the events that wait for a client (docs/wire.md, "Events").
package struct PollRequest: Hashable, Sendable {
    package let clientID: ClientID
    /// The most events that the reply may bring.
    package let eventLimit: Int32

    package init(clientID: ClientID, eventLimit: Int32) {
        self.clientID = clientID
        self.eventLimit = eventLimit
    }

    /// Reads a poll. Only the header says who asks: the vendor's own client garbles the ClientID in the body.
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

    package func encoded() -> ByteBuffer {
        var body = ByteBuffer()
        body.writeInteger(eventLimit, endianness: .little)
        body.writeClientID(clientID)
        return BinMessage(header: MessageHeader(kind: .poll, clientID: clientID), body: body).encoded()
    }
}

/// What a poll brought: events in the order in which they were raised, and how many still wait.
package struct PollReply: Hashable, Sendable {
    package let events: [EventMessage]
    package let left: Int32

    package init(events: [EventMessage], left: Int32 = 0) {
        self.events = events
        self.left = left
    }

    /// Reads the reply to a poll; what its events inflate to counts together against `limits.message`.
    ///
    /// - Throws: `exception` for an exception message; else `malformed`, `tooLarge` or `aesEnvelope`.
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

    /// The reply as a message to a client.
    package func encoded(to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.writeCount(events.count)
        writer.write(left)
        for event in events { writer.write(binary: event.encoded(to: clientID).encoded()) }
        return BinMessage(header: MessageHeader(kind: .pollResponse, clientID: clientID), body: writer.buffer)
    }
}
