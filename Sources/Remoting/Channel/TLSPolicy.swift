// SPDX-License-Identifier: Apache-2.0

/// How the server proves who it is, at TLS 1.2 or later.
///
/// To learn a key before it is pinned, use `TLSProbe`; a channel whose server proves nothing does not exist.
package struct TLSPolicy: Hashable, Sendable {
    package enum Proof: Hashable, Sendable {
        /// By the pinned key alone: names and dates of the certificate and its issuer play no part.
        case key(PublicKeyFingerprint)
        /// By a certificate for this host, a name or an address, from a trusted authority: its key plays no part.
        case authority(host: String)
    }

    /// Sent as SNI; an address is not sent.
    package let serverName: String?
    package let proof: Proof

    package init(serverName: String?, pin: PublicKeyFingerprint) {
        self.serverName = serverName
        proof = .key(pin)
    }

    /// The certificate is asked for by the name that it has to be for.
    package init(authorityFor host: String) {
        serverName = host
        proof = .authority(host: host)
    }
}
