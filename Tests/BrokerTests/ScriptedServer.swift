// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import NIOSSL
import Remoting

/// A server that records every byte it receives, below and above TLS, and answers each complete request as the test
/// specifies.
final class ScriptedServer: Sendable {
    /// A part of the reaction to a request.
    enum Act: Sendable {
        case send([UInt8])
        case pause(TimeAmount)
        /// Closes the connection when all has been sent.
        case close
    }

    /// Without `close` the connection stays open.
    typealias Reply = [Act]
    typealias Behaviour = @Sendable (RequestMessage) -> Reply
    typealias Page = @Sendable (ClientID?) -> Reply

    private struct Seen {
        var bytes: [UInt8] = []
        var received = 0
        var requests: [RequestMessage] = []
        /// The heads of GET requests, in lower case.
        var pageRequests: [String] = []
        var connections: [any Channel] = []
        var behaviour: Behaviour
        let page: Page?
    }

    private final class SeenBox: Sendable {
        let state: Lock<Seen>
        init(_ seen: Seen) { state = Lock(seen) }
    }

    let address: SocketAddress
    private let channel: any Channel
    private let seen: SeenBox

    /// - Parameters:
    ///   - address: nil for a free port of loopback.
    ///   - patience: the time after which it disconnects in any case; nil for never.
    ///   - page: the answer to a GET after requests with a ClientID, if there were any.
    init(
        at address: SocketAddress? = nil,
        on loop: any EventLoop,
        tls: NIOSSLContext? = nil,
        patience: TimeAmount? = nil,
        page: Page? = nil,
        behaviour: @escaping Behaviour
    ) async throws {
        let seen = SeenBox(Seen(behaviour: behaviour, page: page))
        self.seen = seen
        channel = try await ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    seen.state.withLock { $0.connections.append(channel) }
                    if let patience {
                        let hangUp = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                        channel.closeFuture.whenComplete { _ in hangUp.cancel() }
                    }
                    if let tls {
                        try pipeline.addHandler(Recorder(seen))
                        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try pipeline.addHandler(Recorder(seen))
                    try pipeline.addHandler(Requests(seen))
                }
            }
            .bind(to: try address ?? SocketAddress(ipAddress: "127.0.0.1", port: 0)).get()
        guard let bound = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        self.address = bound
        TestEnds.current?.add { [self] in await stop() }
    }

    var port: UInt16 { UInt16(address.port ?? 0) }
    var bytes: [UInt8] { seen.state.withLock { $0.bytes } }
    /// The number of bytes above TLS.
    var received: Int { seen.state.withLock { $0.received } }
    var requests: [RequestMessage] { seen.state.withLock { $0.requests } }
    var pageRequests: [String] { seen.state.withLock { $0.pageRequests } }
    var connections: Int { seen.state.withLock { $0.connections.count } }
    var openConnections: Int { seen.state.withLock { $0.connections.count(where: \.isActive) } }
    /// The ClientIDs that were received.
    var clientIDs: Set<ClientID> { Set(requests.map(\.clientID)) }

    func count(_ method: String) -> Int { seen.state.withLock { $0.requests.count { $0.method == method } } }

    func clientIDs(of method: String) -> Set<ClientID> {
        Set(requests.filter { $0.method == method }.map(\.clientID))
    }

    func behave(_ behaviour: @escaping Behaviour) {
        seen.state.withLock { $0.behaviour = behaviour }
    }

    func stop() async {
        try? await channel.close()
        await hangUp()
    }

    /// Closes the connections that are open now.
    func hangUp() async {
        for channel in seen.state.withLock({ $0.connections }) { try? await channel.close() }
    }

    private final class Recorder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let seen: SeenBox
        init(_ seen: SeenBox) { self.seen = seen }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            seen.state.withLock { $0.bytes += bytes.readableBytesView }
            context.fireChannelRead(data)
        }
    }

    private final class Requests: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let seen: SeenBox
        private var text: [UInt8] = []
        init(_ seen: SeenBox) { self.seen = seen }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            text += bytes.readableBytesView
            seen.state.withLock { $0.received += bytes.readableBytes }
            guard let posted = PostedRequest(in: text) else { return }
            let request = try? RequestMessage(decoding: posted.body)
            let reply: (() -> Reply)? = seen.state.withLock { seen in
                if let page = seen.page, posted.head.hasPrefix("get ") {
                    seen.pageRequests.append(posted.head)
                    return { [last = seen.requests.last] in page(last?.clientID) }
                }
                guard let request else { return nil }
                seen.requests.append(request)
                return { [behaviour = seen.behaviour] in behaviour(request) }
            }
            guard let reply else { return }
            text.removeFirst(posted.end)
            Self.perform(reply()[...], on: context.channel)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private static func perform(_ acts: Reply.SubSequence, on channel: any Channel) {
            guard let first = acts.first, channel.isActive else { return }
            let rest = acts.dropFirst()
            switch first {
            case .send(let bytes):
                channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenSuccess { perform(rest, on: channel) }
            case .pause(let time): channel.eventLoop.scheduleTask(in: time) { perform(rest, on: channel) }
            case .close: channel.close(promise: nil)
            }
        }
    }
}

extension [ScriptedServer.Act] {
    static func bytes(_ bytes: [UInt8]) -> Self { [.send(bytes)] }
    static func bytesThenClose(_ bytes: [UInt8]) -> Self { [.send(bytes), .close] }
    static func text(_ text: String) -> Self { .bytes([UInt8](text.utf8)) }

    static func message(_ message: ByteBuffer, status: Int = 200) -> Self {
        let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(message.readableBytes)\r\n\r\n"
        return .bytes([UInt8](head.utf8) + [UInt8](message.readableBytesView))
    }

    /// The reply true, like a login service.
    static func accepted(_ request: RequestMessage) -> Self {
        var values = BinMessageWriter()
        values.write(true)
        return .message(ReplyMessage.encode(values, to: request).encoded())
    }

    static func exception(_ exception: RemotingException, _ request: RequestMessage) -> Self {
        .message(ReplyMessage.encode(exception, to: request.clientID).encoded(), status: 500)
    }

    /// All bytes that are sent.
    var bytes: [UInt8] {
        flatMap { act in if case .send(let bytes) = act { bytes } else { [] as [UInt8] } }
    }

    /// The same bytes, each in a separate turn of the loop.
    var inDrops: Self { bytes.flatMap { [.send([$0]), .pause(.zero)] } }
}

/// The first HTTP request in some bytes, if it is complete.
struct PostedRequest {
    /// In lower case, with a line feed between two lines.
    let head: String
    let body: ByteBuffer
    let end: Int

    init?(in text: [UInt8]) {
        let blankLine = [13, 10, 13, 10] as [UInt8]
        guard let split = text.indices.first(where: { text[$0...].starts(with: blankLine) }) else { return nil }
        let lines = String(decoding: text[..<split], as: UTF8.self).lowercased().split(separator: "\r\n")
        let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        end = split + 4 + length
        guard text.count >= end else { return nil }
        head = lines.joined(separator: "\n")
        body = ByteBuffer(bytes: text[(split + 4)..<end])
    }
}
