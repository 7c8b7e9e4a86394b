// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Remoting

/// openssl's own server, which asks for another handshake when that is typed.
@Suite(
    "A TLS 1.2 server that asks for renegotiation",
    .enabled(if: Requirement.allMet([.program("openssl")])),
    .timeLimit(.minutes(2))
)
struct RenegotiationTests {
    /// What openssl showed instead.
    private struct NotShown: Error {
        let text: String
        let seen: [String]
    }

    private static let reply = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107"

    /// - Parameter command: `r` asks for a handshake, `R` for one with a certificate of the client.
    @Test(
        "the call that is under way fails at once, and the next one has a connection of its own",
        arguments: ["r", "R"]
    )
    func inTheMiddle(command: String) async throws {
        let certificate = try await TestCertificate()
        let port = try LoopbackPort.free(1)[0]
        let server = try ChildProcess([
            "openssl", "s_server", "-tls1_2", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file, "-key",
            certificate.keyFile,
        ])
        var lines = server.outputLines(silence: .seconds(60)).makeAsyncIterator()
        try await Self.wait(for: "ACCEPT", in: &lines)
        let channel = try RemotingChannel(
            target: RemotingTarget(
                address: SocketAddress(ipAddress: "127.0.0.1", port: Int(port)),
                hostHeader: "h",
                security: .tls(TLSPolicy(serverName: nil, pin: certificate.fingerprint))
            ),
            loop: MultiThreadedEventLoopGroup.singleton.next()
        )
        async let first = Self.outcome(channel)
        try await Self.wait(for: "POST /", in: &lines)
        server.write(command + "\n")
        let failure = await first
        #expect(failure.hasPrefix("no answer: "), "\(failure)")

        async let second = Self.outcome(channel)
        try await Self.wait(for: "POST /", in: &lines)
        server.write(Self.reply)
        #expect(await second == "RO107")
        await channel.close()
        server.signal(15)
        _ = server.wait()
    }

    private static func wait(
        for text: String,
        in lines: inout AsyncStream<String>.Iterator,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        var seen: [String] = []
        while let line = await lines.next(isolation: isolation) {
            if line.contains(text) { return }
            seen.append(line)
        }
        throw NotShown(text: text, seen: seen)
    }

    /// A reply, or why there is none: the deadline is longer than the test.
    private static func outcome(_ channel: RemotingChannel) async -> String {
        do {
            let reply = try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(600))
            return String(buffer: reply)
        } catch {
            return "\(error)"
        }
    }
}
