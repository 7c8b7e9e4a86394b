// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The time when an adapter was last used. Stored separately because each call updates it, and the adapter's other
/// state is large to move. On the event loop only.
final class AdapterUse: Sendable {
    private struct State {
        var last: NIODeadline
        /// Calls in progress. While there is one, the adapter is in use.
        var calls = 0
    }

    private let state: NIOLoopBoundBox<State>

    init(since time: NIODeadline, loop: any EventLoop) {
        state = .makeBoxSendingValue(State(last: time), eventLoop: loop)
    }

    var time: NIODeadline { state.value.calls > 0 ? .now() : state.value.last }

    func beginCall() {
        state.value.calls += 1
    }

    func endCall() {
        state.value.calls -= 1
        state.value.last = .now()
    }
}
