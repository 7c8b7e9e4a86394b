// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Remoting

/// openssl's own server, which requests another handshake on a typed command.
@Suite(
    "A TLS 1.2 server that requests renegotiation",
    .enabled(if: Requirement.allMet([.program("openssl")])),
    .timeLimit(.minutes(2))
)
struct RenegotiationTests {
    /// - Parameter command: `r` requests a handshake, `R` one with a client certificate.
    @Test(
        "the call in progress fails immediately, and the next call gets a new connection",
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

    @Test("an idle connection is dropped, and the next call gets a new one")
    func between() async throws {
        let pair = try await Pair()
        #expect(try await pair.answered() == "RO107")
        pair.server.write("r\n")
        try await pair.wait(for: "ERROR")
        #expect(try await pair.answered() == "RO107")
        await pair.end()
    }

    /// A server, and a channel to it without an open connection.
    private final class Pair: Sendable {
        /// The expected text did not appear; `shown` is the actual output of openssl.
        struct NotShown: Error {
            let text: String
            let shown: String
        }

        private let certificate: TestCertificate
        let server: ChildProcess
        private let channel: RemotingChannel
        /// The server's output after the last text that was waited for.
        private let shown = Lock<[UInt8]>([])

        init() async throws {
            certificate = try await TestCertificate()
            let port = try LoopbackPort.free(1)[0]
            server = try ChildProcess([
                "openssl", "s_server", "-tls1_2", "-accept", "127.0.0.1:\(port)", "-cert",
                certificate.files.certificate, "-key", certificate.files.key,
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

        /// Returns the reply, or the error as text. The deadline is longer than the test.
        func outcome() async -> String {
            do {
                return String(buffer: try await channel.post(ByteBuffer(string: "hello"), deadline: .seconds(600)))
            } catch {
                return "\(error)"
            }
        }

        /// Returns the result of a call that the server answers.
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
