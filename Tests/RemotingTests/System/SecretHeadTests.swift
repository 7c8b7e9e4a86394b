// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Remoting

@Suite("Heads of replies that may repeat a secret")
struct SecretHeadTests {
    private static let secret = "Tr0ub4dor"

    /// The bytes that a server sends, and the bytes that the HTTP decoder gets.
    private static let heads: [(String, String?)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", "HTTP/1.1 200 X\r\nContent-Length: 7\r\n\r\n"),
        ("HTTP/1.0 500 \(secret)\r\n\r\n", "HTTP/1.0 500 X\r\n\r\n"),
        ("HTTP/1.1 200\r\n\r\n", "HTTP/1.1 200 X\r\n\r\n"),
        ("HTTP/1.1 200 X\nX-A: \(secret)\n\n", "HTTP/1.1 200 X\r\n\r\n"),
        (
            "HTTP/1.1 200 X\r\nServer: \(secret)\r\nX-\(secret): 1\r\n \(secret)\r\ncontent-LENGTH:\t7 \r\n\r\n",
            "HTTP/1.1 200 X\r\nContent-Length: 7\r\n\r\n"
        ),
        (
            "HTTP/1.1 200 X\r\nTransfer-Encoding: Chunked\r\nConnection: \(secret), Close\r\n\r\n",
            "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        ),
        (
            "HTTP/1.0 200 X\r\nTransfer-Encoding: \(secret)\r\nConnection: keep-alive\r\n\r\n",
            "HTTP/1.0 200 X\r\nTransfer-Encoding: x\r\nConnection: keep-alive\r\n\r\n"
        ),
        ("HTTP/1.1 200 X\r\nContent-Length: 7\(secret)\r\n\r\n", nil),
        ("HTTP/1.1 200 X\r\nContent-Length: \r\n\r\n", nil),
        ("HTTP/1.1 200 X\r\n\(secret)\r\n\r\n", nil),
        ("HTTP/1.1 200 X\r\n: \(secret)\r\n\r\n", nil),
        ("HTTP/1.1 200 X\r\nA B: \(secret)\r\n\r\n", nil),
        ("HTTP/1.1 200 X\r\nA: b\rContent-Length: 7\r\n\r\n", nil),
        ("HTTP/1.1 20\(secret)\r\n\r\n", nil),
        ("HTTP/1.1\r\n\r\n", nil),
        ("HTTP/x.1 200 X\r\n\r\n", nil),
        ("\(secret)\r\n\r\n", nil),
        ("", nil),
        ("HTTP/1.1 200 X\r\nA: \(String(repeating: "x", count: SecretHead.limit))", nil),
    ]

    @Test("the decoder gets only the headers that delimit the reply, however the head comes", arguments: heads.indices)
    func framing(index: Int) throws {
        let (text, expected) = Self.heads[index]
        let bytes = ByteBuffer(string: text + "body")
        for step in [1, 3, bytes.readableBytes] {
            var (head, rest) = (SecretHead(), bytes)
            var clean: ByteBuffer?
            do {
                while clean == nil, let part = rest.readSlice(length: min(step, rest.readableBytes)),
                    part.readableBytes > 0
                {
                    // Overwritten so that the next step cannot read it.
                    head.add(ByteBuffer(bytes: part.readableBytesView))
                    guard let whole = try head.next() else { continue }
                    #expect(String(buffer: whole) == text)
                    clean = try SecretHead.framing(of: whole)
                }
                #expect(clean.map { String(buffer: $0) } == expected)
                if clean != nil { #expect("body".hasPrefix(String(buffer: head.bytes))) }
            } catch {
                #expect(expected == nil, "\(error)")
            }
        }
    }

    private func channel(
        _ settings: ChannelSettings = .standard,
        _ script: @escaping ScriptedServer.Script
    ) async throws -> (server: ScriptedServer, channel: RemotingChannel) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let server = try await ScriptedServer(on: loop, script: script)
        let target = try RemotingTarget(address: server.address, hostHeader: "h", security: .plain)
        return (server, try RemotingChannel(target: target, loop: loop, settings: settings))
    }

    @Test(
        "replies arrive unchanged, in one part or byte by byte, and one connection serves them all",
        arguments: [nil, 1]
    )
    func replies(readBytes: Int?) async throws {
        var settings = ChannelSettings.standard
        settings.readBytes = readBytes
        let heads = [
            "HTTP/1.1 500 \(Self.secret)\r\nX-A: \(Self.secret)\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\nServer:  a b \r\n\r\n2;x=\(Self.secret)\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            "HTTP/1.1 100 \(Self.secret)\r\nA: b\r\n\r\nHTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello",
        ]
        let (server, channel) = try await channel(settings) { [.send(heads[$0 % heads.count])] }
        for index in 0..<7 {
            let reply = try await channel.raw(ByteBuffer(string: "x"), deadline: .seconds(20))
            #expect(String(buffer: reply.body) == "hello")
            let headers = reply.headers(atMost: 3).map { "\(String(buffer: $0.name))=\(String(buffer: $0.value))" }
            switch index % 3 {
            case 0: #expect(reply.status == 500 && headers == ["X-A=\(Self.secret)", "Content-Length=5"])
            case 1: #expect(headers == ["Transfer-Encoding=chunked", "Server=a b"])
            default: #expect(reply.status == 200 && headers == ["Content-Length=5"])
            }
            reply.wipe()
            #expect(reply.headers(atMost: 3).isEmpty && reply.body.readableBytesView.allSatisfy { $0 == 0 })
        }
        // A reply that is collected without being overwritten uses the same connection.
        #expect(try await channel.post(ByteBuffer(string: "y"), deadline: .seconds(20)).readableBytes == 5)
        #expect(server.connections == 1)
        await channel.close()
        try await server.stop()
    }

    @Test("a reply that ends with its connection keeps its head")
    func untilClose() async throws {
        let (server, channel) = try await channel { _ in [.send("HTTP/1.0 500 X\r\nX-A: b\r\n\r\nhello"), .close] }
        let reply = try await channel.raw(ByteBuffer(string: "x"), deadline: .seconds(20))
        #expect(String(buffer: reply.body) == "hello")
        #expect(reply.headers(atMost: 3).map { String(buffer: $0.name) } == ["X-A"])
        reply.wipe()
        await channel.close()
        try await server.stop()
    }

    @Test("a 1xx status before the connection closes does not cause a login to be resent")
    func informed() async throws {
        let (server, channel) = try await channel { request in
            request == 0
                ? [.send("HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello")]
                : [.send("HTTP/1.1 100 Continue\r\n\r\n"), .close]
        }
        _ = try await channel.raw(ByteBuffer(string: "x"), deadline: .seconds(20))
        await #expect(throws: RemotingError.self) {
            try await channel.raw(ByteBuffer(string: "x"), deadline: .seconds(20))
        }
        #expect(server.requests.count == 2)
        await channel.close()
        try await server.stop()
    }

    @Test("a truncated head does not cause a login to be resent")
    func cut() async throws {
        let (server, channel) = try await channel { request in
            request == 0
                ? [.send("HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello")] : [.send("HTTP/1.1 200"), .close]
        }
        _ = try await channel.raw(ByteBuffer(string: "x"), deadline: .seconds(20))
        await #expect(throws: RemotingError.interrupted(.closedDuringReply)) {
            try await channel.raw(ByteBuffer(string: "x"), deadline: .seconds(20))
        }
        #expect(server.requests.count == 2)
        await channel.close()
        try await server.stop()
    }
}
