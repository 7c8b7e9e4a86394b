// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Checks whether an address accepts TCP connections. Sends no data and closes the connection immediately.
package enum TCPProbe {
    /// Connects and closes the connection.
    ///
    /// - Parameter end: an absolute time limit, effective if it comes before `deadline` has passed.
    /// - Throws: `unreachable`, `deadline` at `end`, or `CancellationError` as soon as the task is cancelled.
    package static func connect(
        to address: SocketAddress,
        on loop: any EventLoop,
        deadline: Duration = .seconds(3),
        before end: NIODeadline = .distantFuture
    ) async throws {
        let connector = RemotingConnector(address: address, timeout: deadline, loop: loop, tls: nil)
        let (channel, _) = try await connector.connect(before: end) { _ in }
        channel.close(promise: nil)
    }
}

/// Reads a server's TLS key, to show it to the user before it is pinned, or verifies a server's identity. Sends
/// nothing but the handshake.
package enum TLSProbe {
    /// Returns the key that the server presented and proved to hold.
    ///
    /// - Parameters:
    ///   - proof: the required proof of identity; nil accepts any key.
    ///   - verifier: checks certificates against the trusted authorities, if the proof needs that.
    ///   - end: an absolute time limit, effective if it comes before `deadline` has passed.
    /// - Throws: `tlsIdentity` or `tlsUntrusted` without that proof; `unreachable`, also if the server does not
    ///   support TLS, or only versions before 1.2; `deadline` at `end`.
    package static func observe(
        address: SocketAddress,
        serverName: String?,
        proof: TLSPolicy.Proof? = nil,
        verifier: ChainVerifier? = nil,
        on loop: any EventLoop,
        deadline: Duration = .seconds(3),
        before end: NIODeadline = .distantFuture
    ) async throws -> PublicKeyFingerprint {
        let connector = RemotingConnector(
            address: address,
            timeout: deadline,
            loop: loop,
            tls: try ClientTLS(serverName: serverName),
            proof: proof,
            verifier: verifier
        )
        let (channel, key) = try await connector.connect(before: end) { _ in }
        channel.close(promise: nil)
        guard let key else { throw RemotingError.unreachable(.noKey) }
        return key
    }
}
