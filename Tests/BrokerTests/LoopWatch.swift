// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import NIOCore
import TestSupport

/// Repeatedly requests a turn of an event loop, like a client of the daemon, and records the longest wait.
final class LoopWatch: Sendable {
    private struct State {
        var isOver = false
        var turns = 0
        var longest = Duration.zero
    }

    private let state = Lock(State())

    /// The longest wait for a turn while `body` ran.
    static func longestWait(of loop: any EventLoop, during body: () async throws -> Void) async throws -> Duration {
        let watch = LoopWatch()
        async let watching: Void = BlockingWork.run {
            while !watch.state.withLock({ $0.isOver }) {
                let time = try ContinuousClock().measure { try loop.submit {}.wait() }
                watch.state.withLock {
                    $0.turns += 1
                    $0.longest = max($0.longest, time)
                }
                // Leave time for other threads.
                usleep(1_000)
            }
        }
        try await eventually { watch.state.withLock { $0.turns > 0 } }
        defer { watch.state.withLock { $0.isOver = true } }
        try await body()
        watch.state.withLock { $0.isOver = true }
        try await watching
        return watch.state.withLock { $0.longest }
    }
}
