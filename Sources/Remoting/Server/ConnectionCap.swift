// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Synchronization

/// Closes connections beyond a number, and all of them at the end.
final class ConnectionCap: Sendable {
    private let limit: Int
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// False if the connection is one too many; it forgets the connection when that closes.
    func admits(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let admitted = open.withLock { open in
            guard open.count < limit else { return false }
            open[id] = channel
            return true
        }
        guard admitted else { return false }
        channel.closeFuture.whenComplete { _ in self.open.withLock { $0[id] = nil } }
        return true
    }

    func closeAll() {
        for channel in open.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}
