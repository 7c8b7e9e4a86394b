// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOPosix

/// Runs tasks on one NIO event loop, so that sockets, actors and tasks share one thread.
///
/// Start tasks with `Task(executorPreference: LoopExecutor(loop))`; child tasks and nonisolated functions inherit it.
/// Nothing may run on the default global executor: its first use starts a thread that wakes the process once a second
/// from then on (docs/profiling.md).
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    /// - Parameter loop: the event loop that runs the tasks.
    package init(_ loop: any EventLoop) {
        self.loop = loop
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Runs tasks on the threads of a pool, for work that takes long or blocks. Each turn of a task runs on any of them, in the
/// order in which turns become ready.
package final class PoolExecutor: TaskExecutor {
    private let pool: NIOThreadPool

    /// - Parameter pool: a pool that was started.
    package init(_ pool: NIOThreadPool) {
        self.pool = pool
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pool.submit { [self] _ in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

extension EventLoop {
    /// Suspends the task until a timer of this loop fires. Uses no thread of its own.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        let promise = makePromise(of: Void.self)
        let timer = scheduleTask(in: TimeAmount(duration)) { promise.succeed() }
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            timer.cancel()
            promise.fail(CancellationError())
        }
    }
}

extension EventLoop {
    /// Suspends the task until the work that is already queued on this loop has run. `Task.yield` would use the
    /// global executor.
    package func yieldTurn() async {
        await withCheckedContinuation { turn in
            execute { turn.resume() }
        }
    }
}

extension EventLoopFuture {
    /// Does the same as `get()`, which leaves the caller's executor to wait and then returns to it, at a cost of two
    /// more loop iterations.
    package func value() async throws -> Value where Value: Sendable {
        try await withUnsafeThrowingContinuation { continuation in
            // A future completes once.
            whenComplete { continuation.resume(with: $0) }
        }
    }
}

extension NIOThreadPool {
    /// Runs blocking work on a thread of the pool. The caller resumes on its own executor.
    ///
    /// - Throws: `CancellationError` if the pool is shut down before the work has begun, or the error of `body`.
    package func perform<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            submit { state in
                switch state {
                case .active: continuation.resume(with: Result(catching: body))
                case .cancelled: continuation.resume(throwing: CancellationError())
                }
            }
        }
    }
}
