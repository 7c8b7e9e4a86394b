// SPDX-License-Identifier: Apache-2.0

/// Counts the open connections and refuses those above the limits.
struct Admission {
    private(set) var total = 0
    private var perProcess: [Int32: Int] = [:]
    private let limits: VarlinkLimits

    init(_ limits: VarlinkLimits) {
        self.limits = limits
    }

    /// - Returns: whether the connection is allowed. If so, `leave` must be called when it closes.
    mutating func enter(_ peer: VarlinkPeer) -> Bool {
        let held = perProcess[peer.pid, default: 0]
        guard total < limits.connections, held < limits.connectionsPerProcess else { return false }
        total += 1
        perProcess[peer.pid] = held + 1
        return true
    }

    mutating func leave(_ peer: VarlinkPeer) {
        guard let held = perProcess[peer.pid] else { return }
        total -= 1
        perProcess[peer.pid] = held > 1 ? held - 1 : nil
    }
}
