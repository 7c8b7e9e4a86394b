// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Memory that the requests of all adapters and their answers together may hold. On the event loop only.
final class RequestBudget: Sendable {
    private let rest: NIOLoopBoundBox<Int>

    init(bytes: Int, loop: any EventLoop) {
        rest = .makeBoxSendingValue(bytes, eventLoop: loop)
    }

    /// - Returns: false, and takes nothing, when less than that is left.
    func take(_ bytes: Int) -> Bool {
        guard rest.value >= bytes else { return false }
        rest.value -= bytes
        return true
    }

    func giveBack(_ bytes: Int) {
        rest.value += bytes
    }
}
