// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension EventLoop {
    /// Waits on this loop's timer, without a thread of its own.
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
