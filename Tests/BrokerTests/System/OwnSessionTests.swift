// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import Registry
import Remoting
import SampleServer
import TestSupport
import Testing

@testable import Broker

@Suite(.endsStarted) struct OwnSessionTests {
    private static func announce(_ text: String) -> ByteBuffer {
        var writer = RequestMessage.writer(clientID: ClientID(), service: "DASampleService", method: "Announce")
        writer.write(utf8: text)
        return writer.buffer
    }

    private func started(
        _ change: (inout SampleOptions) -> Void = { _ in }
    ) async throws -> (BrokerFixture, RunningSampleServer) {
        let fixture = try await BrokerFixture()
        let server = try await fixture.sampleServer(port: 0, change)
        return (fixture, server)
    }

    @Test("polls pass through an own session, and the complete reply has the tool's ClientID")
    func events() async throws {
        let (fixture, server) = try await started()
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        try await fixture.login(to: endpoint)
        let shared = try await fixture.open(endpoint)
        let own = try await fixture.open(endpoint, hasOwnSession: true)
        #expect(own.hasOwnSession && !shared.hasOwnSession)
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
        #expect(await fixture.broker.sessionCount == 2)

        let id = ClientID()
        let poll = PollRequest(clientID: id, eventLimit: 10).encoded()
        #expect(try PollReply(decoding: try await Tool.call(own.socketPath, poll).body).events.isEmpty)
        #expect(try await Tool.call(shared.socketPath, Self.announce("hello")).status == 200)
        let answer = try await Tool.call(own.socketPath, poll)
        #expect(answer.status == 200)
        let reply = try PollReply(decoding: answer.body)
        #expect(reply.events.map(\.name) == ["Announced"])
        // The reply equals the one that the server would send to a client with this ClientID.
        #expect(answer.body == reply.encoded(to: id).encoded())

        let refused = try await Tool.call(shared.socketPath, poll)
        #expect(refused.status == 403)
        #expect(refused.exception?.message == "\(AccessRefusal.pollNeedsOwnSession)")
        try await fixture.broker.close(own.id)
        try await eventually { try fixture.calls("LoginService.Logout") == 1 }
        #expect(try await Tool.call(shared.socketPath).status == 200)
    }

    @Test("an own session that the server has lost is renewed under a poll")
    func lost() async throws {
        let fixture = try await BrokerFixture()
        let first = try await fixture.sampleServer()
        let endpoint = try await fixture.endpoint(at: first.addresses.first)
        try await fixture.login(to: endpoint)
        let own = try await fixture.open(endpoint, hasOwnSession: true)
        await first.stop()
        _ = try await fixture.sampleServer(port: Int(endpoint.url.port))
        let poll = PollRequest(clientID: ClientID(), eventLimit: 10).encoded()
        #expect(try PollReply(decoding: try await Tool.call(own.socketPath, poll).body).events.isEmpty)
        #expect(try fixture.calls("LoginService.LoginEx") == 2)
    }

    @Test("locking the vault and removing the login close own sessions")
    func ends() async throws {
        let (fixture, server) = try await started()
        let endpoint = try await fixture.endpoint(at: server.addresses.first)
        let login = try await fixture.login(to: endpoint)
        _ = try await fixture.open(endpoint, hasOwnSession: true)
        await fixture.broker.forget(login.id)
        #expect(await fixture.broker.openAdapters.isEmpty)
        try await eventually { try fixture.calls("LoginService.Logout") == 1 }
        _ = try await fixture.open(endpoint, hasOwnSession: true)
        await fixture.store.lock()
        try await eventually { try fixture.calls("LoginService.Logout") == 2 }
        #expect(await fixture.broker.openAdapters.isEmpty)
    }
}
