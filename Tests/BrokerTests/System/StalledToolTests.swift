// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Remoting
import TestSupport
import Testing

@testable import Broker

/// Tools that request tables and do not read them.
@Suite(.timeLimit(.minutes(2))) struct StalledToolTests {
    /// More than the daemon reads of a reply before its tool reads.
    private static let large = 2 << 20
    /// More than the connections of a channel.
    private static let tools = 20

    private static func reply(to request: RequestMessage) -> ScriptedServer.Reply {
        var parameters = request.parameters
        guard request.method == "GetSchema", let filter = try? parameters.readText(), filter == "large" else {
            return .accepted(request)
        }
        let body = ByteBuffer(repeating: 7, count: large)
        return .message(BinMessage(header: MessageHeader(clientID: request.clientID), body: body).encoded())
    }

    @Test(
        "twenty of them delay no call or login, and hold no resources after they are gone"
    )
    func twenty() async throws {
        let fixture = try await BrokerFixture()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ScriptedServer(on: group.next(), behaviour: Self.reply)
        let endpoint = try await fixture.endpoint(at: server.address)
        let login = try await fixture.login(to: endpoint)
        let path = try await fixture.open(endpoint).socketPath
        var stalled = try (0..<Self.tools).map { _ in try Tool(path) }
        for tool in stalled { tool.send(Tool.post(Tool.getSchema(filter: "large"))) }
        // No tool has read a byte, and all of them have reached this point.
        try await eventually { server.count("GetSchema") == Self.tools }
        #expect(try await Tool.call(path).status == 200)
        #expect(try await fixture.broker.test(login).allSatisfy(\.isOK))

        let taken = AdapterLimits().totalRequestBytes - (await fixture.broker.freeRequestBytes)
        #expect(taken > 0 && taken <= Self.tools * (4 << 20), "\(taken)")

        // A tool that starts to read gets the complete reply.
        let bytes = try stalled.removeLast().readToEnd()
        #expect(Tool.answer(in: bytes)?.body.readableBytes == Self.large + MessageHeader.byteCount)

        stalled = []
        try await eventually { server.openConnections <= 16 }
        try await eventually { await fixture.broker.freeRequestBytes == AdapterLimits().totalRequestBytes }
        #expect(server.count("LoginEx") == 2 && server.count("Logout") == 1)
        await fixture.stop()
        await server.stop()
        try await group.shutdownGracefully()
    }

    @Test("one of them may pause for longer than the idle timeout, and then gets the complete reply")
    func pause() async throws {
        var limits = AdapterLimits()
        limits.silence = .milliseconds(100)
        let fixture = try await BrokerFixture(limits)
        let server = try await ScriptedServer(on: fixture.loop, behaviour: Self.reply)
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        let tool = try Tool(try await fixture.open(endpoint).socketPath)
        tool.send(Tool.post(Tool.getSchema(filter: "large")))
        try await eventually { server.count("GetSchema") == 1 }
        try await Task.sleep(for: .milliseconds(400))
        let bytes = try tool.readToEnd()
        #expect(Tool.answer(in: bytes)?.body.readableBytes == Self.large + MessageHeader.byteCount)
        await fixture.stop()
        await server.stop()
    }
}
