// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import Remoting

@Suite struct RemotingTLSTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func server(_ certificate: TestCertificate) async throws -> ScriptedServer {
        try await ScriptedServer(on: loop, tls: certificate.context) { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107")]
        }
    }

    private func channel(to server: ScriptedServer, pin: PublicKeyFingerprint, name: String?) throws -> RemotingChannel
    {
        let policy = TLSPolicy(serverName: name, pin: pin)
        let target = try RemotingTarget(address: server.address, hostHeader: "h", security: .tls(policy))
        return try RemotingChannel(target: target, loop: loop)
    }

    @Test("the pinned key is sufficient, whatever the certificate's name", arguments: [nil, "h.example", "127.0.0.1"])
    func pinned(name: String?) async throws {
        let certificate = try await TestCertificate()
        let server = try await server(certificate)
        let channel = try channel(to: server, pin: certificate.fingerprint, name: name)
        for _ in 0..<3 {
            let reply = try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(20))
            #expect(reply == ByteBuffer(string: "RO107"))
        }
        #expect(server.connections == 1)
        await channel.close()
        try await server.stop()
    }

    @Test("another key is reported and gets no byte of the request")
    func mismatch() async throws {
        let (shown, expected) = (try await TestCertificate(), try await TestCertificate())
        let server = try await server(shown)
        let channel = try channel(to: server, pin: expected.fingerprint, name: nil)
        let observed = try shown.fingerprint
        await #expect(throws: RemotingError.tlsIdentity(observed: observed)) {
            try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(20))
        }
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    @Test(
        "a probe returns the key that openssl computes",
        arguments: [["-newkey", "rsa:2048"], ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"]]
    )
    func probe(key: [String]) async throws {
        let certificate = try await TestCertificate(key: key)
        let server = try await server(certificate)
        let seen = try await TLSProbe.observe(address: server.address, serverName: "h.example", on: loop)
        #expect(try seen == certificate.fingerprint)
        #expect(server.requests.isEmpty)
        try await server.stop()
    }

    @Test("TLS 1.1 and a server without TLS are rejected")
    func versions() async throws {
        let old = try await server(try await TestCertificate(maximum: .tlsv11))
        let plain = try await ScriptedServer(on: loop) { _ in [] }
        for server in [old, plain] {
            await #expect(throws: RemotingError.self) {
                try await TLSProbe.observe(
                    address: server.address,
                    serverName: nil,
                    on: loop,
                    deadline: .milliseconds(500)
                )
            }
            try await server.stop()
        }
    }
}

extension TestCertificate {
    var fingerprint: PublicKeyFingerprint {
        get throws { try #require(PublicKeyFingerprint(bytes: digest)) }
    }
}
