// SPDX-License-Identifier: Apache-2.0

package import NIOPosix

extension NIOThreadPool {
    /// Runs work that would stall the event loop on one of the pool's threads. The caller resumes on its own executor.
    ///
    /// - Throws: `CancellationError` when the pool is shut down before the work began, or what `body` throws.
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
