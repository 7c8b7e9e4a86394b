// SPDX-License-Identifier: Apache-2.0

/// An adapter of the configuration: open as long as the daemon runs, logged in only while it is used.
package struct ConfiguredAdapter: Sendable, Hashable {
    /// The address to listen on.
    package enum Place: Sendable, Hashable {
        case socket
        /// A port from 1024 to 65535, and the path of the URL: a slash and 22 to 255 letters, digits, `_` and `-`. If the
        /// path is nil, one is made and stored.
        case loopback(port: UInt16, path: String?)
    }

    /// The adapter's ID and the name of its socket: 1 to 32 letters, digits, `_` and `-`.
    package let name: String
    /// A login's name.
    package let login: String
    /// The address to listen on.
    package let place: Place

    /// The caller ensures that the values are valid.
    package init(name: String, login: String, place: Place) {
        self.name = name
        self.login = login
        self.place = place
    }

    /// The port of a loopback address.
    package var port: UInt16? { if case .loopback(let port, _) = place { port } else { nil } }
}
