// SPDX-License-Identifier: Apache-2.0

/// The URL of a server's dispatcher: `scheme://host:port/path`.
package struct ServerURL: Sendable, Hashable {
    /// The scheme, which decides whether TLS is used.
    package enum Scheme: String, Sendable, Hashable, Codable, CaseIterable {
        case http, https

        /// The port of a full URL that contains none.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    /// The scheme.
    package var scheme: Scheme
    /// The host.
    package var host: ServerHost
    /// The port.
    package var port: UInt16
    /// The path. It begins with `/` and is printable ASCII without spaces, at most 1,024 bytes.
    package var path: String

    /// A URL of these parts, which are not checked.
    package init(scheme: Scheme, host: ServerHost, port: UInt16, path: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }
}

extension ServerURL: CustomStringConvertible {
    /// The full URL, always with a port.
    package var description: String { "\(scheme.rawValue)://\(host.urlText):\(port)\(path)" }
}
