// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The memory budget for the requests and replies of all adapters, or the share of one socket in it. On the event
/// loop only.
final class RequestBudget: Sendable {
    private let free: NIOLoopBoundBox<Int>
    /// Bytes that the requests on one socket hold; nil for the budget of all.
    private let held: NIOLoopBoundBox<Int>?
    private let loop: any EventLoop

    init(bytes: Int, loop: any EventLoop) {
        free = .makeBoxSendingValue(bytes, eventLoop: loop)
        held = nil
        self.loop = loop
    }

    private init(socketOf all: RequestBudget) {
        free = all.free
        held = .makeBoxSendingValue(0, eventLoop: all.loop)
        loop = all.loop
    }

    var freeBytes: Int { free.value }

    /// Makes the share of another socket.
    func share() -> RequestBudget { RequestBudget(socketOf: self) }

    /// - Returns: false, and takes nothing, if less than that is free, or if the socket would hold more than it
    ///   leaves free.
    func take(_ bytes: Int) -> Bool {
        guard Self.mayTake(bytes, held: held?.value, free: free.value) else { return false }
        free.value -= bytes
        held?.value += bytes
        return true
    }

    func release(_ bytes: Int) {
        free.value += bytes
        held?.value -= bytes
    }

    /// A socket never holds more than it leaves to all others: one socket alone at most half of the budget, two
    /// together two thirds. Therefore some memory is always free for a socket that holds nothing.
    static func mayTake(_ bytes: Int, held: Int?, free: Int) -> Bool {
        free - bytes >= (held.map { $0 + bytes } ?? 0)
    }
}

/// The part of the budget that one request of a tool holds, from its first byte until neither the request nor its
/// reply is in memory. On the event loop only.
final class RequestShare: Sendable {
    private let budget: RequestBudget
    private let held: NIOLoopBoundBox<Int>

    init(of budget: RequestBudget, loop: any EventLoop) {
        self.budget = budget
        held = .makeBoxSendingValue(0, eventLoop: loop)
    }

    /// Takes this many additional bytes.
    ///
    /// - Throws: `BrokerError.overloaded`, and takes nothing, if less than that is free.
    func take(_ bytes: Int) throws(BrokerError) {
        guard budget.take(bytes) else { throw .overloaded }
        held.value += bytes
    }

    func release() {
        budget.release(held.value)
        held.value = 0
    }
}
