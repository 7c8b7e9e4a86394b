// SPDX-License-Identifier: Apache-2.0

/// Permission to send passwords to one server unencrypted.
package struct PlaintextPermission: Sendable, Hashable {
    /// Permission of the user, and where it holds.
    package enum User: Sendable, Hashable {
        /// There is none.
        case none
        /// Given just now, for the place where this machine is.
        case here
        /// Given before, for one network and, for a link-local address, for one interface; nil where none could be told.
        case on(network: [UInt8]?, interface: String?)
    }

    package let user: User
    /// The administrator permits it too, anywhere.
    package let administrator: Bool

    package init(user: User, administrator: Bool = false) {
        self.user = user
        self.administrator = administrator
    }
}
