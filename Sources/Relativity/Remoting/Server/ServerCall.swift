// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// One call to a service.
package struct ServerCall: Sendable {
    /// The ClientID of the caller.
    package let clientID: ClientID
    /// The name of the service.
    package let service: String
    /// The name of the method.
    package let method: String
    private let encoded: BinMessageReader

    init(_ request: RequestMessage) {
        clientID = request.clientID
        service = request.service
        method = request.method
        encoded = request.parameters
    }

    /// Decodes the parameters that the method declares, in order.
    ///
    /// - Throws: `malformed` for bytes that are not such values.
    package func parameters(
        _ declared: [NamedType],
        _ catalog: StructCatalog = StructCatalog()
    ) throws(RemotingError) -> [RemotingValue] {
        var reader = encoded
        var values: [RemotingValue] = []
        for named in declared { values.append(try reader.readValue(named.type, catalog)) }
        return values
    }
}

/// The response to a request: an HTTP status and a body.
struct ServerReply: Sendable {
    /// A Binary of at least this many bytes is sent from its own memory.
    private static let ownPiece = 64 << 10

    let status: Int
    /// The pieces of the body, in order.
    let body: [ByteBuffer]
    let contentType: String

    init(status: Int, body: [ByteBuffer] = []) {
        self.status = status
        self.body = body
        contentType = "application/octet-stream"
    }

    init(_ page: ServedPage) {
        status = 200
        body = [page.body]
        contentType = page.contentType
    }

    /// The length of the body.
    var byteCount: Int { Self.byteCount(body) }

    /// Decodes a request, calls the dispatcher, and encodes the result.
    ///
    /// Exceptions are sent with status 500. The status that vendor servers use is not known; their client accepts
    /// any.
    static func make(
        to request: ByteBuffer,
        by dispatcher: any RemotingDispatcher,
        _ settings: RemotingServer.Settings
    ) async -> ServerReply {
        let limits = settings.limits
        if let poll = try? PollRequest(decoding: request, limits: limits) {
            return await answer(poll.clientID, settings) {
                let message = try await dispatcher.events(for: poll).encoded(to: poll.clientID)
                return (message.header, [message.body])
            }
        }
        guard let call = try? RequestMessage(decoding: request, limits: limits) else { return ServerReply(status: 400) }
        return await answer(call.clientID, settings) {
            let values = try await dispatcher.reply(to: ServerCall(call))
            let start = ReplyMessage.encode(BinMessageWriter(), to: call)
            return (start.header, pieces(of: values, after: start.body))
        }
    }

    private static func byteCount(_ pieces: [ByteBuffer]) -> Int { pieces.reduce(0) { $0 + $1.readableBytes } }

    /// Encodes the values of a reply. A large Binary becomes a piece without being copied.
    private static func pieces(of values: [NamedValue], after start: ByteBuffer) -> [ByteBuffer] {
        var pieces: [ByteBuffer] = []
        var writer = BinMessageWriter(start)
        for named in values {
            if case .binary(let bytes?) = named.value, bytes.readableBytes >= ownPiece {
                writer.writeAssigned(true)
                writer.writeCount(bytes.readableBytes)
                pieces += [writer.buffer, bytes]
                writer = BinMessageWriter()
            } else {
                writer.write(named.value)
            }
        }
        return pieces + [writer.buffer]
    }

    private static func answer(
        _ clientID: ClientID,
        _ settings: RemotingServer.Settings,
        _ message: () async throws -> (MessageHeader, [ByteBuffer])
    ) async -> ServerReply {
        do {
            let (header, body) = try await message()
            return ServerReply(status: 200, body: encoded(header, body, settings))
        } catch {
            let message = ReplyMessage.encode(exception(for: error), to: clientID)
            return ServerReply(status: 500, body: encoded(message.header, [message.body], settings))
        }
    }

    private static func encoded(
        _ header: MessageHeader,
        _ body: [ByteBuffer],
        _ settings: RemotingServer.Settings
    ) -> [ByteBuffer] {
        let count = byteCount(body)
        if count < settings.compressingFrom ?? .max {
            var start = ByteBuffer()
            header.write(to: &start)
            return [start] + body
        }
        var whole = ByteBuffer()
        whole.reserveCapacity(count)
        for piece in body { whole.writeImmutableBuffer(piece) }
        let message = BinMessage(header: header, body: whole)
        return [message.encoded(compressingFrom: 0, level: settings.compressionLevel)]
    }

    private static func exception(for error: any Error) -> RemotingException {
        switch error {
        case let exception as RemotingException: exception
        case let error as RemotingError: RemotingException(className: "Exception", message: error.description)
        default: RemotingException(className: "Exception", message: "internal error")
        }
    }
}
