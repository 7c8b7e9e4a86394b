// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import Synchronization

/// Looks at the certificate that a server shows during one handshake.
///
/// The handshake itself then proves that the server holds its key.
final class PeerCheck: Sendable {
    private struct Seen {
        var key: PublicKeyFingerprint?
        var fault: String?
    }

    private let proof: TLSPolicy.Proof?
    private let verifier: ChainVerifier?
    private let seen = Mutex(Seen())

    /// Without a proof every key passes and is only noted. Without a verifier nothing passes that needs an authority.
    init(_ proof: TLSPolicy.Proof?, _ verifier: ChainVerifier?) {
        self.proof = proof
        self.verifier = verifier
    }

    /// The key that the server showed, once it has.
    var observed: PublicKeyFingerprint? { seen.withLock { $0.key } }

    /// Why this is not the server, if what it showed says so.
    var failure: RemotingError? {
        switch (proof, seen.withLock { $0 }) {
        case (.key(let pin)?, let seen): seen.key.flatMap { $0 == pin ? nil : .tlsIdentity(observed: $0) }
        case (.authority(let host)?, let seen): seen.fault.map { .tlsUntrusted(host: host, reason: $0) }
        case (nil, _): nil
        }
    }

    /// NIOSSL's verification callback; it replaces the usual one.
    func verify(_ chain: [NIOSSLCertificate], _ verdict: EventLoopPromise<NIOSSLVerificationResult>) {
        let key = try? chain.first?.extractPublicKey().toSPKIBytes()
        let fingerprint = key.flatMap { PublicKeyFingerprint(ofSPKI: $0) }
        seen.withLock { $0.key = fingerprint }
        guard let fingerprint else { return verdict.succeed(.failed) }
        switch proof {
        case nil: verdict.succeed(.certificateVerified)
        case .key(let pin): verdict.succeed(fingerprint == pin ? .certificateVerified : .failed)
        case .authority(let host): verify(chain, for: host, verdict)
        }
    }

    private func verify(
        _ chain: [NIOSSLCertificate],
        for host: String,
        _ verdict: EventLoopPromise<NIOSSLVerificationResult>
    ) {
        @Sendable func end(_ fault: String?) {
            seen.withLock { $0.fault = fault }
            verdict.succeed(fault == nil ? .certificateVerified : .failed)
        }
        guard let verifier, let chain = try? chain.map({ try $0.toDERBytes() }) else {
            return end("its certificate cannot be checked")
        }
        verifier.verify(chain, for: host, end)
    }
}
