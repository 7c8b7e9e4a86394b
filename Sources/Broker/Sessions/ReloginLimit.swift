// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Limits how often the password may be sent to one endpoint again, because a server can request it at will by
/// answering SessionNotFound (docs/threat-model.md).
struct ReloginLimit: Hashable {
    let count: Int
    let window: TimeAmount
    /// Whether the peer proves nothing: the password is sent to any host that answers at the pinned address.
    let isOnTrust: Bool

    /// For a peer on plain HTTP, which proves nothing.
    static let onTrust = ReloginLimit(count: 3, window: .minutes(10), isOnTrust: true)
    /// For a peer that has proved its identity, or is on this machine. Sufficient for a server with very short
    /// sessions.
    static let proved = ReloginLimit(count: 30, window: .minutes(1), isOnTrust: false)

    /// The earlier logins that still count.
    func current(_ logins: [NIODeadline], at now: NIODeadline) -> [NIODeadline] {
        logins.filter { $0 + window > now }
    }

    /// The time of the next permitted login; nil if a login is permitted now.
    func blocked(after logins: [NIODeadline], at now: NIODeadline) -> NIODeadline? {
        let counted = current(logins, at: now)
        guard counted.count >= count else { return nil }
        return counted[counted.count - count] + window
    }
}
