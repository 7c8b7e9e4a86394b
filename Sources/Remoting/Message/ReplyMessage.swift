// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A reply: the values of a normal one, or an exception (docs/wire.md, "Reply", "Exception").
package enum ReplyMessage {
    /// Reads a reply up to its first value.
    ///
    /// The service and method names in it are skipped, and its ClientID is not looked at: a client keeps its own.
    /// - Parameter exceptions: the classes of exceptions whose fields are read.
    /// - Throws: `exception` for an exception message; else `malformed`, `tooLarge` or `aesEnvelope`.
    package static func values(
        of bytes: ByteBuffer,
        exceptions: StructCatalog = StructCatalog(),
        limits: WireLimits = .standard
    ) throws(RemotingError)
        -> BinMessageReader
    {
        try values(of: try BinMessage(decoding: bytes, limits: limits), exceptions: exceptions, limits: limits)
    }

    static func values(
        of message: BinMessage,
        exceptions: StructCatalog = StructCatalog(),
        limits: WireLimits
    ) throws(RemotingError)
        -> BinMessageReader
    {
        var reader = BinMessageReader(message.body, limits: limits)
        switch message.header.kind {
        case .message:
            try reader.skipString()
            try reader.skipString()
            return reader
        case .exception:
            throw .exception(try exception(from: &reader, exceptions))
        case .event, .poll, .pollResponse:
            throw .malformed(reason: "not a reply to a call")
        }
    }

    /// The exception in a reply, or nil if it is none; nothing else of the reply is checked.
    package static func exception(
        in bytes: ByteBuffer,
        limits: WireLimits = .standard
    ) throws(RemotingError)
        -> RemotingException?
    {
        var start = bytes
        guard try MessageHeader(from: &start).kind == .exception else { return nil }
        var reader = BinMessageReader(try BinMessage(decoding: bytes, limits: limits).body, limits: limits)
        return try exception(from: &reader, StructCatalog())
    }

    /// What follows the message of a class unknown to the caller is left unread.
    private static func exception(
        from reader: inout BinMessageReader,
        _ catalog: StructCatalog
    ) throws(RemotingError)
        -> RemotingException
    {
        let className = try reader.readText(atMost: WireLimits.exceptionClass, "class of an exception")
        let message = try reader.readText(atMost: WireLimits.exceptionText, "text of an exception")
        // An exception counts for more than its fields: if they do not fit, it comes without them.
        let fields = try? reader.readFields(of: className, catalog)
        return RemotingException(className: className, message: message, fields: fields?.fields ?? [])
    }

    /// A normal reply to `request` around values that are already encoded.
    package static func encode(_ values: BinMessageWriter, to request: RequestMessage) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: request.service)
        writer.write(utf8: request.method + "Response")
        var body = writer.buffer
        body.writeImmutableBuffer(values.buffer)
        return BinMessage(header: MessageHeader(clientID: request.clientID), body: body)
    }

    /// An exception as the reply to a client.
    package static func encode(_ exception: RemotingException, to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: exception.className)
        writer.write(utf8: exception.message)
        writer.write(exception.fields)
        return BinMessage(header: MessageHeader(kind: .exception, clientID: clientID), body: writer.buffer)
    }
}
