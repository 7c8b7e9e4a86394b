// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import Remoting
import TestSupport

/// A server on a Unix socket that answers each request with given bytes.
final class CannedServer: Sendable {
    let path: String
    private let folder: TemporaryDirectory
    private let channel: any Channel
    private let closed: Counter

    /// - Parameters:
    ///   - reply: the parts of the answer, each sent after a pause.
    ///   - endless: repeats the last part.
    init(_ reply: [ByteBuffer], pause: Duration = .milliseconds(1), endless: Bool = false) async throws {
        let (folder, closed) = (TemporaryDirectory(), Counter())
        (self.folder, self.closed) = (folder, closed)
        path = folder.path(of: "s")
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .childChannelInitializer { channel in
                channel.closeFuture.whenComplete { _ in closed.increase() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(reply, TimeAmount(pause), endless))
                }
            }
            .bind(to: SocketAddress(unixDomainSocketPath: path)).get()
    }

    /// The number of connections that were closed.
    var closedConnections: Int { closed.value }

    func stop() async throws { try await channel.close() }

    private final class Counter: Sendable {
        private let count = Lock(0)

        var value: Int { count.withLock { $0 } }

        func increase() { count.withLock { $0 += 1 } }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var parts: [ByteBuffer]
        private let pause: TimeAmount
        private let endless: Bool
        private var isStarted = false

        init(_ parts: [ByteBuffer], _ pause: TimeAmount, _ endless: Bool) {
            self.parts = parts
            self.pause = pause
            self.endless = endless
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isStarted else { return }
            isStarted = true
            send(context)
        }

        private func send(_ context: ChannelHandlerContext) {
            guard let part = parts.first, context.channel.isActive else { return }
            if !endless || parts.count > 1 { parts.removeFirst() }
            context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenSuccess {
                context.eventLoop.assumeIsolated().scheduleTask(in: self.pause) { self.send(context) }
            }
        }
    }
}

extension ByteBuffer {
    /// An HTTP reply with a message.
    ///
    /// - Parameter length: the announced length; nil sends chunks without an end.
    static func reply(_ message: ByteBuffer, status: Int = 200, length: Int? = nil) -> ByteBuffer {
        let length = length ?? message.readableBytes
        var bytes = ByteBuffer(string: "HTTP/1.1 \(status) X\r\nContent-Length: \(length)\r\n\r\n")
        bytes.writeImmutableBuffer(message)
        return bytes
    }

    /// A reply to GetData.
    static func dataReply(_ stream: ByteBuffer?, count: Int? = nil, compressed: Bool = false) -> ByteBuffer {
        var writer = BinMessageWriter()
        writer.write(utf8: "DataService")
        writer.write(utf8: "GetDataResponse")
        writer.write(binary: stream)
        var body = writer.buffer
        if let stream, let count {
            let place = body.readableBytes - stream.readableBytes - 4
            body.setInteger(Int32(count), at: place, endianness: .little)
        }
        let message = BinMessage(header: MessageHeader(clientID: ClientID()), body: body)
        return message.encoded(compressingFrom: compressed ? 0 : nil)
    }

    /// The bytes in parts of a size.
    func parts(of size: Int) -> [ByteBuffer] {
        var rest = self
        var parts: [ByteBuffer] = []
        while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
            parts.append(part)
        }
        return parts
    }
}
