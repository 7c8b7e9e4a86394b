// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Where messages go: an address that was resolved and checked before, and what HTTP says around it.
package struct RemotingTarget: Hashable, Sendable {
    package enum Security: Hashable, Sendable {
        case plain
        case tls(TLSPolicy)
    }

    package let address: SocketAddress
    /// The value of the Host header.
    package let hostHeader: String
    /// Begins with a slash; `/bin` is the servers' default.
    package let path: String
    package let security: Security

    /// - Throws: `malformed` for a path without a leading slash, and for bytes in path or host that would break out of
    ///   the request line or header.
    package init(
        address: SocketAddress,
        hostHeader: String,
        path: String = "/bin",
        security: Security
    )
        throws(RemotingError)
    {
        guard path.hasPrefix("/"), path.utf8.allSatisfy(Self.isVisible) else {
            throw .malformed(reason: "path of the server")
        }
        guard !hostHeader.isEmpty, hostHeader.utf8.allSatisfy(Self.isVisible) else {
            throw .malformed(reason: "host of the server")
        }
        self.address = address
        self.hostHeader = hostHeader
        self.path = path
        self.security = security
    }

    private static func isVisible(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte)
    }
}
