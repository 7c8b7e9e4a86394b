// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// An async semaphore: at most `width` callers at a time, the others wait in FIFO order. For work whose memory is
/// known only when it is done. On the event loop only.
final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiters: CircularBuffer<EventLoopPromise<Void>> = []
    }

    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// - Parameter width: number of callers at a time.
    init(width: Int, loop: any EventLoop) {
        self.loop = loop
        state = .makeBoxSendingValue(State(free: width), eventLoop: loop)
    }

    /// Call `leave` once after every `enter`.
    func enter() async {
        guard state.value.free == 0 else {
            state.value.free -= 1
            return
        }
        let turn = loop.makePromise(of: Void.self)
        state.value.waiters.append(turn)
        // This promise never fails. A cancelled caller leaves as soon as it has entered.
        try? await turn.futureResult.get()
    }

    func leave() {
        if let next = state.value.waiters.popFirst() { next.succeed() } else { state.value.free += 1 }
    }
}
