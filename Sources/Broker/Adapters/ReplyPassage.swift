// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1
import Remoting

/// Passes on a server's reply as it comes: the next piece is asked for when the tool has taken the last.
///
/// What breaks on the way ends the connection, so that no tool takes a part for the whole.
struct ReplyPassage {
    private let reply: AdapterReply
    private let end: NIOLoopBound<(handler: AdapterHandler, context: ChannelHandlerContext)>
    private let framing: AdapterReply.Framing
    private let keepAlive: Bool

    init(
        _ reply: AdapterReply,
        to end: NIOLoopBound<(handler: AdapterHandler, context: ChannelHandlerContext)>,
        version: HTTPVersion,
        keepAlive: Bool
    ) {
        self.reply = reply
        self.end = end
        framing = reply.framing(for: version)
        if case .close = framing { self.keepAlive = false } else { self.keepAlive = keepAlive }
    }

    /// Ends with the reply or with the connection.
    func run() async {
        defer { reply.use?.endCall() }
        do {
            try Task.checkCancellation()
            let (first, keepAlive) = begin()
            try await first.value()
            while let pieces = try await next() { try await write(pieces).value() }
            if case .chunked = framing { try await write([AdapterReply.lastChunk], isLast: true).value() }
            end.value.handler.end(keepAlive: keepAlive, end.value.context)
        } catch {
            reply.rest?.abandon()
            end.value.context.close(promise: nil)
        }
    }

    private func next() async throws -> [ByteBuffer]? {
        end.value.handler.awaitServer()
        return try await reply.rest?.next()
    }

    private func begin() -> (EventLoopFuture<Void>, keepAlive: Bool) {
        end.value.handler.begin(reply, framing, keepAlive: keepAlive, end.value.context)
    }

    private func write(_ pieces: [ByteBuffer], isLast: Bool = false) -> EventLoopFuture<Void> {
        end.value.handler.pass(isLast ? pieces : framed(pieces), end.value.context)
    }

    private func framed(_ pieces: [ByteBuffer]) -> [ByteBuffer] {
        guard case .chunked = framing else { return pieces }
        let count = pieces.reduce(0) { $0 + $1.readableBytes }
        return [ByteBuffer(string: AdapterReply.chunkHead(count))] + pieces + [AdapterReply.chunkEnd]
    }
}
