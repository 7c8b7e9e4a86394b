// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Remoting

@Suite("The gate of a new connection")
struct GateTests {
    private struct Refused: Error, Equatable {}

    /// A gate that the test opens.
    private final class Watched: Sendable {
        let verdict: EventLoopPromise<Void>
        private let asked = Lock<[SocketAddress?]>([])

        init(on loop: any EventLoop) {
            verdict = loop.makePromise()
        }

        /// The address of the server of each connection.
        var questions: [SocketAddress?] { asked.withLock { $0 } }

        func ask(_ connection: any Channel, _: NIODeadline) -> EventLoopFuture<Void> {
            asked.withLock { $0.append(connection.remoteAddress) }
            return verdict.futureResult
        }
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func channel(
        to address: SocketAddress,
        _ security: RemotingTarget.Security = .plain,
        _ gate: @escaping RemotingChannel.Gate
    ) throws -> RemotingChannel {
        let target = try RemotingTarget(address: address, hostHeader: "h", security: security)
        return try RemotingChannel(target: target, loop: loop, gate: gate)
    }

    private static let securities: [RemotingTarget.Security] = [
        .plain, .tls(TLSPolicy(authorityFor: "h.example")),
    ]

    @Test("no byte is sent before the gate opens, TLS included; then the call proceeds", arguments: [false, true])
    func open(isTLS: Bool) async throws {
        let certificate = isTLS ? try await TestCertificate() : nil
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107"
        let server = try await ScriptedServer(on: loop, tls: certificate?.context) { _ in [.send(reply)] }
        let security = try certificate.map {
            RemotingTarget.Security.tls(TLSPolicy(serverName: "h.example", pin: try $0.fingerprint))
        }
        let channel = try channel(to: server.address, security ?? .plain) { [loop] connection, _ in
            let remote = connection.remoteAddress?.port
            #expect(connection.localAddress?.port != remote && remote == server.address.port)
            return loop.scheduleTask(in: .milliseconds(1)) {}.futureResult
        }
        for _ in 0..<2 {
            let reply = try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(20))
            #expect(reply == ByteBuffer(string: "RO107"))
        }
        #expect(server.connections == 1)
        await channel.close()
        try await server.stop()
    }

    @Test("if the gate refuses, no byte is sent and the call fails with the gate's error", arguments: securities)
    func refused(security: RemotingTarget.Security) async throws {
        let server = try await ScriptedServer(on: loop) { _ in [] }
        let gate = Watched(on: loop)
        let channel = try channel(to: server.address, security, gate.ask)
        async let call = channel.post(ByteBuffer(string: "hello"), deadline: .seconds(60))
        try await eventually { server.connections == 1 && gate.questions.count == 1 }
        // Bytes that were sent would have arrived by now, or arrive before the connection closes.
        #expect(server.bytes == 0)
        #expect(gate.questions.first == server.address)
        gate.verdict.fail(Refused())
        do {
            _ = try await call
            Issue.record("the call has to fail")
        } catch is Refused {}
        try await eventually { await channel.openConnections == 0 }
        await channel.close()
        try await server.stop()
        #expect(server.bytes == 0)
    }

    @Test("a server that closes or sends first while the gate is closed is unreachable", arguments: securities)
    func impatient(security: RemotingTarget.Security) async throws {
        for greeting in ["", "220 hello\r\n"] {
            let server = try await ScriptedServer(on: loop, greeting: greeting) { _ in [] }
            let gate = Watched(on: loop)
            let channel = try channel(to: server.address, security, gate.ask)
            async let call = channel.post(ByteBuffer(string: "hello"), deadline: .seconds(60))
            try await eventually { server.connections == 1 }
            if greeting.isEmpty { await server.closeConnections() }
            do {
                _ = try await call
                Issue.record("the call has to fail")
            } catch RemotingError.unreachable {}
            gate.verdict.succeed()
            #expect(server.bytes == 0)
            await channel.close()
            try await server.stop()
        }
    }

    @Test("the gate may take longer than a connection, and no longer than the call")
    func late() async throws {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107"
        let server = try await ScriptedServer(on: loop) { _ in [.send(reply)] }
        let target = try RemotingTarget(address: server.address, hostHeader: "h", security: .plain)
        var settings = ChannelSettings.standard
        settings.connectTimeout = .milliseconds(50)
        let gate: RemotingChannel.Gate = { [loop] _, deadline in
            #expect(deadline > .now() + .seconds(10))
            return loop.scheduleTask(in: .milliseconds(200)) {}.futureResult
        }
        let channel = try RemotingChannel(target: target, loop: loop, settings: settings, gate: gate)
        #expect(try await channel.post(ByteBuffer(string: "x"), deadline: .seconds(20)).readableBytes == 5)
        await channel.close()
        let never = loop.makePromise(of: Void.self)
        let closed = try self.channel(to: server.address) { _, _ in never.futureResult }
        await #expect(throws: RemotingError.deadline) {
            try await closed.post(ByteBuffer(string: "x"), deadline: .milliseconds(100))
        }
        never.succeed()
        await closed.close()
        try await server.stop()
    }

    @Test("a cancelled call does not wait for the gate")
    func cancelled() async throws {
        let server = try await ScriptedServer(on: loop) { _ in [] }
        let gate = Watched(on: loop)
        let channel = try channel(to: server.address, .plain, gate.ask)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(60)) }
            try await eventually { gate.questions.count == 1 }
            group.cancelAll()
            await #expect(throws: CancellationError.self) { try await group.waitForAll() }
        }
        gate.verdict.succeed()
        await channel.close()
        try await server.stop()
        #expect(server.bytes == 0)
    }
}
