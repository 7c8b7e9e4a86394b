// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Varlink
import VarlinkService

/// Clients that send requests and do not read the replies.
@Suite("Back-pressure", .timeLimit(.minutes(1)))
struct BackPressureTests {
    private static func echo(_ number: Int, bytes: Int) -> [UInt8] {
        let text = "\(number) " + String(repeating: "x", count: bytes)
        return Array(#"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"#.utf8) + [0]
    }

    /// Sends requests until the server takes no more of them.
    ///
    /// - Returns: the bytes of the last request that could not be sent, and the number of the others.
    private static func fill(_ peer: RawPeer, _ server: TestServer, bytes: Int) throws -> (rest: [UInt8], count: Int) {
        var (number, refusals) = (0, 0)
        var rest = echo(0, bytes: bytes)[...]
        while refusals < 20 {
            let sent = try #require(peer.sendSome(rest))
            rest = rest.dropFirst(sent)
            refusals = sent == 0 ? refusals + 1 : 0
            // Another call gives the server a turn.
            if sent == 0 { _ = try server.connect().call("org.example.test.Number") }
            guard rest.isEmpty else { continue }
            number += 1
            rest = echo(number, bytes: bytes)[...]
        }
        return (Array(rest), number)
    }

    @Test(
        "requests of a client that does not read wait in the kernel, and are answered when it reads",
        arguments: [0, 3_000]
    )
    func pipelining(bytes: Int) async throws {
        try await TestServer.run { server in
            let peer = try server.connectRaw()
            let (rest, count) = try Self.fill(peer, server, bytes: bytes)
            // The replies have about the size of the requests. The kernel stores at most 208 KiB of both.
            let started = server.events.count("echo")
            #expect(started > 0 && started * Self.echo(0, bytes: bytes).count < 300 << 10)
            for number in 0..<count {
                let frame = try #require(try peer.receive())
                try #require(frame.hasPrefix(#"{"parameters":{"text":"\#(number) "#))
            }
            peer.send(rest)
            #expect(try peer.receive()?.hasPrefix(#"{"parameters":{"text":"\#(count) "#) == true)
        }
    }

    @Test("a client that does not read, or too little, is disconnected", arguments: [false, true])
    func closed(isSlow: Bool) async throws {
        var limits = VarlinkLimits()
        limits.stallTime = .milliseconds(200)
        try await TestServer.run(limits) { server in
            let peer = try server.connectRaw()
            let frame = Self.echo(0, bytes: 3_000)
            while peer.sendSome(frame) != nil {
                if isSlow { _ = try peer.receive(count: 1) }
                usleep(5_000)
            }
        }
    }

    @Test("the requests after one that is complete are not read while its connection closes")
    func closing() async throws {
        let face = HTTPFace()
        try await TestServer.run(face: face) { server in
            let peer = try server.connectRaw()
            peer.send(Array("POST /call/org.example.test.Hold HTTP/1.1\r\nHost: d\r\n\r\n".utf8))
            await server.events.until("holding")
            var (sent, refusals) = (0, 0)
            while refusals < 20 {
                let count = try #require(peer.sendSome([UInt8](repeating: 0x20, count: 64 << 10)))
                sent += count
                refusals = count == 0 ? refusals + 1 : 0
                if count == 0 { _ = try server.connect().call("org.example.test.Number") }
            }
            #expect(sent < 300 << 10)
            _ = try server.connect().call("org.example.test.Release")
            #expect(try peer.receiveAll().hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test("a stream may be paused for longer than other replies, also at its end")
    func pausedStream() async throws {
        var limits = VarlinkLimits()
        (limits.stallTime, limits.pausedBytes) = (.milliseconds(50), 64 << 10)
        try await TestServer.run(limits) { server in
            for last in [100, 400] {
                let peer = try server.connectRaw()
                let parameters = #"{"to":\#(last),"bytes":3000}"#
                peer.send(#"{"method":"org.example.test.Count","parameters":\#(parameters),"more":true}"#)
                await server.events.until("counted")
                // The pause is longer than `stallTime`. No event tells that the server has not closed the connection.
                usleep(300_000)
                for _ in 0..<last { try #require(try peer.receive() != nil) }
            }
        }
    }

    @Test("long requests of one process are received a few at a time")
    func longRequests() async throws {
        var limits = VarlinkLimits()
        limits.longRequests = 2
        try await TestServer.run(limits) { server in
            let frame = Self.echo(0, bytes: 250_000)
            let reply = #"{"parameters":{"text":"0 \#(String(repeating: "x", count: 250_000))"}}"#
            let peers = try (0..<4).map { _ in try server.connectRaw() }
            var sent = Array(repeating: 0, count: peers.count)
            var refusals = 0
            while refusals < 20 {
                var hasSent = false
                for (index, peer) in peers.enumerated() {
                    // All but the last byte.
                    let rest = frame[sent[index]..<frame.count - 1]
                    let count = rest.isEmpty ? 0 : try #require(peer.sendSome(rest))
                    sent[index] += count
                    hasSent = hasSent || count > 0
                }
                refusals = hasSent ? 0 : refusals + 1
                _ = try server.connect().call("org.example.test.Number")
            }
            #expect(sent.count { $0 == frame.count - 1 } >= 2)
            for index in peers.indices.sorted(by: { sent[$0] > sent[$1] }) {
                #expect(peers[index].send(frame[sent[index]...]))
                let isAnswered = try peers[index].receive() == reply
                #expect(isAnswered)
            }
        }
    }

    @Test("the end of the input of many clients that do not read takes bounded memory")
    func halfClosed() async throws {
        var limits = VarlinkLimits()
        limits.longRequests = 1
        try await TestServer.run(limits) { server in
            let peers = try (0..<3).map { _ in try server.connectRaw() }
            for peer in peers {
                _ = try Self.fill(peer, server, bytes: 3_000)
                peer.finishSending()
            }
            // One gets all of its replies. The requests of the others are refused after those that were started.
            let replies = try peers.map { try $0.receiveAll().split(separator: "\0").count }
            #expect(replies.max() ?? 0 > replies.min() ?? 0, "\(replies)")
        }
    }
}
