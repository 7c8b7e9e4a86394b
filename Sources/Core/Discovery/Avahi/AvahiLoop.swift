// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Glibc
internal import Locks
internal import Platform
internal import Synchronization

/// The thread that runs Avahi's event loop, and the executor of the actors that own Avahi's objects.
///
/// libavahi-client makes blocking D-Bus calls, which take seconds if avahi-daemon hangs. They block only this thread,
/// provided that no other code awaits an actor that runs here.
package final class AvahiLoop: SerialExecutor {
    /// Avahi's loop. Only the thread prepares, runs and dispatches it; others only call `avahi_simple_poll_wakeup`,
    /// which writes to a pipe. It is freed with this object, which the thread keeps alive.
    private nonisolated(unsafe) let poll: OpaquePointer
    private let queue = Lock(LoopQueue())
    private let thread = Atomic<UInt>(0)

    /// Starts the thread.
    ///
    /// - Throws: `DiscoveryError.cannotStartLoop` if no descriptor or memory is left.
    package init() throws(DiscoveryError) {
        guard let poll = avahi_simple_poll_new() else { throw .cannotStartLoop(errno: errno) }
        self.poll = poll
        try startThread()
    }

    deinit {
        avahi_simple_poll_free(poll)
    }

    /// Runs `work` on the thread, soon and in order. After `stop` it is dropped.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        add { $0.append(.closure(work)) }
    }

    /// Runs `work` on the thread after `delay`, unless it is cancelled before. Time in which the machine sleeps does
    /// not count.
    @discardableResult
    package func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> LoopTimer {
        let due = SuspendingClock.now.advanced(by: delay)
        return add { $0.appendTimer(due: due, work) }
    }

    /// Cancels scheduled work. Does nothing if it has already run.
    package func cancel(_ timer: LoopTimer) {
        queue.withLock { $0.remove(timer) }
    }

    /// Ends the thread after it has run the queued work. Returns immediately.
    package func stop() {
        add { $0.isStopping = true }
    }

    /// Whether the thread has ended.
    package var hasLeft: Bool { queue.withLock { $0.hasLeft } }

    /// Runs a job of an actor on the thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add { $0.append(.job(job)) }
    }

    /// Traps if it is not called on the thread.
    package func checkIsolated() {
        precondition(isCurrent, "not on Avahi's thread")
    }

    /// Whether it is called on the thread.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private var isCurrent: Bool { UInt(pthread_self()) == thread.load(ordering: .acquiring) }
}

extension AvahiLoop {
    /// The argument for `avahi_client_new`. Valid as long as this object lives.
    var api: UnsafePointer<AvahiPoll> { avahi_simple_poll_get(poll) }

    private func add<Result: Sendable>(_ change: (inout LoopQueue) -> Result) -> Result {
        let result = queue.withLock { change(&$0) }
        avahi_simple_poll_wakeup(poll)
        return result
    }

    private func startThread() throws(DiscoveryError) {
        let status = BackgroundThread.start { self.run() }
        guard status == 0 else { throw .cannotStartLoop(errno: status) }
    }

    private func run() {
        thread.store(UInt(pthread_self()), ordering: .releasing)
        while runReady() {
            avahi_simple_poll_prepare(poll, queue.withLock { $0.timeout(now: .now) })
            // Preparing consumes earlier wake-ups, but not the work that they were for.
            if queue.withLock({ $0.hasReady(now: .now) }) { avahi_simple_poll_wakeup(poll) }
            if avahi_simple_poll_run(poll) < 0 {
                // poll(2) failed for lack of memory. Retry, but not in a busy loop.
                usleep(100_000)
                continue
            }
            avahi_simple_poll_dispatch(poll)
        }
    }

    /// Runs the work that is due, between two rounds of Avahi's loop. Within a round, Avahi's objects cannot always
    /// be created or freed.
    ///
    /// - Returns: false if the thread must end.
    private func runReady() -> Bool {
        guard let ready = queue.withLock({ $0.takeReady(now: .now) }) else { return false }
        for work in ready {
            switch work {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .closure(let work): work()
            }
        }
        return true
    }
}

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

/// Watches a descriptor for input on Avahi's loop. Create, use and release it on the loop's thread.
final class DescriptorWatch {
    private let watch: OpaquePointer
    private let loop: AvahiLoop
    private let callback: Callback<Void>

    /// - Parameters:
    ///   - descriptor: owned by the caller, who must keep it open while this object lives.
    ///   - report: called from within Avahi's loop, repeatedly while there is input.
    /// - Returns: nil if there is no memory.
    init?(_ descriptor: Int32, on loop: AvahiLoop, report: @escaping @Sendable () -> Void) {
        callback = Callback(report)
        let watch = loop.api.pointee.watch_new?(
            loop.api,
            descriptor,
            AVAHI_WATCH_IN,
            { _, _, _, userdata in Callback.deliver((), to: userdata) },
            callback.userdata
        )
        guard let watch else { return nil }
        self.watch = watch
        self.loop = loop
    }

    deinit {
        loop.api.pointee.watch_free?(watch)
    }

    /// Whether it reports input. While it is off, the input stays in the descriptor.
    var isOn = true {
        didSet { loop.api.pointee.watch_update?(watch, isOn ? AVAHI_WATCH_IN : AvahiWatchEvent(0)) }
    }
}

/// A closure that a C callback calls through its `userdata` pointer.
///
/// The pointer is not retained. The owner of the C object must keep the callback until the object is freed.
final class Callback<Report: Sendable>: Sendable {
    private let body: @Sendable (Report) -> Void

    init(_ body: @escaping @Sendable (Report) -> Void) {
        self.body = body
    }

    var userdata: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func deliver(_ report: Report, to userdata: UnsafeMutableRawPointer?) {
        guard let userdata else { return }
        Unmanaged<Callback<Report>>.fromOpaque(userdata).takeUnretainedValue().body(report)
    }
}
