// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// Decides whether a password may go to the process at the other end of a connection within this machine.
struct PeerTrust: Sendable, Hashable {
    enum Verdict: Hashable {
        case trusted
        /// The owner may be known in a moment.
        case askAgain
        /// Another user of this machine.
        case stranger
        /// The kernel does not report whose process it is.
        case unknown
        /// No process has accepted the connection.
        case unaccepted
    }

    let user: UInt32
    /// Every user outside of our user namespace is shown as this one.
    let overflowUser: UInt32
    /// No user is hidden: root is shown as root.
    let isInitialNamespace: Bool

    /// For this process, whose namespace never changes.
    static let current = PeerTrust(
        user: geteuid(),
        overflowUser: TextFile.read("/proc/sys/kernel/overflowuid", maximumBytes: 64)
            .flatMap { UInt32($0.filter(\.isNumber)) } ?? 65_534,
        map: TextFile.read("/proc/self/uid_map", maximumBytes: 64 << 10) ?? ""
    )

    init(user: UInt32, overflowUser: UInt32 = 65_534, isInitialNamespace: Bool) {
        self.user = user
        self.overflowUser = overflowUser
        self.isInitialNamespace = isInitialNamespace
    }

    /// - Parameter map: the text of `/proc/self/uid_map`. The initial namespace maps every user to itself.
    init(user: UInt32, overflowUser: UInt32, map: String) {
        self.init(
            user: user,
            overflowUser: overflowUser,
            isInitialNamespace: map.split(whereSeparator: { $0.isWhitespace }) == ["0", "0", "4294967295"]
        )
    }

    /// - Parameter isLast: the owner will not be asked for again.
    func verdict(on owner: SocketOwner, isLast: Bool) -> Verdict {
        switch owner {
        case .user(overflowUser) where !isInitialNamespace: .unknown
        case .user(user): .trusted
        case .user(0) where isInitialNamespace: .trusted
        case .user: .stranger
        case .unaccepted: isLast ? .unaccepted : .askAgain
        case .none where !isLast: .askAgain
        case .none, .unavailable: .unknown
        }
    }
}
