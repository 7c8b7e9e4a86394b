// SPDX-License-Identifier: Apache-2.0

/// The work for Avahi's thread. Decides which work is due, how long to sleep and when to end. Pure: `AvahiLoop`
/// performs it.
struct LoopQueue {
    enum Work: Sendable {
        case job(UnownedJob)
        case closure(@Sendable () -> Void)
    }

    private struct Timed {
        let timer: LoopTimer
        let due: SuspendingClock.Instant
        let work: @Sendable () -> Void
    }

    var isStopping = false
    private(set) var hasLeft = false
    private var ready: [Work] = []
    private var timed: [Timed] = []
    private var timersMade: UInt64 = 0

    mutating func append(_ work: Work) {
        if !hasLeft { ready.append(work) }
    }

    mutating func appendTimer(due: SuspendingClock.Instant, _ work: @escaping @Sendable () -> Void) -> LoopTimer {
        timersMade += 1
        let timer = LoopTimer(number: timersMade)
        if !hasLeft { timed.append(Timed(timer: timer, due: due, work: work)) }
        return timer
    }

    mutating func remove(_ timer: LoopTimer) {
        timed.removeAll { $0.timer == timer }
    }

    /// - Returns: the work to run now, in order; nil if the thread must end, because it was stopped and no work is
    ///   left.
    mutating func takeReady(now: SuspendingClock.Instant) -> [Work]? {
        var work = ready
        ready = []
        if isStopping {
            timed = []
            hasLeft = work.isEmpty
            return hasLeft ? nil : work
        }
        let due = timed.filter { $0.due <= now }.sorted { $0.due < $1.due }
        timed.removeAll { $0.due <= now }
        work += due.map { .closure($0.work) }
        return work
    }

    func hasReady(now: SuspendingClock.Instant) -> Bool {
        !ready.isEmpty || isStopping || timed.contains { $0.due <= now }
    }

    /// Milliseconds until the next timer, rounded up so that the thread wakes only once; -1 if there is no timer.
    func timeout(now: SuspendingClock.Instant) -> Int32 {
        guard let next = timed.map(\.due).min() else { return -1 }
        let wait = now.duration(to: next)
        guard wait > .zero else { return 0 }
        let (seconds, attoseconds) = wait.components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        guard !milliseconds.overflow else { return .max }
        return Int32(clamping: milliseconds.partialValue + attoseconds / 1_000_000_000_000_000 + 1)
    }
}

/// Identifies scheduled work.
package struct LoopTimer: Sendable, Hashable {
    let number: UInt64
}
