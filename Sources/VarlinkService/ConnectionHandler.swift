// SPDX-License-Identifier: Apache-2.0

import JSON
import Logging
import NIOCore

/// One connection: cuts frames, runs one call at a time, sends replies in the order of requests.
///
/// On the event loop only.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A class, as it is looked at often and copies would cost more than its allocation.
    final class RunningCall {
        let id: UInt64
        let isOneway: Bool
        let isStream: Bool
        var task: Task<Void, Never>?
        var hasReplied = false
        var isUpgraded = false
        var secret: (limit: Int, continuation: CheckedContinuation<SecretBytes, any Error>)?
        var writers: [CheckedContinuation<Void, any Error>] = []

        init(id: UInt64, isOneway: Bool, isStream: Bool) {
            self.id = id
            self.isOneway = isOneway
            self.isStream = isStream
        }
    }

    let peer: VarlinkPeer
    let server: ServerContext
    var context: ChannelHandlerContext?
    var inbound = InboundBytes()
    /// Of a connection whose first byte was one of HTTP.
    var http: HTTPConversation?
    var running: RunningCall?
    var lastID: UInt64 = 0
    var clock: ConnectionClock
    var timer: (task: Scheduled<Void>, due: NIODeadline)?

    /// Guards against re-entry: calls that end at once come back while their frame is being dispatched.
    var isDispatching = false
    var hasBegun = false
    var needsFlush = false
    var isReadHeldBack = false
    var isInputClosed = false
    var isClosing = false
    var isDraining = false

    init(peer: VarlinkPeer, server: ServerContext) {
        self.peer = peer
        self.server = server
        clock = ConnectionClock(server.limits, now: .now())
    }
}

extension ConnectionHandler {
    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        updateClock()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        isClosing = true
        self.context = nil
        timer?.task.cancel()
        timer = nil
        if let call = running {
            running = nil
            server.callEnded()
            call.task?.cancel()
            call.secret?.continuation.resume(throwing: VarlinkCallError.peerGone)
            for writer in call.writers { writer.resume(throwing: VarlinkCallError.peerGone) }
        }
        server.leave(self)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        if !hasBegun {
            hasBegun = true
            if let face = server.face, Self.isHTTP(buffer.readableBytesView.first) {
                return speakHTTP(face, after: buffer, context: context)
            }
        }
        inbound.append(wiping: &buffer)
        dispatch()
    }

    /// NIO asks to read on; not while more than a frame waits behind a running call.
    func read(context: ChannelHandlerContext) {
        if isFull {
            isReadHeldBack = true
        } else {
            context.read()
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, let writers = running?.writers, !writers.isEmpty {
            running?.writers.removeAll()
            for writer in writers { writer.resume() }
        }
        updateClock()
        context.fireChannelWritabilityChanged()
    }

    /// A peer that has sent its last request may still wait for the reply; one that has gone altogether ends the channel.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            dispatch()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        server.logger.debug("connection failed", metadata: ["pid": "\(peer.pid)", "error": "\(error)"])
        close()
    }
}
