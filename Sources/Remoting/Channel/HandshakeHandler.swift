// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOTLS

/// Tells when a TLS handshake has ended, and how.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let check: PeerCheck
    private let done: EventLoopPromise<Void>

    init(_ check: PeerCheck, _ done: EventLoopPromise<Void>) {
        self.check = check
        self.done = done
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { done.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        done.fail(failure)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        done.fail(failure)
        context.fireChannelInactive()
    }

    private var failure: RemotingError {
        check.failure ?? .unreachable(reason: "TLS failed")
    }
}
