// SPDX-License-Identifier: Apache-2.0

/// A certificate authority of one test, which the openssl program maintains in a directory.
package struct TestAuthority: Sendable {
    /// A certificate with its key, both files in PEM.
    package struct Issued: Sendable {
        package let certificate: String
        package let key: String
    }

    /// The file of its own certificate.
    package let file: String
    private let key: String
    private let directory: TemporaryDirectory

    /// - Parameters:
    ///   - name: the name of its files in the directory.
    ///   - parent: the authority that signs it; nil for a root authority.
    package init(
        _ name: String = "ca",
        in directory: TemporaryDirectory,
        under parent: TestAuthority? = nil
    ) async throws {
        self.directory = directory
        guard let parent else {
            file = directory.path(of: "\(name).pem")
            key = directory.path(of: "\(name).key")
            // openssl's default configuration has the extensions of an authority.
            try await Command(
                ["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)"] + Self.newKey
                    + ["-keyout", key, "-out", file]
            ).succeed()
            return
        }
        let issued = try await parent.issue(name, for: "basicConstraints=critical,CA:TRUE")
        file = issued.certificate
        key = issued.key
    }

    /// Uses any certificate with its key, whether it is an authority or not.
    package init(_ issued: Issued, in directory: TemporaryDirectory) {
        file = issued.certificate
        key = issued.key
        self.directory = directory
    }

    /// - Parameters:
    ///   - extensions: such as `subjectAltName=DNS:db.example.com`; empty for none.
    ///   - days: the lifetime; negative for an expired certificate.
    package func issue(
        _ name: String,
        for extensions: String...,
        subject: String? = nil,
        days: Int = 1
    ) async throws -> Issued {
        let (key, request) = (directory.path(of: "\(name).key"), directory.path(of: "\(name).request"))
        let certificate = directory.path(of: "\(name).pem")
        try await Command(
            ["openssl", "req", "-new", "-nodes", "-subj", "/CN=\(subject ?? name)"] + Self.newKey
                + extensions.flatMap { ["-addext", $0] } + ["-keyout", key, "-out", request]
        ).succeed()
        try await Command([
            "openssl", "x509", "-req", "-in", request, "-CA", file, "-CAkey", self.key, "-CAcreateserial",
            "-copy_extensions", "copy", "-days", "\(days)", "-out", certificate,
        ]).succeed()
        return Issued(certificate: certificate, key: key)
    }

    package static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
}
