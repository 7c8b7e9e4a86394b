// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Limits the number of connections to one adapter's socket, and closes them with the adapter.
final class AdapterConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosed = false
    }

    private let limit: Int
    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// May be called off the loop; the state is accessed on the loop only.
    init(limit: Int, loop: any EventLoop) {
        self.limit = limit
        self.loop = loop
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Call on the loop.
    ///
    /// - Returns: false if the limit is reached, or after `closeAll`.
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
