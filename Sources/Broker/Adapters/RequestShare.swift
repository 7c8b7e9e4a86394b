// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// What one request of a tool's holds of the budget, from its first byte until nothing of it or of its answer is in memory
/// any more. On the event loop only.
final class RequestShare: Sendable {
    private let budget: RequestBudget
    private let held: NIOLoopBoundBox<Int>

    init(of budget: RequestBudget, loop: any EventLoop) {
        self.budget = budget
        held = .makeBoxSendingValue(0, eventLoop: loop)
    }

    /// Takes so many bytes more.
    ///
    /// - Throws: `BrokerError.overloaded`, and takes nothing, when less than that is left.
    func take(_ bytes: Int) throws(BrokerError) {
        guard budget.take(bytes) else { throw .overloaded }
        held.value += bytes
    }

    func giveBack() {
        budget.giveBack(held.value)
        held.value = 0
    }
}
