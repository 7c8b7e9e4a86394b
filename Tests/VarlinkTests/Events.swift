// SPDX-License-Identifier: Apache-2.0

import Locks

/// A counter of named events, and a way to wait for them.
final class Events: Sendable {
    private struct Waiter {
        let name: String
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var counts: [String: Int] = [:]
        var waiters: [Waiter] = []
    }

    private let state = Lock(State())

    func add(_ name: String) {
        let due = state.withLock { state in
            state.counts[name, default: 0] += 1
            let due = state.waiters.filter { state.counts[$0.name, default: 0] >= $0.count }
            state.waiters.removeAll { state.counts[$0.name, default: 0] >= $0.count }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }

    func count(_ name: String) -> Int {
        state.withLock { $0.counts[name, default: 0] }
    }

    func until(_ name: String, count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                if state.counts[name, default: 0] >= count { return true }
                state.waiters.append(Waiter(name: name, count: count, continuation: continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        for await _ in stream {}
        continuation.finish()
    }
}
