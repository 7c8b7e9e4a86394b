// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Waits for the datagram that answers a query. Other datagrams are ignored, because any host can send one.
final class DatagramReplyHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let question: DNSQuestion
    private let id: UInt16
    private let promise: EventLoopPromise<DNSReply>

    init(_ question: DNSQuestion, _ id: UInt16, _ promise: EventLoopPromise<DNSReply>) {
        self.question = question
        self.id = id
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).data.readableBytesView)
        guard let reply = try? DNSReply(parsing: bytes), reply.answers(question, id: id) else { return }
        promise.succeed(reply)
    }

    /// An ICMP error of this machine or of a router reports that the server cannot be reached.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(DNSError.silence)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.fail(DNSError.silence)
    }
}
