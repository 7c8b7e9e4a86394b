// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// An open adapter with the resources that are released with it.
struct OpenAdapter {
    var adapter: Adapter
    /// Nil for an exported session.
    let listener: AdapterListener?
    /// The grant that the address belongs to; nil for an adapter that `adapter list` shows.
    let grant: Grant?
    /// Nil for a permanent adapter while it is unused.
    var seat: Seat?
    let opened: NIODeadline
    let use: AdapterUse
    var timer: Scheduled<Void>?
    /// Completed when the adapter is closed: the call that holds it waits for that.
    var waiters: [EventLoopPromise<AdapterEnd>] = []

    init(_ adapter: Adapter, listener: AdapterListener?, seat: Seat?, grant: Grant? = nil, loop: any EventLoop) {
        self.adapter = adapter
        self.listener = listener
        self.seat = seat
        self.grant = grant
        opened = .now()
        use = AdapterUse(since: opened, loop: loop)
    }

    /// The time at which the adapter is closed, or a permanent one releases its session, unless it is used before;
    /// nil for never.
    func deadline(idle: Duration) -> NIODeadline? {
        switch adapter.lifetime {
        case .held: nil
        // The daemon cannot see when an exported session is used.
        case .atMost(let longest) where listener == nil: opened + TimeAmount(longest)
        case .atMost(let longest): min(use.time + TimeAmount(idle), opened + TimeAmount(longest))
        case .standing: seat == nil ? nil : use.time + TimeAmount(idle)
        case .granted(let time):
            seat == nil ? opened + TimeAmount(time) : min(use.time + TimeAmount(idle), opened + TimeAmount(time))
        }
    }

    /// Whether the adapter belongs to a grant that has expired.
    func isOver(at now: NIODeadline) -> Bool {
        guard case .granted(let time) = adapter.lifetime else { return false }
        return now >= opened + TimeAmount(time)
    }

    /// Stops listening and notifies the waiting calls.
    func end(_ reason: AdapterEnd) {
        timer?.cancel()
        listener?.close()
        grant?.removeDirectory()
        for waiter in waiters { waiter.succeed(reason) }
    }
}
