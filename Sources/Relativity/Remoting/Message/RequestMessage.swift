// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A request: the ClientID of the caller, the service, the method and the parameters (docs/wire.md, "Request").
package struct RequestMessage: Sendable {
    /// The maximum length of a service or method name in bytes; longer names are rejected.
    static let nameLimit = 256

    /// The ClientID of the caller.
    package let clientID: ClientID
    /// The name of the service.
    package let service: String
    /// The name of the method.
    package let method: String
    /// A reader at the first parameter.
    package var parameters: BinMessageReader

    /// Decodes a request and inflates its body if it is compressed.
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

    /// Returns a writer that contains the header and the names. After the parameters have been written to it,
    /// `buffer` is the complete message.
    ///
    /// - Parameter parameterBytes: capacity to reserve, so that a secret among the parameters is not copied when the
    ///   buffer grows.
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
    /// Decodes a reply up to its first value.
    ///
    /// The ClientID is ignored: a client keeps its own. The service name is ignored too.
    ///
    /// - Parameter method: the method that was called; nil if the name in the reply is not to be compared.
    /// - Throws: `exception` for an exception message; otherwise `malformed`, also for the reply to a call of another
    ///   method, `tooLarge` or `aesEnvelope`.
    package static func values(
        of bytes: ByteBuffer,
        to method: String? = nil,
        limits: WireLimits = .standard
    ) throws(RemotingError)
        -> BinMessageReader
    {
        try values(of: try BinMessage(decoding: bytes, limits: limits), to: method, limits: limits)
    }

    /// Does the same for a message that is already decoded.
    package static func values(
        of message: BinMessage,
        to method: String? = nil,
        limits: WireLimits
    ) throws(RemotingError)
        -> BinMessageReader
    {
        var reader = BinMessageReader(message.body, limits: limits)
        switch message.header.kind {
        case .message:
            _ = try reader.readCounted()
            let name = try reader.readCounted()
            guard method.map({ answers(name, to: $0) }) ?? true else { throw otherCall }
            return reader
        case .exception:
            throw .exception(try exception(from: &reader))
        case .event, .poll, .pollResponse:
            throw .malformed(reason: "not a reply to a call")
        }
    }

    /// The error for the reply to another call.
    package static let otherCall = RemotingError.malformed(reason: "the reply to another call")

    /// Whether a reply with this name of a method may answer a call.
    ///
    /// Servers append `Response` to the name. A name in another form is not compared, because its meaning is not known.
    package static func answers(_ name: ByteBuffer, to method: String) -> Bool {
        let suffix = "Response".utf8
        let name = name.readableBytesView
        guard name.suffix(suffix.count).elementsEqual(suffix), !isSame(name, method) else { return true }
        return isSame(name.dropLast(suffix.count), method)
    }

    /// Compares without regard to the case of ASCII letters.
    private static func isSame(_ name: ByteBufferView, _ method: String) -> Bool {
        func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
        return name.count == method.utf8.count && name.lazy.map(folded).elementsEqual(method.utf8.lazy.map(folded))
    }

    /// Returns the exception in a reply, or nil if the reply is not an exception. Nothing else of the reply is
    /// checked.
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

    /// Returns the class of the exception in a reply, or nil if the reply is not an exception. No other text is
    /// decoded.
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

    /// Returns the stack trace that a .NET server appends to an exception: a text in UTF-8 that ends with the message.
    /// An exception with fields has none here, because their number is not known.
    ///
    /// Only for code without secrets: an exception of a login may repeat the password.
    ///
    /// - Returns: at most `WireLimits.stackTrace` bytes; nil if there is no trace.
    package static func stackTrace(in bytes: ByteBuffer, limits: WireLimits = .standard) -> String? {
        guard let message = try? BinMessage(decoding: bytes, limits: limits), message.header.kind == .exception else {
            return nil
        }
        var reader = BinMessageReader(message.body, limits: limits)
        guard (try? exception(from: &reader)) != nil, let trace = try? reader.readCounted(), reader.remaining == 0,
            trace.readableBytes > 0
        else { return nil }
        return String(decoding: trace.readableBytesView.prefix(WireLimits.stackTrace), as: UTF8.self)
    }

    /// Reads the class and the message. The fields of a declared class that follow are not read: their order is not
    /// known.
    private static func exception(from reader: inout BinMessageReader) throws(RemotingError) -> RemotingException {
        let className = try reader.readText(atMost: WireLimits.exceptionClass, "class of an exception")
        let message = try reader.readText(atMost: WireLimits.exceptionText, "text of an exception")
        return RemotingException(className: className, message: message)
    }

    /// Encodes a normal reply to `request` with values that are already encoded.
    package static func encode(_ values: BinMessageWriter, to request: RequestMessage) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: request.service)
        writer.write(utf8: request.method + "Response")
        var body = writer.buffer
        body.writeImmutableBuffer(values.buffer)
        return BinMessage(header: MessageHeader(clientID: request.clientID), body: body)
    }

    /// Encodes an exception as the reply to a client, without its fields: their order is not known.
    package static func encode(_ exception: RemotingException, to clientID: ClientID) -> BinMessage {
        var writer = BinMessageWriter()
        writer.write(utf8: exception.className)
        writer.write(utf8: exception.message)
        return BinMessage(header: MessageHeader(kind: .exception, clientID: clientID), body: writer.buffer)
    }
}

/// An exception message of the server (docs/wire.md, "Exception").
///
/// All texts come from the server and are untrusted; escape them before printing.
package struct RemotingException: Error, Hashable, Sendable {
    /// The name of the exception's class.
    package let className: String
    /// The text of the exception.
    package let message: String

    /// Creates an exception.
    package init(className: String, message: String) {
        self.className = className
        self.message = message
    }

    /// Whether the class is one that Delphi and .NET servers use for a ClientID without a session.
    package var isSessionNotFound: Bool {
        className == "SessionNotFoundException" || className == "EROSessionNotFound"
    }

    /// The answer of a .NET server to a call without a session.
    package static let sessionNotFound = RemotingException(
        className: "SessionNotFoundException",
        message: "Session could not be found."
    )
}
