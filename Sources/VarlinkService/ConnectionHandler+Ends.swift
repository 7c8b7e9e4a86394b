// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore

extension ConnectionHandler {
    func updateClock() {
        guard let context, !isClosing else { return }
        let phase: ConnectionClock.Phase
        if !context.channel.isWritable {
            phase = .stalled
        } else if let running {
            phase = running.secret == nil ? .running : .awaitingSecret
        } else {
            phase = inbound.count > 0 || http?.isReceiving == true ? .receiving : .idle
        }
        clock.enter(phase, now: .now())
        armTimer()
    }

    private func armTimer() {
        guard let context, let deadline = clock.deadline else { return }
        // A timer that is due earlier looks again by itself, so that a call does not cost one.
        if let timer, timer.due <= deadline { return }
        timer?.task.cancel()
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let task = context.eventLoop.scheduleTask(deadline: deadline) { handler.value.timerFired() }
        timer = (task, deadline)
    }

    private func timerFired() {
        timer = nil
        guard let deadline = clock.deadline, deadline <= .now() else { return armTimer() }
        server.logger.debug("connection timed out", metadata: ["pid": "\(peer.pid)", "phase": "\(clock.phase)"])
        close()
    }

    /// Closes after the running call, at once if there is none or it streams.
    func drain() {
        if let running, !running.isStream {
            isDraining = true
        } else {
            close()
        }
    }

    /// Closes when the peer has taken all replies, or has been given `VarlinkLimits.stallTime` to do so.
    func closeWhenFlushed() {
        guard let context, !isClosing else { return }
        isClosing = true
        let channel = context.channel
        let nothing = channel.allocator.buffer(capacity: 0)
        context.writeAndFlush(wrapOutboundOut(nothing)).whenComplete { _ in channel.close(promise: nil) }
        guard self.context != nil else { return }
        timer?.task.cancel()
        let task = context.eventLoop.scheduleTask(in: TimeAmount(server.limits.stallTime)) {
            channel.close(promise: nil)
        }
        timer = (task, .distantFuture)
    }

    /// Closes now. The running call is cancelled.
    func close() {
        isClosing = true
        context?.close(promise: nil)
    }
}
