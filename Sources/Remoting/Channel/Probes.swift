// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Learns whether anybody accepts connections at an address. Sends nothing, and hangs up at once.
package enum TCPProbe {
    /// - Parameter end: when to give up, if that is before `deadline` has passed.
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

/// Learns a server's TLS key, to show it to the user before it is pinned, or has a server prove itself. Sends nothing but
/// the handshake.
package enum TLSProbe {
    /// The key that the server showed and proved to hold.
    ///
    /// - Parameters:
    ///   - proof: what the server has to prove; nil takes any key.
    ///   - verifier: asks the authorities, where the proof needs them.
    ///   - end: when to give up, if that is before `deadline` has passed.
    /// - Throws: `tlsIdentity` or `tlsUntrusted` without that proof; `unreachable`; also if the server speaks no TLS, or only versions before 1.2. `deadline` at `end`.
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
        guard let key else { throw RemotingError.unreachable(reason: "the server showed no key") }
        return key
    }
}
