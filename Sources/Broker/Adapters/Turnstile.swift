// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Lets a few in at a time and the others wait in line, for work whose memory is known only once it is done. On the event
/// loop only.
final class Turnstile: Sendable {
    private struct State {
        var free: Int
        var line: CircularBuffer<EventLoopPromise<Void>> = []
    }

    private let loop: any EventLoop
    private let state: NIOLoopBoundBox<State>

    /// - Parameter width: how many are in at a time.
    init(width: Int, loop: any EventLoop) {
        self.loop = loop
        state = .makeBoxSendingValue(State(free: width), eventLoop: loop)
    }

    /// Every `enter` is followed by one `leave`.
    func enter() async {
        guard state.value.free == 0 else {
            state.value.free -= 1
            return
        }
        let turn = loop.makePromise(of: Void.self)
        state.value.line.append(turn)
        // Nobody fails it: who is cancelled leaves as soon as he is in.
        try? await turn.futureResult.get()
    }

    func leave() {
        if let next = state.value.line.popFirst() { next.succeed() } else { state.value.free += 1 }
    }
}
