// SPDX-License-Identifier: Apache-2.0

internal import CAvahi
internal import Glibc
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
    private let queue = Mutex(LoopQueue())
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
                // poll(2) has no memory: retry, but not in a busy loop.
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
