// SPDX-License-Identifier: Apache-2.0

package import NIOCore

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
