// SPDX-License-Identifier: Apache-2.0

/// Streams of how often the vault was locked.
struct LockWatchers {
    private var continuations: [UInt64: AsyncStream<UInt64>.Continuation] = [:]
    private var last: UInt64 = 0

    var count: Int { continuations.count }

    /// - Returns: a number to leave by.
    mutating func join(_ continuation: AsyncStream<UInt64>.Continuation) -> UInt64 {
        last += 1
        continuations[last] = continuation
        return last
    }

    mutating func leave(_ watcher: UInt64) { continuations[watcher] = nil }

    func send(_ locks: UInt64) {
        for continuation in continuations.values { continuation.yield(locks) }
    }
}
