// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
package import NIOPosix
import NIOSSL
import NIOTLS
import Platform

/// The required proof of a server's identity, with TLS 1.2 or later.
///
/// There is no channel to a server without such a proof. To read a key before it is pinned, use `TLSProbe`.
package struct TLSPolicy: Hashable, Sendable {
    /// How the server proves its identity.
    package enum Proof: Hashable, Sendable {
        /// By the pinned key alone. The certificate's names, dates and issuer are not checked.
        case key(PublicKeyFingerprint)
        /// By a certificate for this host, a name or an address, from a trusted authority. The key is not checked.
        case authority(host: String)
    }

    /// The name to send as SNI; an address is not sent.
    package let serverName: String?
    /// The required proof.
    package let proof: Proof

    /// Requires the pinned key.
    package init(serverName: String?, pin: PublicKeyFingerprint) {
        self.serverName = serverName
        proof = .key(pin)
    }

    /// Requires a certificate for `host`, and requests it with `host` as SNI.
    package init(authorityFor host: String) {
        serverName = host
        proof = .authority(host: host)
    }
}

/// The client side of TLS, shared by all connections to one server.
struct ClientTLS: Sendable {
    private let context: NIOSSLContext
    private let serverName: String?

    init(serverName: String?) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .noHostnameVerification
        // PeerCheck alone decides. With an empty list, the system's CA files are not read.
        configuration.trustRoots = .certificates([])
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
        let isAddress = serverName.map { (try? SocketAddress(ipAddress: $0, port: 0)) != nil } ?? false
        self.serverName = isAddress ? nil : serverName
    }

    /// Adds TLS to a new connection; `done` is completed at the end of the handshake.
    func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations,
        _ check: PeerCheck,
        _ done: EventLoopPromise<Void>
    ) throws {
        try pipeline.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: serverName) { chain, verdict in
                check.verify(chain, verdict)
            }
        )
        try pipeline.addHandler(HandshakeHandler(check, done))
    }
}

/// SHA-256 over the SubjectPublicKeyInfo of a certificate (RFC 7469, section 2.4): the value that a TLS pin stores.
///
/// It stays the same if the certificate is renewed with the same key.
package struct PublicKeyFingerprint: Hashable, Sendable {
    /// The length of a fingerprint.
    package static let byteCount = 32

    /// The digest.
    package let bytes: [UInt8]

    /// Returns nil unless there are 32 bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    init(ofSPKI spki: [UInt8]) {
        bytes = SHA256.digest(of: spki)
    }
}

extension PublicKeyFingerprint: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package var description: String { HexText.encode(bytes) }
}

/// Checks certificates against the trusted authorities. Runs on a thread pool, because it reads files.
package struct ChainVerifier: Sendable {
    private let authorities: CertificateAuthorities
    private let pool: NIOThreadPool

    /// - Parameter pool: the threads that run the checks.
    package init(_ authorities: CertificateAuthorities, on pool: NIOThreadPool) {
        self.authorities = authorities
        self.pool = pool
    }

    /// - Parameters:
    ///   - chain: in DER, the server's own certificate first.
    ///   - host: a name or an address.
    ///   - done: called on any thread with the reason for rejection, or with nil if the chain is valid.
    func verify(_ chain: [[UInt8]], for host: String, _ done: @escaping @Sendable (String?) -> Void) {
        let host = CertificateAuthorities.Host(host)
        pool.submit { state in
            guard state == .active else { return done("the program ends") }
            do throws(CertificateFault) {
                try authorities.check(chain, for: host)
                done(nil)
            } catch {
                done("\(error)")
            }
        }
    }
}

/// Checks the certificate that a server presents during one handshake.
///
/// The handshake itself then proves that the server holds the key.
final class PeerCheck: Sendable {
    private struct Seen {
        var key: PublicKeyFingerprint?
        var fault: String?
    }

    private let proof: TLSPolicy.Proof?
    private let verifier: ChainVerifier?
    private let seen = Lock(Seen())

    /// Without a proof, every key is accepted and only recorded. Without a verifier, proofs by an authority fail.
    init(_ proof: TLSPolicy.Proof?, _ verifier: ChainVerifier?) {
        self.proof = proof
        self.verifier = verifier
    }

    /// The key that the server presented; nil before that.
    var observed: PublicKeyFingerprint? { seen.withLock { $0.key } }

    /// Why the server failed the check; nil if it did not.
    var failure: RemotingError? {
        switch (proof, seen.withLock { $0 }) {
        case (.key(let pin)?, let seen): seen.key.flatMap { $0 == pin ? nil : .tlsIdentity(observed: $0) }
        case (.authority(let host)?, let seen): seen.fault.map { .tlsUntrusted(host: host, reason: $0) }
        case (nil, _): nil
        }
    }

    /// The verification callback of NIOSSL, which replaces its built-in verification.
    func verify(_ chain: [NIOSSLCertificate], _ verdict: EventLoopPromise<NIOSSLVerificationResult>) {
        let key = try? chain.first?.extractPublicKey().toSPKIBytes()
        let fingerprint = key.map { PublicKeyFingerprint(ofSPKI: $0) }
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

/// Completes a promise with the result of a TLS handshake.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let check: PeerCheck
    private let done: EventLoopPromise<Void>

    init(_ check: PeerCheck, _ done: EventLoopPromise<Void>) {
        self.check = check
        self.done = done
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { done.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        done.fail(failure)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        done.fail(failure)
        context.fireChannelInactive()
    }

    private var failure: RemotingError {
        check.failure ?? .unreachable(.tlsFailed)
    }
}
