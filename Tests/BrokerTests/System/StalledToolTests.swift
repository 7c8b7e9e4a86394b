// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting
import TestSupport
import Testing

@testable import Broker

/// A tool that requests a table and does not read it. `HostileServerTests` has twenty of them.
@Suite(.timeLimit(.minutes(2))) struct StalledToolTests {
    /// More than the daemon reads of a reply before its tool reads.
    private static let large = 2 << 20

    private static func reply(to request: RequestMessage) -> ScriptedServer.Reply {
        var parameters = request.parameters
        guard request.method == "GetSchema", let filter = try? parameters.readText(), filter == "large" else {
            return .accepted(request)
        }
        let body = ByteBuffer(repeating: 7, count: large)
        return .message(BinMessage(header: MessageHeader(clientID: request.clientID), body: body).encoded())
    }

    @Test("it may pause for longer than the idle timeout, and then gets the complete reply")
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
