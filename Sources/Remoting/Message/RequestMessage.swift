// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A request: who calls, which method of which service, and its parameters (docs/wire.md, "Request").
package struct RequestMessage: Sendable {
    /// Names longer than this are refused.
    static let nameLimit = 256

    package let clientID: ClientID
    package let service: String
    package let method: String
    /// Stands at the first parameter.
    package var parameters: BinMessageReader

    /// Reads a request; the body is inflated if it is compressed.
    ///
    /// - Throws: `malformed`, `tooLarge` or `aesEnvelope`; a poll or an event is malformed here.
    package init(decoding bytes: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) {
        let message = try BinMessage(decoding: bytes, limits: limits)
        guard message.header.kind == .message else { throw .malformed(reason: "not a request") }
        var reader = BinMessageReader(message.body, limits: limits)
        clientID = message.header.clientID
        service = try reader.readName(limit: Self.nameLimit)
        method = try reader.readName(limit: Self.nameLimit)
        parameters = reader
    }

    /// A writer that holds header and names; the parameters follow, then `buffer` is the message.
    ///
    /// - Parameter parameterBytes: room to reserve, so that a secret written next is never copied by growth.
    package static func writer(
        clientID: ClientID,
        service: String,
        method: String,
        parameterBytes: Int = 0
    ) -> BinMessageWriter {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(MessageHeader.byteCount + 8 + service.utf8.count + method.utf8.count + parameterBytes)
        MessageHeader(clientID: clientID).write(to: &buffer)
        var writer = BinMessageWriter(buffer)
        writer.write(utf8: service)
        writer.write(utf8: method)
        return writer
    }
}
