// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The connections to one adapter's socket, so that they are bounded and end with it.
final class AdapterConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// Called off the loop too; the state itself is touched on the loop alone.
    init(limit: Int, loop: any EventLoop) {
        self.limit = limit
        self.loop = loop
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Called on the loop. - Returns: false when there are too many already.
    func admit(_ channel: any Channel) -> Bool {
        guard !state.value.isClosed, state.value.channels.count < limit else { return false }
        let id = ObjectIdentifier(channel)
        state.value.channels[id] = channel
        channel.closeFuture.whenComplete { _ in self.state.value.channels[id] = nil }
        return true
    }

    func closeAll() {
        loop.execute {
            self.state.value.isClosed = true
            for channel in self.state.value.channels.values { channel.close(promise: nil) }
        }
    }
}
