// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Locks
import NIOCore
import NIOPosix

/// Answers each request in turn with the next step of the script, after its delay.
final class ScriptedEtcd: Sendable {
    struct Reply: Sendable {
        var pause: TimeAmount
        var body: String
        /// Whether the connection stays open, like that of a watch.
        var isOpen = false
    }

    private let channel: any Channel
    let url: ServerURL

    init(_ script: [Reply]) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let rest = Rest(script)
        channel = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(rest))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        url = try ServerURL(completing: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
    }

    func stop() { channel.close(promise: nil) }

    private final class Rest: Sendable {
        private let replies: Lock<[Reply]>

        init(_ replies: [Reply]) { self.replies = Lock(replies) }

        var next: Reply? { replies.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let rest: Rest
        private var hasAnswered = false

        init(_ rest: Rest) { self.rest = rest }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasAnswered, let reply = rest.next else { return }
            hasAnswered = true
            let length = reply.isOpen ? "" : "Content-Length: \(reply.body.utf8.count)\r\n"
            let bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(length)\r\n\(reply.body)")
            context.eventLoop.scheduleTask(in: reply.pause) { [channel = context.channel] in
                channel.writeAndFlush(bytes, promise: nil)
            }
        }
    }
}
