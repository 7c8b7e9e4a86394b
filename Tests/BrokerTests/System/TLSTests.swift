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
    @Test("a server with the pinned key gets the login, one with another key or without TLS gets no byte")
    func pinnedKey() async throws {
        let fixture = try await BrokerFixture()
        let certificate = try await TestCertificate(in: fixture.temporary)
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

    @Test("a server with another key is a conflict before any byte of the login is sent")
    func otherKey() async throws {
        let fixture = try await BrokerFixture()
        let certificate = try await TestCertificate(in: fixture.temporary)
        let server = try await RogueServer(on: fixture.loop, tls: certificate.context) { .accepted($0) }
        let endpoint = try await fixture.endpoint(at: server.address, scheme: .https)
        let login = try await fixture.login(to: endpoint, pin: .tls(spkiSHA256: [UInt8](repeating: 1, count: 32)))
        for _ in 0..<2 {
            do {
                _ = try await fixture.open(endpoint)
                Issue.record("another key was taken")
            } catch BrokerError.identityConflict(let reason) {
                #expect(reason.code == .otherKey && reason.shown?.contains(HexText.encode(certificate.digest)) == true)
            }
        }
        let steps = try await fixture.broker.test(login)
        #expect(steps.map(\.name) == ["pin"] && steps.map(\.isOK) == [false])
        #expect(server.bytes == 0)
        await fixture.stop()
        await server.stop()
    }

    @Test("if TLS is gone, there is a conflict or no server, and never plain HTTP")
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
