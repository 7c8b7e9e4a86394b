// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOSSL

/// Carries exchanges over one connection, one at a time, and closes it when it has been idle for long.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    private let idleTimeout: TimeAmount
    private var state: ExchangeState
    private var reply: EventLoopPromise<HTTPReply>?
    private var idleTimer: Scheduled<Void>?
    /// The connection is closing; with TLS that may take a while.
    private var isBroken = false

    init(settings: ChannelSettings) {
        idleTimeout = TimeAmount(settings.idleTimeout)
        state = ExchangeState(bodyLimit: settings.limits.message)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        idleTimer?.cancel()
        if isBroken {
            exchange.reply.fail(ClosedBeforeReply())
            promise?.fail(ClosedBeforeReply())
            return
        }
        reply = exchange.reply
        state.requestSent()
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(exchange.body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let action =
            switch unwrapInboundIn(data) {
            case .head(let head): state.received(head)
            case .body(let bytes): state.received(bytes)
            case .end: state.receivedEnd()
            }
        switch action {
        case .wait: break
        case .finish(let reply): finish(reply, context: context)
        case .fail(let error): fail(error, context: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(failure(for: error), context: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(failure(for: ChannelError.eof), context: context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idleTimer?.cancel()
    }

    private func finish(_ result: HTTPReply, context: ChannelHandlerContext) {
        let pending = reply
        reply = nil
        pending?.succeed(result)
        guard result.keepsConnection else { return context.close(promise: nil) }
        let channel = context.channel
        idleTimer = context.eventLoop.scheduleTask(in: idleTimeout) { channel.close(promise: nil) }
    }

    private func fail(_ error: any Error, context: ChannelHandlerContext) {
        let pending = reply
        reply = nil
        isBroken = true
        context.close(promise: nil)
        pending?.fail(error)
    }

    private func failure(for error: any Error) -> any Error {
        switch error {
        case is HTTPParserError: RemotingError.malformed(reason: "not an HTTP reply")
        case is NIOSSLError, is BoringSSLError: RemotingError.interrupted(reason: "TLS failed")
        case _ where state.awaitsReply: ClosedBeforeReply()
        default: RemotingError.interrupted(reason: "connection closed during the reply")
        }
    }
}
