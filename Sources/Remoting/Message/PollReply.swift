// SPDX-License-Identifier: Apache-2.0

package import NIOCore

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
