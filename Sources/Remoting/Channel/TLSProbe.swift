// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Learns a server's TLS key, to show it to the user before it is pinned. Sends nothing but the handshake.
package enum TLSProbe {
    /// The key that the server showed and proved to hold.
    ///
    /// - Throws: `unreachable`; also if the server speaks no TLS, or only versions before 1.2.
    package static func observe(
        address: SocketAddress,
        serverName: String?,
        on loop: any EventLoop,
        timeout: Duration = .seconds(3)
    ) async throws -> PublicKeyFingerprint {
        let connector = RemotingConnector(
            address: address,
            timeout: timeout,
            loop: loop,
            tls: try ClientTLS(serverName: serverName),
            pin: nil
        )
        let (channel, key) = try await connector.connect { _ in }
        channel.close(promise: nil)
        guard let key else { throw RemotingError.unreachable(reason: "the server showed no key") }
        return key
    }
}
