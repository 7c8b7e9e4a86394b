// SPDX-License-Identifier: Apache-2.0

internal import NIOPosix

/// Threads for tests that must wait in a system call.
package enum BlockingWork {
    package static func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await pool.runIfActive(work)
    }

    /// Starts the work and returns.
    package static func start(_ work: @escaping @Sendable () -> Void) {
        pool.submit { _ in work() }
    }

    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 32)
        pool.start()
        return pool
    }()
}
