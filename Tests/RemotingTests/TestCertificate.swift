// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOSSL

@testable import Remoting

/// A self-signed certificate made by the openssl program, and the fingerprint that openssl finds for its key.
struct TestCertificate {
    let context: NIOSSLContext
    let fingerprint: PublicKeyFingerprint

    /// - Parameter key: arguments of `openssl req` that choose the key.
    init(
        key: [String] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
        maximum: TLSVersion? = nil
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "relativityd-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (keyFile, certificateFile) = ("\(folder)/key.pem", "\(folder)/certificate.pem")
        try Self.openssl(
            [
                "req", "-x509", "-nodes", "-days", "1", "-subj", "/CN=another.name", "-keyout", keyFile, "-out",
                certificateFile,
            ]
                + key
        )
        try Self.openssl(["x509", "-in", certificateFile, "-pubkey", "-noout", "-out", "\(folder)/public.pem"])
        try Self.openssl(["pkey", "-pubin", "-in", "\(folder)/public.pem", "-outform", "der", "-out", "\(folder)/spki"])
        try Self.openssl(["dgst", "-sha256", "-binary", "-out", "\(folder)/digest", "\(folder)/spki"])
        let digest = try Data(contentsOf: URL(filePath: "\(folder)/digest"))
        guard let fingerprint = PublicKeyFingerprint(bytes: digest) else { throw OpenSSLFailed(arguments: ["dgst"]) }
        self.fingerprint = fingerprint
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificateFile).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: keyFile, format: .pem))
        )
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximum
        context = try NIOSSLContext(configuration: configuration)
    }

    struct OpenSSLFailed: Error {
        let arguments: [String]
    }

    private static func openssl(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw OpenSSLFailed(arguments: arguments) }
    }
}
