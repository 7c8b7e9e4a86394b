// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Holds a new connection back, TLS too, until it is known that its other end may get the first byte.
final class GateHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let gate: RemotingChannel.Gate
    private let passed: EventLoopPromise<Void>
    private var isOpen = false

    /// - Parameter passed: is completed with what the gate says, or fails if the connection ends before.
    init(_ gate: @escaping RemotingChannel.Gate, _ passed: EventLoopPromise<Void>) {
        self.gate = gate
        self.passed = passed
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let local = context.localAddress, let remote = context.remoteAddress else {
            return refuse(RemotingError.unreachable(reason: "the connection has no address"), context)
        }
        gate(local, remote).assumeIsolated().whenComplete { verdict in
            switch verdict {
            case .success: self.open(context)
            case .failure(let error): self.refuse(error, context)
            }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isOpen else {
            return refuse(RemotingError.unreachable(reason: "the server spoke before it was asked"), context)
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passed.fail(RemotingError.unreachable(reason: "the server closed the connection"))
        context.fireChannelInactive()
    }

    private func open(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        isOpen = true
        // What comes behind in the pipeline has not begun: the TLS handshake begins now.
        context.fireChannelActive()
        passed.succeed()
    }

    private func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
        passed.fail(error)
        context.close(promise: nil)
    }
}
