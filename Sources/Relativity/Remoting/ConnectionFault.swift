// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why a connection was not made, or ended too early.
package enum ConnectionFault: Sendable, Hashable {
    case system(errno: Int32)
    /// No connection within the time for one.
    case timeout
    case tlsFailed
    case noKey
    /// The server sent something before it was asked.
    case spokeFirst
    case closed
    case closedBeforeReply
    case closedDuringReply
    /// The library gives no reason.
    case unknown
}

extension ConnectionFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .system(let errno): String(cString: strerror(errno))
        case .timeout: "no connection in time"
        case .tlsFailed: "TLS failed"
        case .noKey: "the server showed no key"
        case .spokeFirst: "the server sent data before a request"
        case .closed: "the server closed the connection"
        case .closedBeforeReply: "connection closed before the reply"
        case .closedDuringReply: "connection closed during the reply"
        case .unknown: "no connection"
        }
    }
}
