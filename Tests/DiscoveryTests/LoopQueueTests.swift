// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

@Suite("The queue of Avahi's thread")
struct LoopQueueTests {
    private let start = SuspendingClock.now

    @Test("it sleeps for ever when there is nothing, and until the next timer otherwise")
    func timeouts() {
        var queue = LoopQueue()
        #expect(queue.timeout(now: start) == -1)
        _ = queue.appendTimer(due: start.advanced(by: .seconds(3))) {}
        let sooner = queue.appendTimer(due: start.advanced(by: .milliseconds(1_500))) {}
        #expect(queue.timeout(now: start) == 1_501)
        queue.remove(sooner)
        #expect(queue.timeout(now: start) == 3_001)
        #expect(queue.timeout(now: start.advanced(by: .seconds(4))) == 0)
    }

    @Test("a pause longer than poll(2) can wait is cut, not wrapped")
    func longTimer() {
        var queue = LoopQueue()
        _ = queue.appendTimer(due: start.advanced(by: .seconds(86_400 * 365))) {}
        #expect(queue.timeout(now: start) == .max)
    }

    @Test("a timer is due at its time, once")
    func due() {
        var queue = LoopQueue()
        _ = queue.appendTimer(due: start.advanced(by: .seconds(1))) {}
        #expect(queue.takeReady(now: start)?.count == 0)
        #expect(!queue.hasReady(now: start))
        let then = start.advanced(by: .seconds(1))
        #expect(queue.hasReady(now: then))
        #expect(queue.takeReady(now: then)?.count == 1)
        #expect(queue.takeReady(now: then)?.count == 0)
    }

    @Test("told to stop, it hands out the rest, leaves, and takes no more")
    func stopping() {
        var queue = LoopQueue()
        queue.append(.closure {})
        _ = queue.appendTimer(due: start.advanced(by: .seconds(1))) {}
        queue.isStopping = true
        #expect(queue.takeReady(now: start)?.count == 1)
        #expect(!queue.hasLeft)
        #expect(queue.takeReady(now: start)?.count == nil)
        #expect(queue.hasLeft)
        queue.append(.closure {})
        #expect(queue.takeReady(now: start)?.count == nil)
    }
}
