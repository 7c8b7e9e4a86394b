// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// An adapter that is listening, and what ends with it.
struct OpenAdapter {
    let adapter: Adapter
    let key: SharedSessions<ServerSession>.Key
    let session: ServerSession
    let listener: AdapterListener
    let opened: NIODeadline
    var used: NIODeadline
    var timer: Scheduled<Void>?
    /// Who waits for its end: its own call, while it is held.
    var waiters: [EventLoopPromise<AdapterEnd>] = []

    /// When it ends unless it is used before; nil for one that is held.
    func deadline(idle: Duration) -> NIODeadline? {
        guard case .atMost(let longest) = adapter.lifetime else { return nil }
        return min(used + TimeAmount(idle), opened + TimeAmount(longest))
    }

    /// Stops listening and tells those who wait.
    func end(_ reason: AdapterEnd) {
        timer?.cancel()
        listener.close()
        for waiter in waiters { waiter.succeed(reason) }
    }
}
