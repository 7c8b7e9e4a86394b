// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Remoting

@Suite struct RemotingChannelTests {
    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107"
    private let message = ByteBuffer(string: "RO107 request")

    private func withServer(
        _ script: @escaping ScriptedServer.Script,
        settings: ChannelSettings = .standard,
        _ body: (ScriptedServer, RemotingChannel) async throws -> Void
    ) async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let server = try await ScriptedServer(on: loop, script: script)
        let target = try RemotingTarget(address: server.address, hostHeader: "host.example:7099", security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop, settings: settings)
        try await body(server, channel)
        await channel.close()
        try await server.stop()
    }

    private func expectFailure(
        _ expected: RemotingError,
        _ steps: [ScriptedServer.Step],
        settings: ChannelSettings = .standard,
        deadline: Duration = .seconds(20)
    ) async throws {
        try await withServer({ _ in steps }, settings: settings) { server, channel in
            await #expect(throws: expected) { try await channel.post(message, deadline: deadline) }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a request is a plain POST without cookies, and one connection serves many requests")
    func requests() async throws {
        try await withServer({ _ in [.send(Self.reply)] }) { server, channel in
            for _ in 0..<20 {
                let reply = try await channel.post(message, deadline: .seconds(20))
                #expect(reply == ByteBuffer(string: "RO107"))
            }
            #expect(server.connections == 1)
            let request = try #require(server.requests.first)
            #expect(
                request == """
                    POST /bin HTTP/1.1\r
                    Host: host.example:7099\r
                    User-Agent: relativityd\r
                    Content-Type: application/octet-stream\r
                    Content-Length: 13\r
                    \r
                    RO107 request
                    """
            )
        }
    }

    @Test("many simultaneous calls share sixteen connections")
    func concurrency() async throws {
        try await withServer({ _ in [.send(Self.reply)] }) { server, channel in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<60 { group.addTask { _ = try await channel.post(message, deadline: .seconds(20)) } }
                try await group.waitForAll()
            }
            #expect(server.requests.count == 60)
            #expect((1...16).contains(server.connections))
        }
    }

    @Test("a call beyond the limit of waiting calls is rejected")
    func overload() async throws {
        let settings = ChannelSettings(connections: 1, waiting: 1)
        try await withServer({ _ in [] }, settings: settings) { _, channel in
            let results = await withTaskGroup(of: RemotingError?.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        do {
                            _ = try await channel.post(message, deadline: .milliseconds(300))
                            return nil
                        } catch { return error as? RemotingError }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.filter { $0 == .overloaded }.count == 1)
            #expect(results.filter { $0 == .deadline }.count == 2)
        }
    }

    @Test("a reply after a few heads with a 1xx status arrives; endless heads or an endless chunk fail the call")
    func endless() async throws {
        let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107"
        let head = "HTTP/1.1 103 Early\r\nA: b\r\n\r\n"
        let chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"
        for (sent, fault) in [
            (String(repeating: head, count: 8), nil), (String(repeating: head, count: 9), "more than 8 heads"),
            (chunk + String(repeating: "a", count: 600 << 10), "bytes of a reply without content"),
        ] {
            for isSecret in [false, true] {
                try await withServer({ _ in [.send(sent), .send(reply)] }) { _, channel in
                    do {
                        let body =
                            isSecret
                            ? try await channel.raw(message, deadline: .seconds(20)).body
                            : try await channel.post(message, deadline: .seconds(20))
                        #expect(fault == nil && body == ByteBuffer(string: "RO107"))
                    } catch RemotingError.malformed(let reason) {
                        #expect(fault.map { reason.contains($0) } == true, "\(reason)")
                    }
                }
            }
        }
    }

    @Test("a chunked reply is reassembled")
    func chunked() async throws {
        let steps: [ScriptedServer.Step] = [
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nRO1\r\n"), .send("2\r\n07\r\n0\r\n\r\n"),
        ]
        try await withServer({ _ in steps }) { server, channel in
            for _ in 0..<2 {
                let reply = try await channel.post(message, deadline: .seconds(20))
                #expect(reply == ByteBuffer(string: "RO107"))
            }
            #expect(server.connections == 1)
        }
    }

    @Test("a message is accepted with any HTTP status")
    func exceptionStatus() async throws {
        let head = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 7\r\n\r\n"
        try await withServer({ _ in [.send(head + "RO107..")] }) { _, channel in
            let reply = try await channel.post(message, deadline: .seconds(20))
            #expect(reply == ByteBuffer(string: "RO107.."))
        }
        try await expectFailure(.aesEnvelope, [.send(head + "ROENV..")])
        try await expectFailure(.httpStatus(500), [.send(head + "<html>>")])
    }

    @Test("a redirect is reported and not followed")
    func redirect() async throws {
        let far = "http://elsewhere.example/" + String(repeating: "x", count: 400)
        try await expectFailure(
            .redirected(status: 307, location: String(far.prefix(256))),
            [.send("HTTP/1.1 307 Go\r\nLocation: \(far)\r\nContent-Length: 5\r\n\r\nRO107")]
        )
    }

    @Test("a reply that is too large fails at the limit, announced or not")
    func tooLarge() async throws {
        let settings = ChannelSettings(limits: WireLimits(message: 1000))
        let chunk = "300\r\n" + String(repeating: "x", count: 0x300) + "\r\n"
        for reply in [
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk,
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "y", count: 2000),
        ] {
            try await expectFailure(.tooLarge(limit: 1000), [.send(reply)], settings: settings)
        }
    }

    @Test("garbage, endless headers and a truncated reply are errors")
    func broken() async throws {
        let malformed = RemotingError.malformed(reason: "not an HTTP reply")
        try await expectFailure(malformed, [.send("SSH-2.0-OpenSSH_9\r\n")])
        try await expectFailure(malformed, [.send("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n")])
        try await expectFailure(
            malformed,
            [
                .send("HTTP/1.1 200 OK\r\n"),
                .send(String(repeating: "X-Long: \(String(repeating: "y", count: 200))\r\n", count: 5000)),
            ]
        )
        for cut in ["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nRO107", "HTTP/1.1 200 OK\r\nCont"] {
            try await expectFailure(.interrupted(.closedDuringReply), [.send(cut), .close])
        }
        try await expectFailure(.interrupted(.closedBeforeReply), [.close])
    }

    @Test("a server that sends a few bytes at a time does not exceed the deadline")
    func slowLoris() async throws {
        try await expectFailure(
            .deadline,
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nR")],
            deadline: .milliseconds(1500)
        )
    }

    @Test("a cancelled call returns immediately")
    func cancellation() async throws {
        let (arrival, arrived) = AsyncStream.makeStream(of: Void.self)
        let script: ScriptedServer.Script = { _ in
            arrived.finish()
            return []
        }
        try await withServer(script) { _, channel in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await channel.post(message, deadline: .seconds(600))
                    }
                }
                for await _ in arrival {}
                group.cancelAll()
            }
        }
    }

    @Test("a kept connection that the server closed is replaced once, transparently for the caller")
    func staleConnection() async throws {
        let script: ScriptedServer.Script = { request in request == 1 ? [.close] : [.send(Self.reply)] }
        try await withServer(script) { server, channel in
            for _ in 0..<3 { _ = try await channel.post(message, deadline: .seconds(20)) }
            #expect(server.requests.count == 4)
            #expect(server.connections == 2)
        }
    }

    @Test("a second copy of a reply is not the reply to the next request")
    func repeatedReply() async throws {
        let script: ScriptedServer.Script = { request in
            let body = "RO107 \(request)"
            let reply = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            return [.send(reply + reply)]
        }
        try await withServer(script) { server, channel in
            for request in 0..<20 {
                let reply = try await channel.post(message, deadline: .seconds(20))
                #expect(reply == ByteBuffer(string: "RO107 \(request)"))
            }
            #expect(server.requests.count == 20)
            #expect(server.connections == 20)
        }
    }

    @Test(
        "the beginning of a second copy closes the connection, with the reply or after it",
        .timeLimit(.minutes(1)),
        arguments: [false, true]
    )
    func beginningOfRepeatedReply(isLate: Bool) async throws {
        let (beginning, length) = ("HTTP/1.1 200 O", "Content-Length: 7\r\n\r\n")
        for encoded in ["\(length)RO107 ", "Transfer-Encoding: chunked\r\n\r\n7\r\nRO107 ", "\(length)RO107"] {
            let isChunked = encoded.hasPrefix("T")
            let hasEarlyHead = encoded.hasSuffix("7")
            let script: ScriptedServer.Script = { request in
                let end = (hasEarlyHead ? " " : "") + "\(request % 10)" + (isChunked ? "\r\n0\r\n\r\n" : "")
                let head = "HTTP/1.1 200 OK\r\n\(encoded)"
                if isLate { return [.send(head + end), .send(beginning)] }
                return hasEarlyHead ? [.send(head), .send(end + beginning)] : [.send(head + end + beginning)]
            }
            try await withServer(script) { server, channel in
                for request in 0..<10 {
                    let reply = try await channel.post(message, deadline: .seconds(20))
                    #expect(reply == ByteBuffer(string: "RO107 \(request)"))
                    // Until the bytes have arrived, the next request could be sent over the same connection.
                    while isLate, !Task.isCancelled, await channel.openConnections > 0 { await Task.yield() }
                }
                #expect(server.connections == 10)
            }
        }
    }

    @Test("a call ends even if a second copy of the previous reply closes its connection", .timeLimit(.minutes(1)))
    func lateRepeatedReply() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let others = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ScriptedServer(on: others.next()) { _ in [.send(Self.reply), .send(Self.reply)] }
        let target = try RemotingTarget(address: server.address, hostHeader: "host.example", security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop)
        // A copy that arrives late may be taken for the reply to the next request, whose own reply then closes the
        // connection of the one after that. Each call has an end all the same.
        var failed = 0
        for _ in 0..<500 {
            do {
                let reply = try await channel.post(message, deadline: .seconds(2))
                #expect(reply == ByteBuffer(string: "RO107"))
            } catch is RemotingError {
                failed += 1
            }
        }
        #expect(failed < 10)
        await channel.close()
        try await server.stop()
        try await others.shutdownGracefully()
    }

    @Test("a call that may change data is never sent again, even if a kept connection was closed")
    func unrepeatable() async throws {
        let script: ScriptedServer.Script = { request in request == 1 ? [.close] : [.send(Self.reply)] }
        try await withServer(script) { server, channel in
            _ = try await channel.post(message, deadline: .seconds(20))
            await #expect(throws: RemotingError.interrupted(.closedBeforeReply)) {
                try await channel.begin(message, as: nil, deadline: .seconds(20), isRepeatable: false)
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test("a second early close fails the call, and a fresh connection is never retried")
    func closedTwice() async throws {
        let script: ScriptedServer.Script = { request in request == 0 ? [.send(Self.reply)] : [.close] }
        try await withServer(script) { server, channel in
            _ = try await channel.post(message, deadline: .seconds(20))
            await #expect(throws: RemotingError.interrupted(.closedBeforeReply)) {
                try await channel.post(message, deadline: .seconds(20))
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test("after a partial reply the request is not resent")
    func partialReply() async throws {
        let script: ScriptedServer.Script = { request in
            request == 0 ? [.send(Self.reply)] : [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nRO"), .close]
        }
        try await withServer(script) { server, channel in
            _ = try await channel.post(message, deadline: .seconds(20))
            await #expect(throws: RemotingError.self) { try await channel.post(message, deadline: .seconds(20)) }
            #expect(server.requests.count == 2)
        }
    }

    @Test("an idle connection is closed after the idle timeout")
    func idle() async throws {
        let settings = ChannelSettings(idleTimeout: .milliseconds(20))
        try await withServer({ _ in [.send(Self.reply)] }, settings: settings) { server, channel in
            _ = try await channel.post(message, deadline: .seconds(20))
            while await channel.openConnections > 0 { await Task.yield() }
            _ = try await channel.post(message, deadline: .seconds(20))
            #expect(server.connections == 2)
        }
    }

    @Test("no second request is sent on a connection that the server asked to close")
    func connectionClose() async throws {
        let reply = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nRO107"
        try await withServer({ _ in [.send(reply)] }) { server, channel in
            for _ in 0..<3 { _ = try await channel.post(message, deadline: .seconds(20)) }
            #expect(server.connections == 3)
        }
    }

    @Test(
        "an ended channel sends only last words, without waiting for calls; a closed one sends nothing"
    )
    func ending() async throws {
        let script: ScriptedServer.Script = { request in request == 1 ? [] : [.send(Self.reply)] }
        try await withServer(script, settings: ChannelSettings(connections: 1)) { server, channel in
            _ = try await channel.post(message, deadline: .seconds(20))
            async let slow = failure(of: channel)
            try await eventually { server.requests.count == 2 }
            async let queued = failure(of: channel)
            try await eventually { await channel.waitingCalls == 1 }
            await channel.endCalls()
            #expect(await queued == .closed)
            #expect(await failure(of: channel) == .closed)
            _ = try await channel.post(message, deadline: .seconds(20), isLastWord: true)
            await channel.close()
            #expect(await slow == .interrupted(.closedBeforeReply))
            #expect(await failure(of: channel) == .closed)
            await #expect(throws: RemotingError.closed) {
                try await channel.post(message, deadline: .seconds(20), isLastWord: true)
            }
            #expect(server.requests.count == 3)
            #expect(server.connections == 2)
        }
    }

    private func failure(of channel: RemotingChannel) async -> RemotingError? {
        do {
            _ = try await channel.post(message, deadline: .seconds(20))
            return nil
        } catch { return error as? RemotingError }
    }

    @Test("a refused connection is unreachable")
    func refused() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let port = try UselessPort(.refusing)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: port.number)
        let target = try RemotingTarget(address: address, hostHeader: "h", security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop)
        for _ in 0..<6 {
            await #expect(throws: RemotingError.unreachable(.system(errno: ECONNREFUSED))) {
                try await channel.post(message, deadline: .seconds(20))
            }
        }
        withExtendedLifetime(port) {}
    }

    @Test(
        "a path or host that would break the request is rejected",
        arguments: ["", "bin", "/b in", "/a\r\nX: y", "/é"]
    )
    func targets(path: String) throws {
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        #expect(throws: RemotingError.self) {
            try RemotingTarget(address: address, hostHeader: "h", path: path, security: .plain)
        }
        #expect(throws: RemotingError.self) {
            try RemotingTarget(address: address, hostHeader: "h\r\n", security: .plain)
        }
    }
}
