// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// An adapter that is listening, and what ends with it.
struct OpenAdapter {
    var adapter: Adapter
    let listener: AdapterListener
    /// Nil for a standing adapter between its uses.
    var seat: Seat?
    let opened: NIODeadline
    var used: NIODeadline
    var timer: Scheduled<Void>?
    /// Who waits for its end: its own call, while it is held.
    var waiters: [EventLoopPromise<AdapterEnd>] = []

    init(_ adapter: Adapter, listener: AdapterListener, seat: Seat?) {
        self.adapter = adapter
        self.listener = listener
        self.seat = seat
        opened = .now()
        used = opened
    }

    /// When it ends, or a standing one gives up its session, unless it is used before; nil for never.
    func deadline(idle: Duration) -> NIODeadline? {
        switch adapter.lifetime {
        case .held: nil
        case .atMost(let longest): min(used + TimeAmount(idle), opened + TimeAmount(longest))
        case .standing: seat == nil ? nil : used + TimeAmount(idle)
        }
    }

    /// Stops listening and tells those who wait.
    func end(_ reason: AdapterEnd) {
        timer?.cancel()
        listener.close()
        for waiter in waiters { waiter.succeed(reason) }
    }
}
