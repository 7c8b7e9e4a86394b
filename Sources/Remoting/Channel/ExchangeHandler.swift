// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1
import NIOSSL

/// Carries exchanges over one connection, one at a time, and closes it when it has been idle for long.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPExchange
    typealias OutboundOut = HTTPClientRequestPart

    /// What NIO's decoder has to know of a request; `HTTPExchange` has the bytes.
    private static let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")

    private let idleTimeout: TimeAmount
    private let pause: TimeAmount
    /// Comes first in the pipeline.
    private let secrets: SecretReplyHandler
    private var state = ExchangeState()
    private var reply: EventLoopPromise<HTTPReply>?
    /// Of a reply that is passed on as it comes.
    private var rest: ArrivingBody?
    /// Nothing is read until somebody has taken what came.
    private var isReadHeld = false
    /// Of the reply that is awaited, or of the connection while it is idle.
    private var deadline: MovingDeadline?
    /// The connection is closing; with TLS that may take a while.
    private var isBroken = false

    init(settings: ChannelSettings, secrets: SecretReplyHandler) {
        self.secrets = secrets
        idleTimeout = TimeAmount(settings.idleTimeout)
        pause = TimeAmount(settings.pause)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = MovingDeadline(on: context.eventLoop) { [unowned self] in
            if reply != nil || rest != nil {
                fail(RemotingError.deadline, context: context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let exchange = unwrapOutboundIn(data)
        if isBroken {
            exchange.reply.fail(ClosedBeforeReply())
            promise?.fail(ClosedBeforeReply())
            return
        }
        reply = exchange.reply
        state.requestSent(exchange.room)
        if exchange.room.isWiped { secrets.begin() }
        deadline?.move(to: exchange.deadline)
        context.write(wrapOutboundOut(.head(Self.head)), promise: nil)
        for part in exchange.request { context.write(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        let action =
            switch unwrapInboundIn(data) {
            case .head(let head): state.received(head)
            case .body(let bytes): state.received(bytes)
            case .end: state.receivedEnd()
            }
        switch action {
        case .wait: break
        case .finish(var whole):
            whole.head = secrets.end()
            let pending = reply
            reply = nil
            pending?.succeed(whole)
            finish(keepsConnection: whole.keepsConnection, context: context)
        case .begin(let start): begin(start, context: context)
        case .pass(let bytes):
            deadline?.move(to: .now() + pause)
            rest?.add(bytes)
        case .end(let keepsConnection):
            let rest = rest
            self.rest = nil
            // The connection is ready for the next request before anybody hears of it.
            finish(keepsConnection: keepsConnection, context: context)
            rest?.end(.success(()))
        case .fail(let error): fail(error, context: context)
        }
    }

    func read(context: ChannelHandlerContext) {
        guard rest?.isFull != true else {
            isReadHeld = true
            // It is not the server who keeps us waiting.
            deadline?.clear()
            return
        }
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(failure(for: error), context: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(failure(for: ChannelError.eof), context: context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.end()
        deadline = nil
    }

    private func begin(_ start: HTTPReply, context: ChannelHandlerContext) {
        var start = start
        let rest = ArrivingBody(over: context.channel) { [weak self] in self?.readOn(context) }
        self.rest = rest
        start.rest = rest
        deadline?.move(to: .now() + pause)
        let pending = reply
        reply = nil
        pending?.succeed(start)
    }

    private func readOn(_ context: ChannelHandlerContext) {
        guard isReadHeld else { return }
        isReadHeld = false
        if rest != nil { deadline?.move(to: .now() + pause) }
        context.read()
    }

    private func finish(keepsConnection: Bool, context: ChannelHandlerContext) {
        readOn(context)
        guard keepsConnection else { return context.close(promise: nil) }
        deadline?.move(to: .now() + idleTimeout)
    }

    private func fail(_ error: any Error, context: ChannelHandlerContext) {
        let pending = reply
        let broken = rest
        reply = nil
        rest = nil
        state.wipe()
        isBroken = true
        context.close(promise: nil)
        pending?.fail(error)
        broken?.end(.failure(error))
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
