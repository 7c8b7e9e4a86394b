// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// An adapter that is listening, and what ends with it.
struct OpenAdapter {
    var adapter: Adapter
    /// Nil for a session that was handed out.
    let listener: AdapterListener?
    /// What its address was handed out for; nil for what `adapter list` shows.
    let grant: Grant?
    /// Nil for a standing adapter between its uses.
    var seat: Seat?
    let opened: NIODeadline
    let use: AdapterUse
    var timer: Scheduled<Void>?
    /// Who waits for its end: its own call, while it is held.
    var waiters: [EventLoopPromise<AdapterEnd>] = []

    init(_ adapter: Adapter, listener: AdapterListener?, seat: Seat?, grant: Grant? = nil, loop: any EventLoop) {
        self.adapter = adapter
        self.listener = listener
        self.seat = seat
        self.grant = grant
        opened = .now()
        use = AdapterUse(since: opened, loop: loop)
    }

    /// When it ends, or a standing one gives up its session, unless it is used before; nil for never.
    func deadline(idle: Duration) -> NIODeadline? {
        switch adapter.lifetime {
        case .held: nil
        // Nobody sees whether a session is used that was handed out.
        case .atMost(let longest) where listener == nil: opened + TimeAmount(longest)
        case .atMost(let longest): min(use.time + TimeAmount(idle), opened + TimeAmount(longest))
        case .standing: seat == nil ? nil : use.time + TimeAmount(idle)
        case .granted(let time):
            seat == nil ? opened + TimeAmount(time) : min(use.time + TimeAmount(idle), opened + TimeAmount(time))
        }
    }

    /// Whether the time of a grant is over.
    func isOver(at now: NIODeadline) -> Bool {
        guard case .granted(let time) = adapter.lifetime else { return false }
        return now >= opened + TimeAmount(time)
    }

    /// Stops listening and tells those who wait.
    func end(_ reason: AdapterEnd) {
        timer?.cancel()
        listener?.close()
        grant?.removeDirectory()
        for waiter in waiters { waiter.succeed(reason) }
    }
}
