// SPDX-License-Identifier: Apache-2.0

/// An adapter of the configuration: open as long as the daemon runs, logged in only while it is used.
package struct StandingAdapter: Sendable, Hashable {
    /// The address to listen on.
    package enum Place: Sendable, Hashable {
        case socket
        /// If the path is nil, one is made and stored.
        case loopback(port: UInt16, path: String?)
    }

    /// The adapter's ID and the name of its socket: letters, digits, `_` and `-`.
    package let name: String
    /// A login's name.
    package let login: String
    /// The address to listen on.
    package let place: Place

    /// - Parameter name: letters, digits, `_` and `-`.
    package init(name: String, login: String, place: Place) {
        self.name = name
        self.login = login
        self.place = place
    }
}
