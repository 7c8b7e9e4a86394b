// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@Suite("Commands that print a secret")
struct SecretCommandTests {
    private static let environment = Environment(["HOME": "/nowhere", "PATH": "/evil", "NOTIFY_SOCKET": "/x"])

    private static func run(
        _ arguments: [String],
        timeout: Duration = SecretCommand.timeout,
        stop: StopSignal? = nil
    ) throws -> String {
        let command = try #require(SecretCommand(arguments))
        let arena = try SecretArena(byteCount: 8 << 10)
        let secret = try command.run(environment, in: arena, timeout: timeout, stop: stop)
        return secret.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func failure(_ arguments: [String], timeout: Duration = .seconds(30)) throws -> SecretCommand.Failure
    {
        try #require(throws: SecretCommand.Failure.self) { try run(arguments, timeout: timeout) }
    }

    private static func shell(_ script: String) -> [String] { ["/bin/sh", "-c", script] }

    @Test(
        "the first line of the output is the secret",
        arguments: [
            (["printf", "one"], "one"), (["printf", "one\ntwo\n"], "one"),
            (["/usr/bin/printf", " a b \r\n"], " a b \r"),
            (["printf", "%04000d", "7"], String(repeating: "0", count: 3_999) + "7"),
            (["printf", "%s", "$(id) `id` ; id | id"], "$(id) `id` ; id | id"), (["printf", "ü\n"], "ü"),
        ]
    )
    func line(arguments: [String], secret: String) throws {
        #expect(try Self.run(arguments) == secret)
    }

    @Test("a program can open its outputs by name")
    func outputsByName() throws {
        #expect(try Self.run(Self.shell("set -e; echo note >/dev/stderr; echo one >/dev/stdout")) == "one")
    }

    @Test("the program gets a fixed PATH, the other variables, no variable for the daemon alone and no input")
    func environment() throws {
        let script = #"printf '%s,%s,%s,' "$PATH" "$HOME" "${NOTIFY_SOCKET-none}"; wc -c | tr -d '\n'"#
        #expect(try Self.run(Self.shell(script)) == "/usr/local/bin:/usr/bin:/bin,/nowhere,none,0")
    }

    @Test("a failure has its reason, and the beginning of standard error")
    func failures() throws {
        #expect(try Self.failure(["relativityd-no-such-program"]) == .notFound)
        #expect(try Self.failure(["/nowhere/program"]) == .notStarted(errno: ENOENT))
        #expect(try Self.failure(Self.shell("echo no key >&2; exit 3")) == .exited(status: 3, message: "no key\n"))
        #expect(try Self.failure(Self.shell("kill -9 $$")) == .killed(signal: 9))
        #expect(try Self.failure(["true"]) == .empty)
        #expect(try Self.failure(["printf", "\nsecret"]) == .empty)
        #expect(try Self.failure(["printf", "a\\000b"]) == .hasNUL)
        #expect(try Self.failure(["printf", "%05000d", "7"]) == .tooLong)
        #expect(try Self.failure(["cat", "/dev/zero"]) == .tooLong)
        let noisy = try Self.failure(Self.shell("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 1"))
        #expect(noisy == .exited(status: 1, message: String(repeating: "x", count: 512)))
    }

    @Test("a late program is killed with its children, and so is a child that outlives its parent")
    func group() async throws {
        let home = TemporaryDirectory()
        let record = "echo $! >\(home.path(of: "child"))"
        func childIsGone() -> Bool {
            let child = pid_t(TextFile.text(of: home.path(of: "child")).split(separator: "\n").first ?? "") ?? 0
            guard child > 0 else { return false }
            // A killed child may still be a zombie of the process that reaps orphans.
            let state = TextFile.text(of: "/proc/\(child)/stat").split(separator: ")").last
            return state.map { $0.hasPrefix(" Z") } ?? true
        }
        let late = try Self.failure(Self.shell("sleep 60 & \(record); wait"), timeout: .milliseconds(300))
        #expect(late == .late)
        try await eventually { childIsGone() }
        #expect(try Self.run(Self.shell("printf word; sleep 60 & \(record)")) == "word")
        try await eventually { childIsGone() }
    }

    @Test("the stop signal ends a program")
    func stop() throws {
        let signal = try StopSignal()
        signal.give()
        #expect(throws: SecretCommand.Failure.stopped) { try Self.run(["sleep", "60"], stop: signal) }
    }

    @Test(
        "other vectors are invalid",
        arguments: [[], [""], ["./a"], ["a/b"], ["a", "b\0c"], Array(repeating: "a", count: 33)]
    )
    func invalid(arguments: [String]) {
        #expect(SecretCommand(arguments) == nil)
    }
}
