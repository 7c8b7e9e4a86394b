// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Remoting

/// Replies that are passed on while they arrive.
@Suite struct ArrivingReplyTests {
    private static let bodyBytes = 24 << 20
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let request = RequestMessage.writer(clientID: ClientID(), service: "S", method: "M").buffer

    private static func reply(_ body: ByteBuffer, isCompressed: Bool = false) -> ByteBuffer {
        let message = BinMessage(header: MessageHeader(clientID: .example), body: body)
            .encoded(compressingFrom: isCompressed ? 0 : nil)
        var bytes = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: \(message.readableBytes)\r\n\r\n")
        bytes.writeImmutableBuffer(message)
        return bytes
    }

    /// Runs the body on the loop, with a channel to a server that sends this reply.
    private func withReply(
        _ reply: ByteBuffer,
        settings: ChannelSettings = .standard,
        _ body: @escaping @Sendable (RemotingChannel) async throws -> Void
    ) async throws {
        let server = try await ScriptedServer(on: loop) { _ in [.sendBytes(reply)] }
        let target = try RemotingTarget(address: server.address, hostHeader: "h", security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop, settings: settings)
        try await Task(executorPreference: LoopExecutor(loop)) { try await body(channel) }.value
        await channel.close()
        try await server.stop()
    }

    @Test("reading pauses while chunks are not taken; the reply is complete and its connection serves the next call")
    func backPressure() async throws {
        let body = ByteBuffer(bytes: (0..<Self.bodyBytes).map { UInt8(truncatingIfNeeded: $0 >> 3) })
        try await withReply(Self.reply(body)) { [loop, request] channel in
            for _ in 0..<2 {
                let arriving = try await channel.begin(request, as: nil, deadline: .seconds(30), isRepeatable: true)
                let passing = try arriving.passed(by: MessageScrubber(hiding: ClientID(), behind: ClientID()))
                let rest = try #require(passing.rest)
                for _ in 0..<20 {
                    try await loop.sleep(for: .milliseconds(5))
                    #expect(rest.waitingBytes <= 1 << 20)
                }
                var whole = passing.start.body
                while let pieces = try await rest.next() {
                    for piece in pieces { whole.writeImmutableBuffer(piece) }
                    #expect(rest.waitingBytes <= 1 << 20)
                }
                #expect(whole == body)
                #expect(passing.byteCount == MessageHeader.byteCount + body.readableBytes)
            }
            #expect(await channel.openConnections == 1)
        }
    }

    @Test("abandoning a reply closes its connection")
    func abandoned() async throws {
        try await withReply(Self.reply(ByteBuffer(repeating: 7, count: Self.bodyBytes))) { [request] channel in
            let arriving = try await channel.begin(request, as: nil, deadline: .seconds(30), isRepeatable: true)
            arriving.abandon()
            try await eventually { await channel.openConnections == 0 }
        }
    }

    @Test("collect fails at its limit, and returns complete replies within it")
    func collected() async throws {
        try await withReply(Self.reply(ByteBuffer(repeating: 7, count: 200_000))) { [request] channel in
            await #expect(throws: RemotingError.tooLarge(limit: 100_000)) {
                try await channel.begin(request, as: nil, deadline: .seconds(30), isRepeatable: true).collect(
                    atMost: 100_000,
                    before: .distantFuture
                )
            }
            let bytes = try await channel.begin(request, as: nil, deadline: .seconds(30), isRepeatable: true).collect(
                atMost: 200_028,
                before: .distantFuture
            )
            #expect(bytes.readableBytes == 200_028)
        }
    }

    @Test(
        "collect fails at its deadline, however short the server's pauses are, and at its limit; both close the connection",
        arguments: [(1 << 20, RemotingError.deadline), (100_000, .tooLarge(limit: 100_000))]
    )
    func slow(limit: Int, error: RemotingError) async throws {
        var half = Self.reply(ByteBuffer(repeating: 7, count: 200_000))
        half = half.readSlice(length: 150_000) ?? half
        try await withReply(half, settings: ChannelSettings(pause: .seconds(600))) { [request] channel in
            let arriving = try await channel.begin(request, as: nil, deadline: .seconds(30), isRepeatable: true)
            await #expect(throws: error) {
                try await arriving.collect(atMost: limit, before: .now() + .milliseconds(100))
            }
            try await eventually { await channel.openConnections == 0 }
        }
    }

    @Test("collect fails if the server pauses for too long within a reply")
    func pause() async throws {
        var half = Self.reply(ByteBuffer(repeating: 7, count: 200_000))
        half = half.readSlice(length: 150_000) ?? half
        let settings = ChannelSettings(pause: .milliseconds(200))
        try await withReply(half, settings: settings) { [request] channel in
            let arriving = try await channel.begin(request, as: nil, deadline: .seconds(30), isRepeatable: true)
            await #expect(throws: RemotingError.deadline) {
                try await arriving.collect(atMost: 1 << 20, before: .distantFuture)
            }
        }
    }
}
