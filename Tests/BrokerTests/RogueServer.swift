// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import NIOSSL
import Remoting

/// A TCP server on loopback that counts its input, and answers each complete request with bytes that the test chooses.
final class RogueServer: Sendable {
    enum Reply: Sendable {
        /// Sent unchanged. Then the connection stays open.
        case bytes([UInt8])
        case bytesThenClose([UInt8])
        /// Sent one byte at a time, each in a separate turn of the loop.
        case drops([UInt8])

        static func text(_ text: String) -> Reply { .bytes(Array(text.utf8)) }

        static func message(_ message: ByteBuffer, status: Int = 200) -> Reply {
            let head = "HTTP/1.1 \(status) X\r\nContent-Length: \(message.readableBytes)\r\n\r\n"
            return .bytes(Array(head.utf8) + Array(message.readableBytesView))
        }

        /// The same bytes, one at a time.
        var inDrops: Reply {
            switch self {
            case .bytes(let bytes), .bytesThenClose(let bytes), .drops(let bytes): .drops(bytes)
            }
        }
    }

    private struct Seen {
        var connections = 0
        var bytes = 0
        var requests: [RequestMessage] = []
        /// The heads of GET requests, in lower case.
        var pageRequests: [String] = []
        var open: [any Channel] = []
    }

    let address: SocketAddress
    private let channel: any Channel
    private let seen: SeenBox

    private final class SeenBox: Sendable {
        let state = Lock(Seen())
    }

    /// - Parameter page: the answer to a GET after requests with a ClientID, if there were any.
    init(
        on loop: any EventLoop,
        tls: NIOSSLContext? = nil,
        page: (@Sendable (ClientID?) -> Reply)? = nil,
        reply: @escaping @Sendable (RequestMessage) -> Reply
    ) async throws {
        let seen = SeenBox()
        self.seen = seen
        channel = try await ServerBootstrap(group: loop)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(
                        Handler(seen: seen, page: page, reply: reply)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        self.address = address
    }

    /// The number of open connections.
    var openConnections: Int { seen.state.withLock { $0.open.count(where: \.isActive) } }
    var connections: Int { seen.state.withLock { $0.connections } }
    /// The number of bytes above TLS.
    var bytes: Int { seen.state.withLock { $0.bytes } }
    /// The heads of GET requests, in lower case.
    var pageRequests: [String] { seen.state.withLock { $0.pageRequests } }
    func count(_ method: String) -> Int { seen.state.withLock { $0.requests.count { $0.method == method } } }
    func clientIDs(of method: String) -> Set<ClientID> {
        seen.state.withLock { Set($0.requests.filter { $0.method == method }.map(\.clientID)) }
    }

    /// The ClientIDs that were received.
    var clientIDs: Set<ClientID> { seen.state.withLock { Set($0.requests.map(\.clientID)) } }

    func stop() async {
        try? await channel.close()
        await hangUp()
    }

    /// Closes the connections that are open now.
    func hangUp() async {
        for channel in seen.state.withLock({ $0.open }) { try? await channel.close() }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let seen: SeenBox
        private let page: (@Sendable (ClientID?) -> Reply)?
        private let reply: @Sendable (RequestMessage) -> Reply
        private var text: [UInt8] = []

        init(
            seen: SeenBox,
            page: (@Sendable (ClientID?) -> Reply)?,
            reply: @escaping @Sendable (RequestMessage) -> Reply
        ) {
            self.seen = seen
            self.page = page
            self.reply = reply
        }

        func channelActive(context: ChannelHandlerContext) {
            seen.state.withLock {
                $0.connections += 1
                $0.open.append(context.channel)
            }
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            seen.state.withLock { $0.bytes += bytes.readableBytes }
            text += bytes.readableBytesView
            let end = [13, 10, 13, 10] as [UInt8]
            guard let split = text.indices.first(where: { text[$0...].starts(with: end) }) else { return }
            let lines = String(decoding: text[..<split], as: UTF8.self).lowercased().split(separator: "\r\n")
            if let page, lines.first?.hasPrefix("get ") == true {
                text = []
                let last = seen.state.withLock { seen in
                    seen.pageRequests.append(lines.joined(separator: "\n"))
                    return seen.requests.last?.clientID
                }
                return send(page(last), context)
            }
            let length = lines.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
            guard text.count >= split + 4 + length,
                let request = try? RequestMessage(decoding: ByteBuffer(bytes: text[(split + 4)...]))
            else { return }
            text = []
            seen.state.withLock { $0.requests.append(request) }
            send(reply(request), context)
        }

        private func send(_ reply: Reply, _ context: ChannelHandlerContext) {
            switch reply {
            case .drops(let bytes): drop(bytes[...], NIOLoopBound(context, eventLoop: context.eventLoop))
            case .bytes(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .bytesThenClose(let bytes):
                let channel = context.channel
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
                    channel.close(promise: nil)
                }
            }
        }

        private func drop(_ bytes: ArraySlice<UInt8>, _ context: NIOLoopBound<ChannelHandlerContext>) {
            guard let byte = bytes.first else { return }
            context.value.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [byte])), promise: nil)
            let handler = NIOLoopBound(self, eventLoop: context.value.eventLoop)
            context.value.eventLoop.execute { handler.value.drop(bytes.dropFirst(), context) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension RogueServer.Reply {
    /// The reply true, like a login service.
    static func accepted(_ request: RequestMessage) -> Self {
        var values = BinMessageWriter()
        values.write(true)
        return .message(ReplyMessage.encode(values, to: request).encoded())
    }

    static func exception(_ exception: RemotingException, _ request: RequestMessage) -> Self {
        .message(ReplyMessage.encode(exception, to: request.clientID).encoded(), status: 500)
    }
}
