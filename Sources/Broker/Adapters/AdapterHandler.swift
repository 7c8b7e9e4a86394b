// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1
import Platform
import Remoting

/// Collects one HTTP request at a time from a tool and writes the answer to it.
final class AdapterHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let maximumBytes: Int
    private let silence: TimeAmount
    private let budget: RequestBudget
    private let gate: LoopbackGate?
    /// What this connection holds of the budget, until its request is answered.
    private var held = 0
    private let answer: @Sendable (ByteBuffer) async -> AdapterReply
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var running: Task<Void, Never>?
    private var idleTimer: Scheduled<Void>?
    private var isInputClosed = false

    init(
        limits: AdapterLimits,
        budget: RequestBudget,
        gate: LoopbackGate?,
        answer: @escaping @Sendable (ByteBuffer) async -> AdapterReply
    ) {
        self.budget = budget
        self.gate = gate
        maximumBytes = limits.requestBytes
        silence = TimeAmount(limits.silence)
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) { restartIdleTimer(context) }

    func channelInactive(context: ChannelHandlerContext) {
        idleTimer?.cancel()
        running?.cancel()
        giveBack()
        context.fireChannelInactive()
    }

    /// A tool that has sent its last request may still wait for the answer.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            if running == nil { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let status = gate?.refusal(of: head) {
                turnAway(context, status)
                return
            }
            self.head = head
            body.clear()
            if let length = head.headers.first(name: "Content-Length").flatMap(Int.init), length > maximumBytes {
                refuse(context, RemotingError.tooLarge(limit: maximumBytes))
            }
        case .body(var chunk):
            // The rest of a request that was refused already.
            guard head != nil else { return }
            guard body.readableBytes + chunk.readableBytes <= maximumBytes else {
                refuse(context, RemotingError.tooLarge(limit: maximumBytes))
                return
            }
            guard budget.take(chunk.readableBytes) else {
                refuse(context, BrokerError.overloaded)
                return
            }
            held += chunk.readableBytes
            body.writeBuffer(&chunk)
        case .end:
            guard let head else { return }
            self.head = nil
            guard head.method == .POST else {
                refuse(context, RemotingError.malformed(reason: "an adapter takes POST only"))
                return
            }
            run(body, keepAlive: head.isKeepAlive, context)
            body = ByteBuffer()
        }
    }

    private func run(_ request: ByteBuffer, keepAlive: Bool, _ context: ChannelHandlerContext) {
        idleTimer?.cancel()
        let box = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        // Here the event loop's callbacks become a task; it ends with the answer or with the connection.
        running = Task(executorPreference: LoopExecutor(loop)) { [answer] in
            let reply = await answer(request)
            loop.execute {
                let (handler, context) = box.value
                handler.write(reply, keepAlive: keepAlive, context)
            }
        }
    }

    private func write(_ reply: AdapterReply, keepAlive: Bool, _ context: ChannelHandlerContext) {
        running = nil
        giveBack()
        guard context.channel.isActive else { return }
        var headers = HTTPHeaders([
            ("Content-Type", "application/octet-stream"), ("Content-Length", "\(reply.body.readableBytes)"),
        ])
        let keepAlive = keepAlive && !isInputClosed
        if !keepAlive { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: reply.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(reply.body))), promise: nil)
        let done = context.eventLoop.makePromise(of: Void.self)
        if !keepAlive {
            let channel = context.channel
            done.futureResult.whenComplete { _ in channel.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: done)
        restartIdleTimer(context)
    }

    private func giveBack() {
        budget.giveBack(held)
        held = 0
    }

    private func refuse(_ context: ChannelHandlerContext, _ error: any Error) {
        head = nil
        write(AdapterReply(error, to: body), keepAlive: false, context)
    }

    private func turnAway(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus) {
        write(AdapterReply(status: status), keepAlive: false, context)
    }

    private func restartIdleTimer(_ context: ChannelHandlerContext) {
        idleTimer?.cancel()
        let channel = context.channel
        idleTimer = context.eventLoop.scheduleTask(in: silence) { channel.close(promise: nil) }
    }
}
