// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Runs the tasks of calls on the server's event loop.
///
/// A task made within `starting` begins immediately, on the caller's stack, so that a method that does not wait runs
/// without a turn of the loop. (`Task.immediate` with an executor preference starts with a hop.)
final class RequestExecutor: TaskExecutor {
    private let loop: any EventLoop
    private let isStarting: NIOLoopBoundBox<Bool>

    /// Call on `loop` only.
    init(loop: any EventLoop) {
        self.loop = loop
        isStarting = NIOLoopBoundBox(false, eventLoop: loop)
    }

    /// Runs the task that `makeTask` starts up to its first suspension. Call on the loop only.
    func starting(_ makeTask: () -> Task<Void, Never>) -> Task<Void, Never> {
        isStarting.value = true
        return makeTask()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop, isStarting.value {
            isStarting.value = false
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            loop.execute { [self] in
                job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
}
