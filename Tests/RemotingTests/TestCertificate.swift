// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import Platform
import TestSupport

@testable import Remoting

/// A self-signed certificate made by the openssl program, with the fingerprint that openssl computes for its key.
struct TestCertificate {
    let context: NIOSSLContext
    /// Files of the certificate and the key, in PEM.
    let (file, keyFile): (String, String)
    private let folder = TemporaryDirectory()
    let fingerprint: PublicKeyFingerprint

    struct NoDigest: Error {}

    /// - Parameter key: arguments of `openssl req` that select the key.
    init(
        key: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
        maximum: TLSVersion? = nil
    ) async throws {
        (keyFile, file) = (folder.path(of: "key.pem"), folder.path(of: "certificate.pem"))
        let (publicFile, spki) = (folder.path(of: "public.pem"), folder.path(of: "spki"))
        let subject = ["-subj", "/CN=another.name", "-keyout", keyFile, "-out", file]
        try await Command(["openssl", "req", "-x509", "-nodes", "-days", "1"] + subject + key).succeed()
        try await Command(["openssl", "x509", "-in", file, "-pubkey", "-noout", "-out", publicFile])
            .succeed()
        try await Command(["openssl", "pkey", "-pubin", "-in", publicFile, "-outform", "der", "-out", spki]).succeed()
        let digest = try await Command(["openssl", "dgst", "-sha256", "-r", spki]).succeed()
        guard let bytes = HexText.decode(digest.prefix(64)), let fingerprint = PublicKeyFingerprint(bytes: bytes) else {
            throw NoDigest()
        }
        self.fingerprint = fingerprint
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(file).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem))
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximum
        context = try NIOSSLContext(configuration: configuration)
    }
}
