// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// A TLS proxy for a server, whose key changes with each start (`Tests/Tools/tls_front.py`).
struct TLSFront {
    let program: Supervised
    let port: Int

    /// - Parameter issued: the certificate to show; nil makes a self-signed one.
    init(
        _ deployment: Deployment,
        backend: Int,
        port: Int = 0,
        showing issued: TestAuthority.Issued? = nil
    ) async throws {
        let name = "front.\(UInt32.random(in: 0...999_999))"
        let (certificate, key) = (
            issued?.certificate ?? deployment.home.path(of: name + ".pem"),
            issued?.key ?? deployment.home.path(of: name + ".key")
        )
        if issued == nil {
            try await Command([
                "openssl", "req", "-x509", "-nodes", "-days", "1", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-subj", "/CN=x", "-keyout", key, "-out", certificate,
            ]).succeed()
        }
        let script = Sources.root + "/Tests/Tools/tls_front.py"
        let program = try Supervised(
            ["python3", script, certificate, key, "\(port)", "\(backend)"],
            environment: deployment.environment,
            log: deployment.home.path(of: name + ".log")
        )
        deployment.own(program)
        try await eventually { program.output.contains("listening on ") }
        self.program = program
        self.port = try #require(program.output.split { $0.isWhitespace }.last.flatMap { Int($0) })
    }
}
