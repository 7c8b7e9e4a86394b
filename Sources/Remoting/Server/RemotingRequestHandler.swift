// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1
import Platform

/// Takes requests off one HTTP connection, one at a time, and has them answered.
final class RemotingRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case head
        case body(ByteBuffer, announced: Int, MessageFormat, keepsConnection: Bool)
        /// What remains of a request that was refused.
        case discarding
    }

    /// By path in lower case.
    private let formats: [String: MessageFormat]
    private let dispatcher: any RemotingDispatcher
    private let settings: RemotingServer.Settings
    private var phase = Phase.head
    private var answering: Task<Void, Never>?

    init(formats: [String: MessageFormat], dispatcher: any RemotingDispatcher, settings: RemotingServer.Settings) {
        self.formats = formats
        self.dispatcher = dispatcher
        self.settings = settings
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context.channel)
        case .body(let bytes): append(bytes, context.channel)
        case .end: end(context.channel)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answering?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else { return context.fireUserInboundEventTriggered(event) }
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPRequestHead, _ channel: any Channel) {
        let asked = head.uri.prefix { $0 != "?" }.lowercased()
        let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard let format = formats[asked] else { return refuse(.notFound, channel) }
        guard head.method == .POST else { return refuse(.methodNotAllowed, channel) }
        guard announced <= settings.limits.message else { return refuse(.payloadTooLarge, channel) }
        phase = .body(ByteBuffer(), announced: announced, format, keepsConnection: head.isKeepAlive)
    }

    private func append(_ bytes: ByteBuffer, _ channel: any Channel) {
        guard case .body(var body, let announced, let format, let keepsConnection) = phase else { return }
        guard body.readableBytes + bytes.readableBytes <= settings.limits.message else {
            return refuse(.payloadTooLarge, channel)
        }
        // Otherwise the phase shares the body's storage, and each part would copy all before it.
        phase = .head
        body.collect(bytes, of: announced)
        phase = .body(body, announced: announced, format, keepsConnection: keepsConnection)
    }

    private func end(_ channel: any Channel) {
        guard case .body(let body, _, let format, let keepsConnection) = phase else { return }
        phase = .head
        answering = Self.answer(body, format, keepsConnection: keepsConnection, channel, dispatcher, settings)
    }

    /// The one place where a callback of the loop turns async; it ends with the reply or the connection.
    private static func answer(
        _ request: ByteBuffer,
        _ format: MessageFormat,
        keepsConnection: Bool,
        _ channel: any Channel,
        _ dispatcher: any RemotingDispatcher,
        _ settings: RemotingServer.Settings
    ) -> Task<Void, Never> {
        Task(executorPreference: LoopExecutor(channel.eventLoop)) {
            let reply = await ServerReply.make(to: request, in: format, by: dispatcher, settings)
            write(reply, keepsConnection: keepsConnection, to: channel)
        }
    }

    private func refuse(_ status: HTTPResponseStatus, _ channel: any Channel) {
        phase = .discarding
        Self.write(ServerReply(status: Int(status.code)), keepsConnection: false, to: channel)
    }

    private static func write(_ reply: ServerReply, keepsConnection: Bool, to channel: any Channel) {
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: reply.status),
            headers: [
                "Content-Type": reply.format.contentType,
                "Content-Length": "\(reply.body.readableBytes)",
                "Connection": keepsConnection ? "keep-alive" : "close",
            ]
        )
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(reply.body)), promise: nil)
        let written = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !keepsConnection { written.whenComplete { _ in channel.close(promise: nil) } }
    }
}
