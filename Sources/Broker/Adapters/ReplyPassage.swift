// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1
import Remoting

/// Passes on a server's reply as it arrives. Requests the next chunk when the tool has taken the last one.
///
/// An error on the way closes the connection, so that the tool cannot take a part for the complete reply.
struct ReplyPassage {
    let reply: AdapterReply
    let end: NIOLoopBound<(handler: AdapterHandler, context: ChannelHandlerContext)>
    let version: HTTPVersion
    let keepAlive: Bool

    /// Returns at the end of the reply or of the connection.
    func run() async {
        defer { reply.use?.endCall() }
        do {
            try Task.checkCancellation()
            let (first, keepAlive) = begin()
            try await first.value()
            while let chunks = try await next() { try await write(chunks).value() }
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
        end.value.handler.begin(reply, to: version, keepAlive: keepAlive, end.value.context)
    }

    private func write(_ chunks: [ByteBuffer]) -> EventLoopFuture<Void> {
        end.value.handler.pass(chunks, end.value.context)
    }
}
