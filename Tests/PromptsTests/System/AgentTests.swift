// SPDX-License-Identifier: Apache-2.0

import EventLoops
import Glibc
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Prompts

@Suite("Prompting through systemd's password agents", .timeLimit(.minutes(1)))
struct AgentTests {
    private static let reply = "/lib/systemd/systemd-reply-password"
    private static let agent = "systemd-tty-ask-password-agent"

    private let directory = TemporaryDirectory()

    private var agents: PasswordAgents { PasswordAgents(directory: directory.path) }

    /// Waits for the question and returns its keys.
    private func question() async throws -> [String: String] {
        try await eventually { directory.names().contains { $0.hasPrefix("ask.") } }
        let name = try #require(directory.names().first { $0.hasPrefix("ask.") })
        let lines = String(decoding: directory.content(of: name), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "[Ask]")
        return Dictionary(
            uniqueKeysWithValues: lines.dropFirst().map { line in
                let pair = line.split(separator: "=", maxSplits: 1)
                return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
            }
        )
    }

    /// Sends an answer as an agent does.
    private func send(_ bytes: String, to path: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bytes = Array(bytes.utf8)
        let count = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                sendto(descriptor, bytes, bytes.count, 0, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(count == bytes.count)
    }

    @Test("a question is a file with every key; file and socket are deleted after the answer")
    func secret() async throws {
        let asked = try Asked(agents)
        async let answer = asked.answer(.secret, ["server: cellar", "user: jane"])
        let keys = try await question()
        #expect(keys["PID"] == "\(getpid())" && keys["AcceptCached"] == "0" && keys["Echo"] == "0")
        let message = "relativityd: the server refused it; server: cellar; user: jane. Password:"
        #expect(keys["Message"] == message)
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let left = try #require(keys["NotAfter"].flatMap { Int64($0) }) / 1_000_000 - Int64(now.tv_sec)
        #expect((8...10).contains(left))
        let socket = try #require(keys["Socket"])
        var facts = stat()
        #expect(lstat(socket, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        // A datagram that begins with neither `+` nor `-` is ignored.
        send("?", to: socket)
        send("+p+w d\u{0}", to: socket)
        #expect(try await answer == "p+w d")
        #expect(directory.names() == [])
    }

    @Test("a refusal dismisses the prompt, and only the exact word approves")
    func refusals() async throws {
        let cases: [(PromptQuestion.Kind, String, PromptError?)] = [
            (.secret, "-", .dismissed), (.agreement, "+yes", nil), (.agreement, "+", .dismissed),
            (.agreement, "+y", .dismissed), (.text, "+jane", nil),
        ]
        for (kind, bytes, error) in cases {
            let asked = try Asked(agents)
            async let outcome = Result { try await asked.answer(kind) }
            let keys = try await question()
            #expect(keys["Echo"] == (kind == .secret ? "0" : "1"))
            send(bytes, to: try #require(keys["Socket"]))
            switch await outcome {
            case .success: #expect(error == nil, "\(bytes)")
            case .failure(let failure): #expect(failure as? PromptError == error, "\(bytes)")
            }
            #expect(directory.names() == [])
        }
    }

    @Test("an answer that is too long is ignored, and the question remains open")
    func length() async throws {
        let asked = try Asked(agents)
        async let answer = asked.answer()
        let socket = try #require(try await question()["Socket"])
        send("+" + String(repeating: "x", count: 10_000), to: socket)
        send("+" + String(repeating: "y", count: PromptLimits.answerBytes), to: socket)
        #expect(try await answer == String(repeating: "y", count: PromptLimits.answerBytes))
    }

    @Test("a question is deleted when it times out or is withdrawn")
    func ends() async throws {
        await #expect(throws: PromptError.unanswered(.zero)) {
            try await Asked(agents, within: .milliseconds(100)).answer()
        }
        #expect(directory.names() == [])
        let asked = try Asked(agents)
        async let outcome = Result { try await asked.answer() }
        _ = try await question()
        asked.stop.give()
        guard case .failure(let error) = await outcome else { throw NotInTime(seconds: 0) }
        #expect(error as? PromptError == .stopped && directory.names() == [])
    }

    @Test(
        "an answer from another user is ignored, although it reaches the socket",
        .enabled(if: Requirement.allMet([.root, .program(Self.reply), .program("setpriv")]), "needs root and systemd")
    )
    func otherUser() async throws {
        let asked = try Asked(agents)
        async let answer = asked.answer()
        let socket = try #require(try await question()["Socket"])
        chmod(directory.path, 0o755)
        chmod(socket, 0o666)
        let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", Self.reply, "1", socket]
        try await Command(other).succeed(input: "theirs")
        try await Command([Self.reply, "1", socket]).succeed(input: "ours")
        #expect(try await answer == "ours")
    }

    @Test(
        "systemd's own agent at a terminal shows the question and delivers the answer",
        .enabled(
            if: Requirement.allMet([.root, .program(Self.agent), .program("unshare"), .program("script")]),
            "needs root and systemd"
        )
    )
    func systemdsAgent() async throws {
        let asked = try Asked(agents)
        async let answer = asked.answer(.secret, ["server: cellar"])
        _ = try await question()
        let script = """
            mount --make-rprivate / && mount -t tmpfs none /run && mkdir -p /run/systemd/ask-password && \
            mount --bind \(directory.path) /run/systemd/ask-password && exec \(Self.agent) --query
            """
        directory.write(Array(script.utf8), to: "agent.sh")
        let terminal = try TerminalSession(["unshare", "-m", "sh", directory.path(of: "agent.sh")])
        try await terminal.answer("server: cellar. Password:", "from the agent")
        #expect(try await answer == "from the agent")
        _ = try await terminal.end()
    }

    @Test("watched finds the user's directory, and the system's only as root, if this user owns it")
    func watched() throws {
        #expect(PasswordAgents.watched(directory.path, system: "/nonexistent") == nil)
        for name in ["systemd", "systemd/ask-password"] { mkdir(directory.path(of: name), 0o700) }
        let found = try #require(PasswordAgents.watched(directory.path))
        #expect(found.directory == directory.path(of: "systemd/ask-password"))
        chmod(found.directory, 0o777)
        #expect(PasswordAgents.watched(directory.path, system: "/nonexistent") == nil)
        chmod(found.directory, 0o700)
        let asRoot = PasswordAgents.watched(nil, system: directory.path)
        #expect((asRoot == nil) == (geteuid() != 0))
    }
}
