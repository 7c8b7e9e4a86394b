// SPDX-License-Identifier: Apache-2.0

import NIOCore

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

    func giveBack() {
        budget.giveBack(held.value)
        held.value = 0
    }
}
