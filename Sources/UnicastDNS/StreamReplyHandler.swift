// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Waits for the one message that answers a query over TCP, after its length (RFC 1035, section 4.2.2).
final class StreamReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let question: DNSQuestion
    private let id: UInt16
    private let promise: EventLoopPromise<DNSReply>
    private var received = ByteBuffer()

    init(_ question: DNSQuestion, _ id: UInt16, _ promise: EventLoopPromise<DNSReply>) {
        self.question = question
        self.id = id
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var piece = unwrapInboundIn(data)
        received.writeBuffer(&piece)
        // At most 65,535 bytes. Input after them is not read.
        guard let message = received.getLengthPrefixedSlice(at: received.readerIndex, as: UInt16.self) else { return }
        let reply = try? DNSReply(parsing: Array(message.readableBytesView))
        if let reply, reply.answers(question, id: id), !reply.isTruncated {
            promise.succeed(reply)
        } else {
            promise.fail(DNSError.malformed)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(DNSError.silence)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(DNSError.silence)
    }
}
