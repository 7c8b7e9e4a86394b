// SPDX-License-Identifier: Apache-2.0

package import NIOSSL
import Platform

/// A self-signed certificate, made by the openssl program.
package struct TestCertificate: Sendable {
    struct NoDigest: Error {}

    package let files: TestAuthority.Issued
    package let context: NIOSSLContext
    /// SHA-256 of the public key, as computed by openssl.
    package let digest: [UInt8]
    private let directory: TemporaryDirectory

    /// - Parameters:
    ///   - name: the name of its files in the directory.
    ///   - key: arguments of `openssl req` that select the key.
    ///   - maximum: the newest version of TLS; nil for any.
    package init(
        in directory: TemporaryDirectory = TemporaryDirectory(),
        name: String = "server",
        key: [String] = TestAuthority.newKey,
        maximum: TLSVersion? = nil
    ) async throws {
        self.directory = directory
        func path(_ kind: String) -> String { directory.path(of: "\(name).\(kind)") }
        files = TestAuthority.Issued(certificate: path("pem"), key: path("key"))
        let request = ["openssl", "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=another.name"] + key
        try await Command(request + ["-keyout", files.key, "-out", files.certificate]).succeed()
        try await Command(["openssl", "x509", "-in", files.certificate, "-pubkey", "-noout", "-out", path("public")])
            .succeed()
        let der = ["-outform", "der", "-out", path("der")]
        try await Command(["openssl", "pkey", "-pubin", "-in", path("public")] + der).succeed()
        let sum = try await Command(["openssl", "dgst", "-sha256", "-r", path("der")]).succeed()
        guard let digest = HexText.decode(String(sum.prefix(64))) else { throw NoDigest() }
        self.digest = digest
        context = try files.context {
            $0.minimumTLSVersion = .tlsv1
            $0.maximumTLSVersion = maximum
        }
    }

    /// Makes an expired certificate for another host with the same key.
    package func expired() async throws -> NIOSSLContext {
        let (request, expired) = (files.key + ".request", files.key + ".expired.pem")
        try await Command(["openssl", "req", "-new", "-key", files.key, "-subj", "/CN=elsewhere", "-out", request])
            .succeed()
        try await Command([
            "openssl", "x509", "-req", "-in", request, "-signkey", files.key, "-days", "-1", "-out", expired,
        ]).succeed()
        return try TestAuthority.Issued(certificate: expired, key: files.key).context()
    }
}

extension TestAuthority.Issued {
    /// The context for the server's side of TLS.
    package func context(_ change: (inout TLSConfiguration) -> Void = { _ in }) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        )
        change(&configuration)
        return try NIOSSLContext(configuration: configuration)
    }
}
