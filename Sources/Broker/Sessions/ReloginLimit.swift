// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// How often the password may go out again to one endpoint, since a server asks for that at will by answering
/// SessionNotFound (docs/threat-model.md).
struct ReloginLimit: Hashable {
    let count: Int
    let window: TimeAmount
    /// The password goes to whoever answers at the pinned address.
    let isOnTrust: Bool

    /// For a peer on plain HTTP, which proves nothing.
    static let onTrust = ReloginLimit(count: 3, window: .minutes(10), isOnTrust: true)
    /// For a peer that has proved who it is, or is on this machine: no more than a server with very short sessions needs.
    static let proved = ReloginLimit(count: 30, window: .minutes(1), isOnTrust: false)

    /// What still counts of logins made earlier.
    func current(_ logins: [NIODeadline], at now: NIODeadline) -> [NIODeadline] {
        logins.filter { $0 + window > now }
    }

    /// When the next login may be made; nil if that is now.
    func blocked(after logins: [NIODeadline], at now: NIODeadline) -> NIODeadline? {
        let counted = current(logins, at: now)
        guard counted.count >= count else { return nil }
        return counted[counted.count - count] + window
    }
}
