// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// The servers that the daemon may connect to.
package enum ServerReach: Sendable, Hashable {
    /// Every server that the user has added, or that a source names.
    case network
    /// Servers at loopback addresses. No name is looked up, because a look-up may leave this machine.
    case loopback

    /// Returns the addresses of a host, if they follow from this rule alone; nil if they have to be determined.
    ///
    /// - Throws: `BrokerError.unreachable` for a host outside the reach.
    func addresses(of host: ServerHost) throws(BrokerError) -> [IPAddress]? {
        guard self == .loopback else { return nil }
        switch host {
        case .address(let address, _) where address.isLoopback: return [address]
        case .name("localhost"): return ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        default:
            throw .unreachable(StateReason(code: .error, detail: "this daemon connects to loopback addresses only"))
        }
    }
}
