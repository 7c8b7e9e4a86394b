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
