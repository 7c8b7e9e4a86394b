// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL
import Platform
import TestSupport
import Testing

/// A self-signed certificate, made by the openssl program.
struct TestCertificate {
    let context: NIOSSLContext
    private let chain: [NIOSSLCertificateSource]
    private let privateKey: NIOSSLPrivateKeySource
    /// SHA-256 of the public key, as computed by openssl.
    let digest: [UInt8]

    /// - Parameter name: the name of its files in the directory.
    init(in directory: TemporaryDirectory, name: String = "server") async throws {
        let key = Self.key(name, directory)
        let (certificate, publicKey) = (directory.path(of: "\(name).pem"), directory.path(of: "\(name).public.pem"))
        try await Command([
            "openssl", "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=x", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-keyout", key, "-out", certificate,
        ]).succeed()
        let der = directory.path(of: "\(name).public.der")
        try await Command(["openssl", "x509", "-in", certificate, "-pubkey", "-noout", "-out", publicKey]).succeed()
        try await Command(["openssl", "pkey", "-pubin", "-in", publicKey, "-outform", "der", "-out", der]).succeed()
        let sum = try await Command(["sha256sum", der]).succeed()
        digest = try #require(HexText.decode(String(sum.prefix(64))))
        context = try Self.context(certificate, key)
        chain = try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) }
        privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
    }

    /// The context for the server's side of TLS.
    ///
    /// - Parameter noteName: called with the server name of each handshake; nil if it has none.
    func context(noteName: @escaping @Sendable (String?) -> Void) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: privateKey)
        configuration.sslContextCallback = { values, promise in
            noteName(values.serverHostname)
            promise.succeed(.noChanges)
        }
        return try NIOSSLContext(configuration: configuration)
    }

    /// An expired certificate for another host with the same key.
    static func expired(_ name: String, in directory: TemporaryDirectory) async throws -> NIOSSLContext {
        let (request, certificate) = (directory.path(of: "\(name).request"), directory.path(of: "\(name).expired.pem"))
        let key = key(name, directory)
        try await Command(["openssl", "req", "-new", "-key", key, "-subj", "/CN=elsewhere", "-out", request]).succeed()
        try await Command([
            "openssl", "x509", "-req", "-in", request, "-signkey", key, "-days", "-1", "-out", certificate,
        ]).succeed()
        return try context(certificate, key)
    }

    private static func key(_ name: String, _ directory: TemporaryDirectory) -> String {
        directory.path(of: "\(name).key")
    }

    /// The context for a certificate that an authority has issued.
    static func context(_ issued: TestAuthority.Issued) throws -> NIOSSLContext {
        try context(issued.certificate, issued.key)
    }

    private static func context(_ certificate: String, _ key: String) throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
            )
        )
    }
}
