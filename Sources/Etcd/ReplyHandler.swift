// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1

/// Collects the only reply of a connection.
final class ReplyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// The status and the body of a reply.
    struct Reply: Sendable {
        let isOK: Bool
        let body: [UInt8]
    }

    private let limit: Int
    private let promise: EventLoopPromise<Reply>
    private var isOK = false
    private var body: [UInt8] = []

    init(limit: Int, _ promise: EventLoopPromise<Reply>) {
        self.limit = limit
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): isOK = head.status == .ok
        case .body(let piece):
            guard body.count + piece.readableBytes <= limit else {
                promise.fail(EtcdError.tooLarge(limit: limit))
                return context.close(promise: nil)
            }
            body += piece.readableBytesView
        case .end: promise.succeed(Reply(isOK: isOK, body: body))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(EtcdConnector.error(for: error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(EtcdError.closed)
    }
}
