// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Locks
package import NIOCore
import NIOHTTP1
import NIOPosix
import Platform

/// A Remoting SDK server over HTTP/1.1.
package struct RemotingServer: Sendable {
    /// The path, and limits on what clients may use of the server.
    package struct Settings: Sendable {
        /// The path for BinMessages, compared without case.
        package var path: String
        /// The maximum number of connections.
        package var connections: Int
        /// A connection without traffic is closed after this time.
        package var idleTimeout: Duration
        /// The limits for each request.
        package var limits: WireLimits
        /// Bodies of at least this many bytes are compressed; nil disables compression. Vendor servers begin at 4,096
        /// (docs/wire.md, "Compression").
        package var compressingFrom: Int? = 4096
        /// The level of compression, zlib's from 1 to 9.
        package var compressionLevel = 6

        /// Creates settings.
        package init(
            path: String = "/bin",
            connections: Int = 256,
            idleTimeout: Duration = .seconds(60),
            limits: WireLimits = .standard
        ) {
            self.path = path
            self.connections = connections
            self.idleTimeout = idleTimeout
            self.limits = limits
        }
    }

    /// The addresses that the server listens on, with the ports that the system chose for port 0.
    package let addresses: [SocketAddress]
    private let listeners: [any Channel]
    private let cap: ConnectionCap

    /// Binds every address; if one fails, none stays bound.
    ///
    /// - Throws: NIO's error for the address (`IOError`).
    package static func listen(
        on addresses: [SocketAddress],
        loop: any EventLoop,
        settings: Settings = Settings(),
        dispatcher: any RemotingDispatcher
    ) async throws -> RemotingServer {
        let cap = ConnectionCap(limit: settings.connections)
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                guard cap.admits(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ReadAhead())
                    try pipeline.addHandler(IdleStateHandler(allTimeout: TimeAmount(settings.idleTimeout)))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(RemotingRequestHandler(dispatcher: dispatcher, settings: settings))
                }
            }
        var listeners: [any Channel] = []
        do {
            for address in addresses { listeners.append(try await bootstrap.bind(to: address).get()) }
        } catch {
            for listener in listeners { listener.close(promise: nil) }
            throw error
        }
        return RemotingServer(addresses: listeners.compactMap(\.localAddress), listeners: listeners, cap: cap)
    }

    /// Stops listening and closes all connections, also those with an unanswered request.
    package func stop() async {
        for listener in listeners { try? await listener.close() }
        cap.closeAll()
    }
}

/// Answers the calls that a `RemotingServer` receives.
package protocol RemotingDispatcher: Sendable {
    /// Returns the values of the reply: first the result, named `Result`, then the out parameters.
    ///
    /// - Throws: `RemotingException`, which is sent to the client unchanged. A `RemotingError` from decoding the
    ///   parameters is sent as class `Exception` with its description, any other error as `Exception` with a generic
    ///   text.
    func reply(to call: ServerCall) async throws -> [NamedValue]

    /// Returns the events that are queued for a client, at most as many as it requests. They count as delivered.
    ///
    /// - Throws: the same as `reply(to:)`.
    func events(for poll: PollRequest) async throws -> PollReply

    /// The reply to a GET of the path; nil to answer none.
    var page: ServedPage? { get }
}

extension RemotingDispatcher {
    /// Returns no events.
    package func events(for poll: PollRequest) async throws -> PollReply {
        PollReply(events: [])
    }

    /// Nil: no GET is answered.
    package var page: ServedPage? { nil }
}

/// Reads requests from one HTTP connection, one at a time, and sends the replies.
final class RemotingRequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case head
        case body(ByteBuffer, announced: Int, keepsConnection: Bool)
        /// A GET, whose body is ignored.
        case page(ServedPage, keepsConnection: Bool)
        /// The rest of a rejected request is ignored.
        case discarding
    }

    private let dispatcher: any RemotingDispatcher
    private let settings: RemotingServer.Settings
    private var phase = Phase.head
    private var answering: Task<Void, Never>?

    init(dispatcher: any RemotingDispatcher, settings: RemotingServer.Settings) {
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
        // A client may pause within a reply, as a user does who reads a table page by page.
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        if unsent == 0 { context.close(promise: nil) }
    }

    private func begin(_ head: HTTPRequestHead, _ channel: any Channel) {
        let asked = head.uri.prefix { $0 != "?" }.lowercased()
        let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard asked == settings.path.lowercased() else { return refuse(.notFound, channel) }
        if head.method == .GET, let page = dispatcher.page {
            phase = .page(page, keepsConnection: head.isKeepAlive)
            return
        }
        guard head.method == .POST else { return refuse(.methodNotAllowed, channel) }
        guard announced <= settings.limits.message else { return refuse(.payloadTooLarge, channel) }
        phase = .body(ByteBuffer(), announced: announced, keepsConnection: head.isKeepAlive)
    }

    private func append(_ bytes: ByteBuffer, _ channel: any Channel) {
        guard case .body(var body, let announced, let keepsConnection) = phase else { return }
        guard body.readableBytes + bytes.readableBytes <= settings.limits.message else {
            return refuse(.payloadTooLarge, channel)
        }
        // Otherwise the phase would share the body's storage, and each part would copy all before it.
        phase = .head
        body.collect(bytes, of: announced)
        phase = .body(body, announced: announced, keepsConnection: keepsConnection)
    }

    private func end(_ channel: any Channel) {
        if case .page(let page, let keepsConnection) = phase {
            phase = .head
            return Self.write(ServerReply(page), keepsConnection: keepsConnection, to: channel)
        }
        guard case .body(let body, _, let keepsConnection) = phase else { return }
        phase = .head
        answering = Self.answer(body, keepsConnection: keepsConnection, channel, dispatcher, settings)
    }

    /// The only place where an event loop callback starts async code. The task ends with the reply or the connection.
    private static func answer(
        _ request: ByteBuffer,
        keepsConnection: Bool,
        _ channel: any Channel,
        _ dispatcher: any RemotingDispatcher,
        _ settings: RemotingServer.Settings
    ) -> Task<Void, Never> {
        Task(executorPreference: LoopExecutor(channel.eventLoop)) {
            let reply = await ServerReply.make(to: request, by: dispatcher, settings)
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
                "Content-Type": reply.contentType,
                "Content-Length": "\(reply.byteCount)",
                "Connection": keepsConnection ? "keep-alive" : "close",
            ]
        )
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        for piece in reply.body { channel.write(HTTPServerResponsePart.body(.byteBuffer(piece)), promise: nil) }
        let written = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !keepsConnection { written.whenComplete { _ in channel.close(promise: nil) } }
    }
}

/// The reply of a server to every GET.
package struct ServedPage: Sendable {
    /// The body.
    package let body: ByteBuffer
    /// The value of the header `Content-Type`.
    package let contentType: String

    /// Creates a page.
    package init(body: ByteBuffer, contentType: String) {
        self.body = body
        self.contentType = contentType
    }
}

/// Limits the number of connections, and closes all of them when the server stops.
final class ConnectionCap: Sendable {
    private let limit: Int
    private let open = Lock<[ObjectIdentifier: any Channel]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Registers a connection until it closes. Returns false if the limit is reached.
    func admits(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let admitted = open.withLock { open in
            guard open.count < limit else { return false }
            open[id] = channel
            return true
        }
        guard admitted else { return false }
        channel.closeFuture.whenComplete { _ in self.open.withLock { $0[id] = nil } }
        return true
    }

    func closeAll() {
        for channel in open.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
