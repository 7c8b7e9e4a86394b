// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What a server sends back: an HTTP status and a body.
struct ServerReply: Sendable {
    /// Vendor servers compress bodies from this size on (docs/wire.md, "Compression").
    static let compressionThreshold = 4096

    let status: Int
    let body: ByteBuffer

    /// Reads a request, has it answered, and encodes what came out.
    ///
    /// Exceptions go with status 500. Which status vendor servers use is not known; their client takes any.
    static func make(
        to request: ByteBuffer,
        by dispatcher: any RemotingDispatcher,
        limits: WireLimits
    ) async -> ServerReply {
        guard let call = try? RequestMessage(decoding: request, limits: limits) else {
            return ServerReply(status: 400, body: ByteBuffer())
        }
        do {
            return encode(ReplyMessage.encode(try await dispatcher.reply(to: call), to: call), status: 200)
        } catch {
            return encode(ReplyMessage.encode(exception(for: error), to: call.clientID), status: 500)
        }
    }

    private static func exception(for error: any Error) -> RemotingException {
        switch error {
        case let exception as RemotingException: exception
        case let error as RemotingError: RemotingException(className: "Exception", message: error.description)
        default: RemotingException(className: "Exception", message: "internal error")
        }
    }

    private static func encode(_ message: BinMessage, status: Int) -> ServerReply {
        ServerReply(status: status, body: message.encoded(compressingFrom: compressionThreshold))
    }
}
