// SPDX-License-Identifier: Apache-2.0

/// An authority, and its certificates for a server on 127.0.0.1 and for a client.
package final class Certificates {
    private let directory = TemporaryDirectory()

    package init() async throws {
        let authority = ["-CA", path(of: "ca.pem"), "-CAkey", path(of: "ca.key")]
        try await make("ca", "/CN=authority", [])
        try await make("server", "/CN=server", authority + ["-addext", "subjectAltName=IP:127.0.0.1"])
        try await make("client", "/CN=client", authority + ["-addext", "extendedKeyUsage=clientAuth"])
    }

    /// The file of `ca.pem`, `server.pem`, `server.key`, `client.pem` or `client.key`.
    package func path(of name: String) -> String { directory.path(of: name) }

    private func make(_ name: String, _ subject: String, _ signing: [String]) async throws {
        let key = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path(of: "\(name).key"),
        ]
        let request = ["openssl", "req", "-x509", "-days", "2", "-subj", subject, "-out", path(of: "\(name).pem")]
        try await Command(request + key + signing).succeed()
    }
}
