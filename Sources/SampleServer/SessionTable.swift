// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting

/// Who is logged in, and until when. Every call of a session begins its time anew.
struct SessionTable {
    /// Sessions at a time; the one that would expire first goes when another comes.
    static let capacity = 10_000

    private let timeout: TimeAmount
    private var ends: [ClientID: NIODeadline] = [:]

    init(timeout: Duration) {
        self.timeout = TimeAmount(timeout)
    }

    var count: Int { ends.count }

    var clients: Set<ClientID> { Set(ends.keys) }

    mutating func begin(_ client: ClientID, now: NIODeadline) {
        ends = ends.filter { $0.value > now }
        if ends.count >= Self.capacity, let first = ends.min(by: { $0.value < $1.value }) { ends[first.key] = nil }
        ends[client] = now + timeout
    }

    /// False if the client has no session, or no longer.
    mutating func use(_ client: ClientID, now: NIODeadline) -> Bool {
        guard let end = ends[client], end > now else {
            ends[client] = nil
            return false
        }
        ends[client] = now + timeout
        return true
    }

    mutating func end(_ client: ClientID) {
        ends[client] = nil
    }
}
