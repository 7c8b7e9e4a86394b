// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Testing

@testable import Remoting

@Suite struct RemotingServerTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func withServer(
        _ settings: RemotingServer.Settings = .init(),
        path: String = "/bin",
        _ body: (RemotingChannel) async throws -> Void
    ) async throws {
        let server = try await RemotingServer.listen(
            on: [SocketAddress(ipAddress: "127.0.0.1", port: 0)],
            loop: loop,
            settings: settings,
            dispatcher: Failing()
        )
        let address = try #require(server.addresses.first)
        let target = try RemotingTarget(address: address, hostHeader: "h", path: path, security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop)
        try await body(channel)
        await channel.close()
        await server.stop()
    }

    private func call(_ method: String) -> ByteBuffer {
        RequestMessage.writer(clientID: .example, service: "S", method: method).buffer
    }

    @Test(
        "errors reach the client as exceptions with the client's own ClientID",
        arguments: [
            ("declared", RemotingException(className: "EDeclared", message: "ü")),
            ("short", RemotingException(className: "Exception", message: "malformed message: message cut short")),
            ("other", RemotingException(className: "Exception", message: "internal error")),
        ]
    )
    func exceptions(method: String, expected: RemotingException) async throws {
        try await withServer { channel in
            for _ in 0..<2 {
                let reply = try await channel.post(call(method), deadline: .seconds(20))
                #expect(throws: RemotingError.exception(expected)) { try ReplyMessage.values(of: reply) }
                #expect(try BinMessage(decoding: reply).header.clientID == .example)
            }
            #expect(await channel.openConnections == 1)
        }
    }

    @Test("invalid requests, unknown paths and oversized bodies get an error status")
    func refusals() async throws {
        try await withServer { channel in
            for bytes in ["", "RO107", "hello"] {
                await #expect(throws: RemotingError.httpStatus(400)) {
                    try await channel.post(ByteBuffer(string: bytes), deadline: .seconds(20))
                }
            }
        }
        try await withServer(path: "/other") { channel in
            await #expect(throws: RemotingError.httpStatus(404)) {
                try await channel.post(call("declared"), deadline: .seconds(20))
            }
        }
        try await withServer(.init(limits: WireLimits(message: 30))) { channel in
            await #expect(throws: RemotingError.httpStatus(413)) {
                try await channel.post(call("declared"), deadline: .seconds(20))
            }
        }
    }

    @Test("a connection beyond the cap is closed")
    func cap() async throws {
        try await withServer(.init(connections: 0)) { channel in
            await #expect(throws: RemotingError.self) {
                try await channel.post(call("declared"), deadline: .seconds(20))
            }
        }
    }
}

/// Fails in the way that the method's name specifies.
private struct Failing: RemotingDispatcher {
    struct Other: Error {}

    func reply(to call: ServerCall) async throws -> [NamedValue] {
        switch call.method {
        case "declared": throw RemotingException(className: "EDeclared", message: "ü")
        case "short":
            return [.init("Result", try call.parameters([.init("aNumber", .integer)])[0])]
        default: throw Other()
        }
    }
}
