// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOHTTP1

/// Stands before HTTP's decoder. Of a reply that may repeat a secret it lets through what `SecretHead` makes of the head,
/// and overwrites whatever was read once the handlers behind have taken it. Other replies pass as they are.
final class SecretReplyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum Phase {
        case open
        case head(SecretHead)
        /// The head has passed, and nobody has taken it yet.
        case body(head: ByteBuffer)
        /// What comes is of no use any more.
        case broken
    }

    private var phase = Phase.open
    /// A head with a status of 1xx has come, of which the handlers behind hear nothing.
    private var hasInformation = false

    /// The next reply may repeat a secret.
    func begin() {
        phase = .head(SecretHead())
        hasInformation = false
    }

    /// That reply has come to its end.
    ///
    /// - Returns: its head as it came, which the caller overwrites; nil for any other reply.
    func end() -> ByteBuffer? {
        guard case .body(let head) = phase else { return nil }
        phase = .open
        return head
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        switch phase {
        case .open: context.fireChannelRead(data)
        case .head(var head):
            // Else the phase shares its storage.
            phase = .broken
            head.add(bytes)
            bytes.wipeSharedStorage()
            pass(head, context)
        case .body:
            context.fireChannelRead(data)
            bytes.wipeSharedStorage()
        case .broken: bytes.wipeSharedStorage()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The decoder has not seen that a reply has begun.
        if case .head(let head) = phase, hasInformation || head.bytes.readableBytes > 0 {
            context.fireErrorCaught(HTTPParserError.invalidEOFState)
        }
        // A reply may end with its connection: then its head is taken now.
        context.fireChannelInactive()
        wipe()
    }

    func handlerRemoved(context: ChannelHandlerContext) { wipe() }

    private func pass(_ arrived: SecretHead, _ context: ChannelHandlerContext) {
        var arrived = arrived
        do {
            while let head = try arrived.next() {
                let framing = try SecretHead.framing(of: head)
                let isLast = !SecretHead.isInformational(head)
                if isLast { phase = .body(head: ByteBuffer(bytes: head.readableBytesView)) }
                context.fireChannelRead(wrapInboundOut(framing))
                guard isLast else {
                    hasInformation = true
                    continue
                }
                let rest = arrived.bytes
                if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
                rest.wipeSharedStorage()
                return
            }
            phase = .head(arrived)
        } catch {
            arrived.bytes.wipeSharedStorage()
            context.fireErrorCaught(error)
        }
    }

    private func wipe() {
        switch phase {
        case .open, .broken: break
        case .head(let head): head.bytes.wipeSharedStorage()
        case .body(let head): head.wipeSharedStorage()
        }
        phase = .broken
    }
}
