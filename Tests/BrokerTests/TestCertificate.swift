// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import Platform
import TestSupport
import Testing

/// A self-signed certificate, made by the openssl program.
struct TestCertificate {
    let context: NIOSSLContext
    /// SHA-256 of the public key, as the openssl program finds it.
    let digest: [UInt8]

    init(in directory: TemporaryDirectory) async throws {
        let (key, certificate) = (directory.path(of: "key.pem"), directory.path(of: "certificate.pem"))
        try await Command([
            "openssl", "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=x", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-keyout", key, "-out", certificate,
        ]).succeed()
        let publicKey = directory.path(of: "public.pem")
        let der = directory.path(of: "public.der")
        try await Command(["openssl", "x509", "-in", certificate, "-pubkey", "-noout", "-out", publicKey]).succeed()
        try await Command(["openssl", "pkey", "-pubin", "-in", publicKey, "-outform", "der", "-out", der]).succeed()
        let sum = try await Command(["sha256sum", der]).succeed()
        digest = try #require(HexText.decode(String(sum.prefix(64))))
        context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            )
        )
    }
}
