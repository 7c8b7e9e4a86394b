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

/// A reply: the values of a normal one, or an exception (docs/wire.md, "Reply", "Exception").
package enum ReplyMessage {
    /// Reads a reply up to its first value.
    ///
    /// The service and method names in it are skipped, and its ClientID is not looked at: a client keeps its own.
    /// - Throws: `exception` for an exception message; else `malformed`, `tooLarge` or `aesEnvelope`.
    package static func values(
        of bytes: ByteBuffer,
        limits: WireLimits = .standard
    ) throws(RemotingError)
        -> BinMessageReader
    {
        try values(of: try BinMessage(decoding: bytes, limits: limits), limits: limits)
    }

    /// The same of a message that was read already.
    package static func values(
        of message: BinMessage,
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
            throw .exception(try exception(from: &reader))
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
        return try exception(from: &reader)
    }

    /// The class of the exception in a reply, or nil if it is none; nothing else is made a text.
    package static func exceptionClass(
        in bytes: ByteBuffer,
        limits: WireLimits = .standard
    ) throws(RemotingError)
        -> String?
    {
        var start = bytes
        guard try MessageHeader(from: &start).kind == .exception else { return nil }
        var reader = BinMessageReader(try BinMessage(decoding: bytes, limits: limits).body, limits: limits)
        return try reader.readText(atMost: WireLimits.exceptionClass, "class of an exception")
    }

    /// The fields behind the message of a declared class are left unread: their order is not known.
    private static func exception(from reader: inout BinMessageReader) throws(RemotingError) -> RemotingException {
        let className = try reader.readText(atMost: WireLimits.exceptionClass, "class of an exception")
        let message = try reader.readText(atMost: WireLimits.exceptionText, "text of an exception")
        return RemotingException(className: className, message: message)
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

    /// An exception as the reply to a client, without its fields: their order is not known.
    package static func encode(_ exception: RemotingException, to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: exception.className)
        writer.write(utf8: exception.message)
        return BinMessage(header: MessageHeader(kind: .exception, clientID: clientID), body: writer.buffer)
    }
}

/// An exception message of the server (docs/wire.md, "Exception").
///
/// All texts are the server's and not made printable.
package struct RemotingException: Error, Hashable, Sendable {
    package let className: String
    package let message: String
    /// The fields of a declared exception, which only JSON carries, by name; none if the reader does not know its class.
    package let fields: [NamedValue]

    package init(className: String, message: String, fields: [NamedValue] = []) {
        self.className = className
        self.message = message
        self.fields = fields
    }

    /// The classes that Delphi and .NET servers use for a ClientID without a session.
    package var isSessionNotFound: Bool {
        className == "SessionNotFoundException" || className == "EROSessionNotFound"
    }

    /// What a .NET server answers to a call without a session.
    package static let sessionNotFound = RemotingException(
        className: "SessionNotFoundException",
        message: "Session could not be found."
    )
}
