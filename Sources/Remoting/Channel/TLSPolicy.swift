// SPDX-License-Identifier: Apache-2.0

/// How the server proves who it is: by the pinned key alone, at TLS 1.2 or later.
///
/// Names and dates of the certificate and its issuer play no part. To learn a key before it is pinned, use `TLSProbe`;
/// a channel without a pin does not exist.
package struct TLSPolicy: Hashable, Sendable {
    /// Sent as SNI; an address is not sent.
    package let serverName: String?
    package let pin: PublicKeyFingerprint

    package init(serverName: String?, pin: PublicKeyFingerprint) {
        self.serverName = serverName
        self.pin = pin
    }
}
