// SPDX-License-Identifier: Apache-2.0

/// Where a server's dispatcher answers: `scheme://host:port/path`.
package struct ServerURL: Sendable, Hashable {
    package enum Scheme: String, Sendable, Hashable, Codable, CaseIterable {
        case http, https

        /// The port that a full URL without one means.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package var scheme: Scheme
    package var host: ServerHost
    package var port: UInt16
    /// Begins with `/`; printable ASCII without spaces, at most 1,024 bytes.
    package var path: String

    package init(scheme: Scheme, host: ServerHost, port: UInt16, path: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }
}

extension ServerURL: CustomStringConvertible {
    package var description: String { "\(scheme.rawValue)://\(host.urlText):\(port)\(path)" }
}
