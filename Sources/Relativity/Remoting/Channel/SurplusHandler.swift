// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Precedes the HTTP decoder. If bytes arrive that belong to no expected reply, such as a second copy of one, or if a
/// reply has too many that are not of its body, the connection is closed. Otherwise the decoder would keep the former as
/// the beginning of the reply to the next request.
final class SurplusHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let exchanges: ExchangeHandler

    init(before exchanges: ExchangeHandler) {
        self.exchanges = exchanges
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !exchanges.isIdle else { return close(context) }
        exchanges.willReceive(unwrapInboundIn(data).readableBytes)
        pass(data, context)
        guard exchanges.isIdle || exchanges.mayContinue else {
            let limit = FramingAllowance.limit
            return context.fireErrorCaught(RemotingError.malformed(reason: "\(limit) bytes of a reply without content"))
        }
    }

    private func pass(_ data: NIOAny, _ context: ChannelHandlerContext) {
        var last = unwrapInboundIn(data)
        guard last.readableBytes > 1, exchanges.mayEnd(within: last.readableBytes),
            let first = last.readSlice(length: last.readableBytes - 1)
        else { return context.fireChannelRead(data) }
        // The decoder does not report how many bytes of a read belong to a reply. So the last one is passed alone: a
        // reply that ends before it is not the only content.
        context.fireChannelRead(wrapInboundOut(first))
        guard !exchanges.isIdle else { return close(context) }
        context.fireChannelRead(wrapInboundOut(last))
    }

    /// The exchange handler closes the connection, and accepts no further request.
    private func close(_ context: ChannelHandlerContext) {
        context.fireErrorCaught(RemotingError.malformed(reason: "bytes without a request"))
    }
}
