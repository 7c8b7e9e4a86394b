// SPDX-License-Identifier: Apache-2.0

/// An adapter of the configuration: there from the daemon's start to its end, logged in only while it is used.
package struct StandingAdapter: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        case socket
        /// A path of nil is made once and kept.
        case loopback(port: UInt16, path: String?)
    }

    /// Its id, and the name of its socket: letters, digits, `_` and `-`.
    package let name: String
    /// A login's name.
    package let login: String
    package let place: Place

    package init(name: String, login: String, place: Place) {
        self.name = name
        self.login = login
        self.place = place
    }
}
