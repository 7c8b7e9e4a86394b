// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import NIOPosix
import Registry
import Remoting
import TestSupport
import Testing

@testable import Broker

/// Other callers are answered while a hostile reply is handled.
@Suite(.serialized) struct HostileReplyTests {
    /// The optimised daemon needs a tenth of this.
    private static let patience = Duration.milliseconds(200)

    /// A server on a separate loop that accepts logins only if the test allows it.
    private func withServer(
        _ reply: HostileReply,
        isLogin: Bool,
        _ body: (BrokerFixture, ScriptedServer, Endpoint) async throws -> Void
    ) async throws {
        let fixture = try await BrokerFixture()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ScriptedServer(on: group.next()) { request in
            ["LoginEx", "Logout"].contains(request.method) == isLogin ? .bytes(reply.bytes) : .accepted(request)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        try await body(fixture, server, endpoint)
        await fixture.stop()
        await server.stop()
        try await group.shutdownGracefully()
    }

    /// Runs `body` a few times. Each run has a longest wait for a turn of the loop; the result is the shortest of them.
    private func wait(_ fixture: BrokerFixture, _ body: () async throws -> Void) async throws -> Duration {
        try await fastest(below: Self.patience, tries: 3) {
            try await LoopWatch.longestWait(of: fixture.loop, during: body)
        }
    }

    @Test("to a call through an adapter, to a report, and to a lock meanwhile", arguments: HostileReply.all.indices)
    func calls(index: Int) async throws {
        let reply = HostileReply.all[index]
        try await withServer(reply, isLogin: false) { fixture, server, endpoint in
            let path = try await fixture.open(endpoint).socketPath
            let call = try await wait(fixture) { _ = try await Tool.rawCall(path, Tool.getSchema()) }
            #expect(call < Self.patience, "\(reply.name)")
            let lock = try await fastest(below: Self.patience, tries: 3) {
                try await fixture.unlock()
                let path = try await fixture.open(endpoint).socketPath
                let before = server.count("GetSchema")
                async let bytes = Tool.rawCall(path, Tool.getSchema())
                try await eventually { server.count("GetSchema") > before }
                let time = await ContinuousClock().measure { await fixture.store.lock() }
                _ = try await bytes
                return time
            }
            #expect(lock < Self.patience, "\(reply.name)")
            guard reply.isForReports else { return }
            let capture = try await wait(fixture) {
                let report = try await fixture.broker.capture(
                    NamedUse(endpoint.id.text, isAnonymous: true),
                    triesWrongPassword: false
                )
                #expect(report.count == 3)
            }
            #expect(capture < Self.patience, "\(reply.name)")
        }
    }

    @Test("to a login", arguments: HostileReply.all.indices)
    func logins(index: Int) async throws {
        let reply = HostileReply.all[index]
        try await withServer(reply, isLogin: true) { fixture, _, endpoint in
            let login = try #require(try await fixture.store.logins().first)
            let test = try await wait(fixture) {
                let steps = try await fixture.broker.test(login).steps
                #expect(steps.last?.isOK == false)
            }
            #expect(test < Self.patience, "\(reply.name)")
        }
    }
}
