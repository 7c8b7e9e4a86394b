// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Runs the tasks of calls on the server's event loop.
///
/// A task made within `starting` begins at once, on the caller's stack, so that a method that need not wait is carried
/// out without a turn of the loop. (`Task.immediate` with an executor preference starts by a hop.)
final class RequestExecutor: TaskExecutor {
    private let loop: any EventLoop
    private let isStarting: NIOLoopBoundBox<Bool>

    /// On `loop` only.
    init(loop: any EventLoop) {
        self.loop = loop
        isStarting = NIOLoopBoundBox(false, eventLoop: loop)
    }

    /// On the loop only: runs what `makeTask` starts up to its first suspension.
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
