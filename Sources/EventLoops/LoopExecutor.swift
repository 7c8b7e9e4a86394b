// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Runs tasks on one NIO event loop, so that sockets, actors and tasks share one thread.
///
/// Start tasks with `Task(executorPreference: LoopExecutor(loop))`; child tasks and nonisolated
/// functions inherit it. Nothing may run on the default global executor: its first use starts a
/// thread that wakes the process once a second for ever (docs/measurements.md).
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

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
