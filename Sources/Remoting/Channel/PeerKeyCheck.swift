// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import Synchronization

/// Looks at the key in a server's certificate during one handshake.
///
/// The handshake itself then proves that the server holds that key.
final class PeerKeyCheck: Sendable {
    private let pin: PublicKeyFingerprint?
    private let seen = Mutex<PublicKeyFingerprint?>(nil)

    /// Without a pin every key passes and is only noted.
    init(pin: PublicKeyFingerprint?) {
        self.pin = pin
    }

    /// The key that the server showed, once it has.
    var observed: PublicKeyFingerprint? { seen.withLock { $0 } }

    /// The key shown, if it is not the pinned one.
    var mismatch: PublicKeyFingerprint? {
        guard let pin, let observed, observed != pin else { return nil }
        return observed
    }

    /// NIOSSL's verification callback; it replaces the usual one.
    func verify(_ chain: [NIOSSLCertificate], _ verdict: EventLoopPromise<NIOSSLVerificationResult>) {
        let key = try? chain.first?.extractPublicKey().toSPKIBytes()
        let fingerprint = key.flatMap { PublicKeyFingerprint(ofSPKI: $0) }
        seen.withLock { $0 = fingerprint }
        verdict.succeed(fingerprint != nil && (pin == nil || fingerprint == pin) ? .certificateVerified : .failed)
    }
}
