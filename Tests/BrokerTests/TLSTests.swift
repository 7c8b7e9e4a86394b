// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import NIOSSL
import Platform
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

@Suite struct TLSTests {
    private struct Certificate {
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

    @Test("a server with the pinned key gets the login, one with another key or without TLS not a byte")
    func pinnedKey() async throws {
        let fixture = try await BrokerFixture()
        let certificate = try await Certificate(in: fixture.temporary)
        let server = try await RogueServer(on: fixture.loop, tls: certificate.context) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address, scheme: .https)
        let identity = try await fixture.broker.identity(of: endpoint)
        #expect(identity.pin == .tls(spkiSHA256: certificate.digest))
        #expect(try Fingerprint(of: identity.pin).bytes == certificate.digest)
        #expect(server.bytes == 0)
        let login = try await fixture.login(to: endpoint, pin: identity.pin)
        let adapter = try await fixture.open(endpoint)
        #expect(try await Tool.call(adapter.socketPath).status == 200)
        #expect(try await fixture.broker.test(login).allSatisfy(\.isOK))
        #expect(server.count("LoginEx") == 2)
        await fixture.stop()
        await server.stop()
    }

    @Test("a server with another key is a conflict before any byte of the login")
    func otherKey() async throws {
        let fixture = try await BrokerFixture()
        let certificate = try await Certificate(in: fixture.temporary)
        let server = try await RogueServer(on: fixture.loop, tls: certificate.context) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address, scheme: .https)
        let login = try await fixture.login(to: endpoint, pin: .tls(spkiSHA256: [UInt8](repeating: 1, count: 32)))
        for _ in 0..<2 {
            do {
                _ = try await fixture.open(endpoint)
                Issue.record("another key was taken")
            } catch BrokerError.identityConflict(let reason) {
                #expect(reason.contains(HexText.encode(certificate.digest)))
            }
        }
        #expect(try await fixture.broker.test(login).map(\.isOK) == [true, false])
        #expect(server.bytes == 0)
        await fixture.stop()
        await server.stop()
    }

    @Test("TLS that is gone is a conflict or no server, never plain HTTP")
    func downgrade() async throws {
        let fixture = try await BrokerFixture()
        let server = try await RogueServer(on: fixture.loop) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address, scheme: .https)
        try await fixture.login(to: endpoint, pin: .tls(spkiSHA256: [UInt8](repeating: 1, count: 32)))
        await #expect(throws: BrokerError.self) { try await fixture.open(endpoint) }
        #expect(server.count("LoginEx") == 0)
        await fixture.stop()
        await server.stop()
    }
}
