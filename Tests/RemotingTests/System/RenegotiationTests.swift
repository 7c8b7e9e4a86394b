// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization
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
    /// - Parameter command: `r` asks for a handshake, `R` for one with a certificate of the client.
    @Test(
        "the call that is under way fails at once, and the next one has a connection of its own",
        arguments: ["r", "R"]
    )
    func inTheMiddle(command: String) async throws {
        let pair = try await Pair()
        async let failing = pair.outcome()
        try await pair.wait(for: "POST /")
        pair.server.write(command + "\n")
        let failure = await failing
        #expect(failure.hasPrefix("no answer: "), "\(failure)")
        #expect(try await pair.answered() == "RO107")
        await pair.end()
    }

    @Test("a connection that waits for the next call is given up, and the call has another")
    func between() async throws {
        let pair = try await Pair()
        #expect(try await pair.answered() == "RO107")
        pair.server.write("r\n")
        try await pair.wait(for: "ERROR")
        #expect(try await pair.answered() == "RO107")
        await pair.end()
    }

    /// A server, and a channel to it that has no connection yet.
    private final class Pair: Sendable {
        /// What openssl showed instead.
        struct NotShown: Error {
            let text: String
            let shown: String
        }

        private let certificate: TestCertificate
        let server: ChildProcess
        private let channel: RemotingChannel
        /// What the server has shown behind the last text that was waited for.
        private let shown = Mutex<[UInt8]>([])

        init() async throws {
            certificate = try await TestCertificate()
            let port = try LoopbackPort.free(1)[0]
            server = try ChildProcess([
                "openssl", "s_server", "-tls1_2", "-accept", "127.0.0.1:\(port)", "-cert", certificate.file, "-key",
                certificate.keyFile,
            ])
            channel = try RemotingChannel(
                target: RemotingTarget(
                    address: SocketAddress(ipAddress: "127.0.0.1", port: Int(port)),
                    hostHeader: "h",
                    security: .tls(TLSPolicy(serverName: nil, pin: certificate.fingerprint))
                ),
                loop: MultiThreadedEventLoopGroup.singleton.next()
            )
            try await wait(for: "ACCEPT")
        }

        func wait(for text: String) async throws {
            try await BlockingWork.run { [self] in
                while !shown.withLock({ Self.take(text, from: &$0) }) {
                    let piece = server.readOutput()
                    let all = shown.withLock { shown in
                        shown += piece
                        return shown
                    }
                    guard !piece.isEmpty else {
                        throw NotShown(text: text, shown: String(decoding: all, as: UTF8.self))
                    }
                }
            }
        }

        private static func take(_ text: String, from bytes: inout [UInt8]) -> Bool {
            guard let found = bytes.firstRange(of: Array(text.utf8)) else { return false }
            bytes.removeSubrange(..<found.upperBound)
            return true
        }

        /// A reply, or why there is none: the deadline is longer than the test.
        func outcome() async -> String {
            do {
                return String(buffer: try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(600)))
            } catch {
                return "\(error)"
            }
        }

        /// What a call comes to that the server answers.
        func answered() async throws -> String {
            async let outcome = outcome()
            try await wait(for: "POST /")
            server.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nRO107")
            return await outcome
        }

        func end() async {
            await channel.close()
            server.signal(15)
            _ = server.wait()
        }
    }
}
