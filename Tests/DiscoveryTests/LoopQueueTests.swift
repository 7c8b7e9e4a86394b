// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

@Suite("Queue of Avahi's thread")
struct LoopQueueTests {
    private let start = SuspendingClock.now

    @Test("the thread sleeps forever without work, and otherwise until the next timer")
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

    @Test("an interval that is too long for poll(2) is truncated and does not overflow")
    func longTimer() {
        var queue = LoopQueue()
        _ = queue.appendTimer(due: start.advanced(by: .seconds(86_400 * 365))) {}
        #expect(queue.timeout(now: start) == .max)
    }

    @Test("a timer fires once at its time")
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

    @Test("after stop the queue returns the remaining work, ends, and accepts no new work")
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
